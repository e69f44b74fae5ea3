import { stopwatch } from './clock.ts'

/** How long computations may hold the event loop between two polls for other work. A step adds a few milliseconds to it. */
const SLICE_MS = 5

/** Computations that have used up their slice, in the order in which they continue. */
const waiting: (() => void)[] = []

/** When the slice of this turn of the event loop began; undefined while no computation has run in it. */
let startedAt: number | undefined
let isEndScheduled = false

function startSlice(): void {
  startedAt = stopwatch()
  if (isEndScheduled) return
  isEndScheduled = true
  setImmediate(endSlice)
}

/** Continues one computation per turn: all of them together would hold the loop for as many slices as there are. */
function endSlice(): void {
  isEndScheduled = false
  startedAt = undefined
  const next = waiting.shift()
  if (!next) return
  startSlice()
  next()
}

/**
 * To be awaited between the steps of a long computation. Undefined while there is time left in the slice, which all computations of
 * one turn of the event loop share; otherwise a promise that resolves after timers, sockets and earlier computations had their turn.
 */
export function yieldIfDue(): Promise<void> | undefined {
  if (startedAt === undefined) {
    startSlice()
    return undefined
  }
  if (stopwatch() - startedAt < SLICE_MS) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}
