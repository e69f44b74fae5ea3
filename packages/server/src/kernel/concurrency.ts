import { yieldIfDue } from './time-slice.ts'

/** Runs tasks of the same lane one after another, in the order in which they were given; lanes do not wait for each other. */
export type KeyedQueue = <T>(lane: string, task: () => Promise<T>) => Promise<T>

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return (lane, task) => {
    const before = tails.get(lane) ?? Promise.resolve()
    const run = before.then(task, task)
    tails.set(lane, run)
    const leave = (): void => {
      if (tails.get(lane) === run) tails.delete(lane)
    }
    run.then(leave, leave)
    return run
  }
}

/** Runs at most so many tasks at once; the others wait in their order. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>

export function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The turn goes to the next, or back.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Runs so many at a time, one group after the other: who answers them can do so together. Results come in the order given. */
export async function mapInChunks<T, R>(
  items: readonly T[],
  size: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += size)
    results.push(...(await Promise.all(items.slice(start, start + size).map(run))))
  return results
}

/**
 * Loads items in chunks of `size` and passes on the results in the order of the items. Only the results of one chunk are in memory
 * at a time, and other work can run between chunks.
 */
export async function forEachInChunks<T, R>(
  items: readonly T[],
  size: number,
  load: (item: T) => Promise<R>,
  use: (result: R, item: T, index: number) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await yieldIfDue()
    const chunk = items.slice(start, start + size)
    const results = await Promise.all(chunk.map(load))
    for (const [place, item] of chunk.entries()) use(results[place] as R, item, start + place)
  }
}

/** What the promise gives, or a failure when that takes longer. The work itself is not stopped. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms)
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
