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
