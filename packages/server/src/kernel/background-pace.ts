import { int32At } from './at.ts'
import { stopwatch } from './clock.ts'
import { yieldIfDue } from './time-slice.ts'

/** To be awaited between the steps of a long computation. */
export type Pause = () => Promise<void> | undefined

/** Steps run without a rest until they have taken this long together. */
const WORK_MS = 0.5

/** The rest after some work, as a multiple of its processor time. */
const REST_FACTOR = 8
const MAX_REST_MS = 50

/** How long after a response the process counts as serving requests. */
const SERVING_MS = 100

/**
 * For work that nobody waits for, in a thread next to one that serves requests: while it serves any, this work takes a
 * ninth of a processor. Without rests, a request waits for the busy thread at each switch between threads or processes
 * for up to three milliseconds where processors are scarce, even if the thread has a low priority.
 */
export function createBackgroundPace(responses: Int32Array<SharedArrayBuffer>): Pause {
  let count = int32At(responses, 0)
  let servedAt = Number.NEGATIVE_INFINITY
  let since = stopwatch()
  let usedMs = threadCpuMs()
  const begin = (): void => {
    since = stopwatch()
    usedMs = threadCpuMs()
  }
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) =>
      setTimeout(() => {
        begin()
        resolve()
      }, ms),
    )
  return () => {
    const now = stopwatch()
    if (now - since < WORK_MS) return undefined
    const current = int32At(responses, 0)
    if (current !== count) servedAt = now
    count = current
    // Not the time that has passed: part of it may have been spent waiting for the client.
    if (now - servedAt < SERVING_MS)
      return rest(Math.min(MAX_REST_MS, REST_FACTOR * (threadCpuMs() - usedMs)))
    begin()
    return yieldIfDue()
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
