export const PREPARING = 'the store is being prepared'
export const STOPPING = 'the server is stopping'

/** Whether this process should receive traffic, and if not, why. */
export interface Health {
  isReady(): boolean
  /** Why the process is not ready; empty when it is. */
  reasons(): readonly string[]
  waitFor(reason: string): void
  done(reason: string): void
}

export function createHealth(): Health {
  const waiting = new Set<string>()
  return {
    isReady: () => waiting.size === 0,
    reasons: () => [...waiting],
    waitFor: (reason) => void waiting.add(reason),
    done: (reason) => void waiting.delete(reason),
  }
}
