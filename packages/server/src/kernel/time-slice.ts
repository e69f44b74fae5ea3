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

function endSlice(): void {
  isEndScheduled = false
  startedAt = undefined
  continueNext()
}

/**
 * Continues one computation after another until the slice has ended. Continuing all of them would block the event loop
 * for one slice each; continuing only one per tick would delay short ones by a tick for each that waits before them.
 */
function continueNext(): void {
  const next = waiting[0]
  if (!next || hasEnded()) return
  waiting.shift()
  if (startedAt === undefined) startSlice()
  next()
  // Ticks run when the microtasks have: those of the computation, up to where it waits again.
  queueMicrotask(() => process.nextTick(continueNext))
}

const hasEnded = (): boolean => startedAt !== undefined && stopwatch() - startedAt >= SLICE_MS

/** Awaited between the steps of a long computation; undefined if it can go on at once. */
export type Pause = () => Promise<void> | undefined

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
  if (!hasEnded()) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}
