import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'

/** Checks that the threads in which V8 works for a process have a lower priority than its event loop. */
export function assertV8ThreadsYield(pid: number): void {
  const threads = readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').includes('V8Worker'),
  )
  assert.ok(threads.length > 0)
  for (const thread of threads) assert.ok(getPriority(Number(thread)) > getPriority(pid), `thread ${thread}`)
}
