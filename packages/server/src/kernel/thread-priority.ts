import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * If the event loop needs the processor, a thread of this niceness still gets a third of it. With less, it would starve
 * on a busy machine.
 */
const NICENESS = 3

/**
 * Lowers the priority of the calling thread: when processors are scarce, the event loop that serves requests runs
 * first. Only Linux has thread priorities; elsewhere this does nothing.
 */
export function lowerThreadPriority(): void {
  attempt(() => setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS))
}

/** Part of the name that Node gives to the threads of V8. */
const V8_THREAD = 'V8Worker'

/**
 * Lowers the priority of the threads on which V8 collects garbage and compiles code. Most of their work is for the
 * threads that import and export data, and the event loop should not have to wait for it either.
 */
export function lowerV8Priority(): void {
  attempt(() => {
    const threads = '/proc/self/task'
    for (const id of readdirSync(threads))
      if (readFileSync(`${threads}/${id}/comm`, 'utf8').includes(V8_THREAD)) setPriority(Number(id), NICENESS)
  })
}

function attempt(change: () => void): void {
  if (process.platform !== 'linux') return
  try {
    change()
  } catch {
    // Without /proc, or where a sandbox forbids it, threads keep their priority.
  }
}
