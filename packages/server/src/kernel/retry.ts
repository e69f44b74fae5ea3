import { setTimeout as delay } from 'node:timers/promises'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** Exponential backoff before the next attempt, after `failures` failed ones. */
export const backoffMs = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16))

export interface RetryOptions {
  /** Stops retrying; the last error is then thrown. */
  signal: AbortSignal
  onFailure(error: unknown, failures: number): void
}

/** Retries until success. For work that must not be dropped, such as storing a message before it is acknowledged. */
export async function retryUntilSuccess<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted) throw error
      onFailure(error, failures)
      await delay(backoffMs(failures), undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
