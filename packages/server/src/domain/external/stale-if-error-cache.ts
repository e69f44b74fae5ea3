import { BoundedCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'

const RETRY_MS = 30_000

export interface CachedValue<T> {
  value: T
  /** The value has expired and could not be refreshed. */
  isStale: boolean
}

/** Single-flight cache that returns the last value if loading a new one fails. */
export type StaleIfErrorCache<T> = (key: string, load: () => Promise<T>) => Promise<CachedValue<T>>

export function createStaleIfErrorCache<T>(options: {
  clock: Clock
  max: number
  /** How long a new value is fresh. */
  freshMs(value: T): number
}): StaleIfErrorCache<T> {
  const { clock, max, freshMs } = options
  const values = new BoundedCache<string, { value: T; until: number }>(max)
  const failures = new BoundedCache<string, { error: unknown; until: number }>(max)
  const inFlight = new Map<string, Promise<CachedValue<T>>>()

  const getStale = (key: string, error: unknown): CachedValue<T> => {
    const last = values.get(key)
    if (!last) throw error
    return { value: last.value, isStale: true }
  }

  const refresh = async (key: string, load: () => Promise<T>): Promise<CachedValue<T>> => {
    try {
      const value = await load()
      values.set(key, { value, until: clock.now() + freshMs(value) })
      return { value, isStale: false }
    } catch (error) {
      failures.set(key, { error, until: clock.now() + RETRY_MS })
      return getStale(key, error)
    }
  }

  return async (key, load) => {
    const last = values.get(key)
    if (last && clock.now() < last.until) return { value: last.value, isStale: false }
    const failure = failures.get(key)
    if (failure && clock.now() < failure.until) return getStale(key, failure.error)
    const running = inFlight.get(key)
    if (running) return running
    const refreshing = refresh(key, load).finally(() => inFlight.delete(key))
    inFlight.set(key, refreshing)
    return refreshing
  }
}
