import { readlinkSync } from 'node:fs'
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
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS)
  } catch {
    // Without /proc, or where a sandbox forbids it, the thread keeps its priority.
  }
}
