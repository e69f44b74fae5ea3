import { yieldIfDue } from './time-slice.ts'

/** A computation that can be interrupted at each `yield`. */
export type Steps<R> = Generator<undefined, R>

/** Runs a computation without interruption, for threads and commands that serve no requests. */
export function runSteps<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs a computation and lets other work run between its steps. */
export async function runInSlices<R>(steps: Steps<R>): Promise<R> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldIfDue()
  }
}

/** Converts `perStep` items in each step. */
export function* mapInSteps<T, R>(items: readonly T[], perStep: number, convert: (item: T) => R): Steps<R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(convert(item))
    if (results.length % perStep === 0) yield
  }
  return results
}
