import { setTimeout as delay } from 'node:timers/promises'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** Milliseconds before the attempt that follows so many failed ones. */
export const backoffMs = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16))

export interface RetryOptions {
  /** Ends the trying: what failed last is then thrown. */
  signal: AbortSignal
  onFailure(error: unknown, failures: number): void
}

/** Tries until it works. For what must not be given up, such as storing what a device still holds for us. */
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
