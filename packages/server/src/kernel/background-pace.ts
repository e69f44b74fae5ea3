import { int32At } from './at.ts'
import { stopwatch } from './clock.ts'
import { type Pause, yieldIfDue } from './time-slice.ts'

/** Steps run without a rest until they have taken this long together. */
const WORK_MS = 0.5

/** The rest after some work, as a multiple of its processor time. */
const REST_FACTOR = 8
const MAX_REST_MS = 50

/** How long after a response the process counts as serving requests. */
const SERVING_MS = 100

/**
 * Creates the pauses of background work in a thread: while the event loop of the process serves requests, the work takes
 * a ninth of a processor. Without rests, and with few processors, each switch to another thread or process can wait up
 * to three milliseconds for the busy thread, even if that thread has a lower priority.
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
