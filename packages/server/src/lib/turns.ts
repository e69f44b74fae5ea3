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
