import { yieldIfDue } from './time-slice.ts'

/** Runs tasks with the same key one after another, in the order of the calls; keys do not wait for each other. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const before = tails.get(key) ?? Promise.resolve()
    const run = before.then(task, task)
    tails.set(key, run)
    const leave = (): void => {
      if (tails.get(key) === run) tails.delete(key)
    }
    run.then(leave, leave)
    return run
  }
}

/** Runs at most `max` tasks concurrently; the others wait in first-in, first-out order. */
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
      // Passes the permit to the next task, or returns it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Processes `size` items concurrently, so that their calls can be batched, then the next `size`. Keeps the order. */
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
 * Loads items in chunks of `size` and passes on the results in the order of the items. Only the results of one chunk
 * are in memory at a time, and other work can run between chunks.
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
    for (const [index, item] of chunk.entries()) use(results[index] as R, item, start + index)
  }
}

/** Rejects if the promise takes longer than `ms`. The work itself is not cancelled. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No response within ${ms} ms.`)), ms)
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
