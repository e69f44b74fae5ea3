import { BoundedCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'

const RETRY_MS = 30_000

export interface CachedValue<T> {
  value: T
  /** It is older than it should be: a newer one could not be had. */
  isStale: boolean
}

/** Remembers what was asked for: one question at a time for each key, and the last known answer when there is no new one. */
export type StaleIfErrorCache<T> = (key: string, ask: () => Promise<T>) => Promise<CachedValue<T>>

export function createStaleIfErrorCache<T>(options: {
  clock: Clock
  max: number
  /** How long a new answer is good. */
  freshMs(value: T): number
}): StaleIfErrorCache<T> {
  const { clock, max, freshMs } = options
  const known = new BoundedCache<string, { value: T; until: number }>(max)
  const failures = new BoundedCache<string, { error: unknown; until: number }>(max)
  const underWay = new Map<string, Promise<CachedValue<T>>>()

  const lastKnown = (key: string, error: unknown): CachedValue<T> => {
    const last = known.get(key)
    if (!last) throw error
    return { value: last.value, isStale: true }
  }

  const renew = async (key: string, ask: () => Promise<T>): Promise<CachedValue<T>> => {
    try {
      const value = await ask()
      known.set(key, { value, until: clock.now() + freshMs(value) })
      return { value, isStale: false }
    } catch (error) {
      failures.set(key, { error, until: clock.now() + RETRY_MS })
      return lastKnown(key, error)
    }
  }

  return async (key, ask) => {
    const last = known.get(key)
    if (last && clock.now() < last.until) return { value: last.value, isStale: false }
    const failure = failures.get(key)
    if (failure && clock.now() < failure.until) return lastKnown(key, failure.error)
    const running = underWay.get(key)
    if (running) return running
    const renewal = renew(key, ask).finally(() => underWay.delete(key))
    underWay.set(key, renewal)
    return renewal
  }
}
