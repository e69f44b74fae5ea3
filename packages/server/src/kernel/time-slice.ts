import { stopwatch } from './clock.ts'

/** How long computations may block the event loop before other work runs. A step may exceed it by some milliseconds. */
export const SLICE_MS = 2

/** Computations whose slice has ended, in the order in which they continue. */
const waiting: (() => void)[] = []

/** Start of the slice of this event-loop tick; undefined while no computation has run in it. */
let startedAt: number | undefined
let isEndScheduled = false

function startSlice(): void {
  startedAt = stopwatch()
  if (isEndScheduled) return
  isEndScheduled = true
  setImmediate(endSlice)
}

/** Continues one computation per tick; continuing all of them would block the event loop for one slice each. */
function endSlice(): void {
  isEndScheduled = false
  startedAt = undefined
  const next = waiting.shift()
  if (!next) return
  startSlice()
  next()
}

/**
 * To be awaited between the steps of a long computation. Returns undefined while time is left in the slice, which all
 * computations of one event-loop tick share; otherwise a promise that resolves after timers, sockets and earlier
 * computations have run.
 */
export function yieldIfDue(): Promise<void> | undefined {
  if (startedAt === undefined) {
    startSlice()
    return undefined
  }
  if (stopwatch() - startedAt < SLICE_MS) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}
