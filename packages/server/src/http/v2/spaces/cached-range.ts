import { type Range, resolveRange } from '../../../domain/telemetry/series/range.ts'
import { BoundedCache } from '../../../kernel/cache.ts'
import type { Zone } from '../../../calendar/zone.ts'
import type { Interval } from '../../../calendar/window-edges.ts'

/** Ranges per zone and interval: about 2 MB for ranges of 48 hours, and 6 MB at most. */
const MAX_RANGES = 2_000
const MAX_CACHED_WINDOWS = 399
const CACHED_FOR_MS = 31 * 86_400_000

const caches = new WeakMap<Zone, Map<Interval, BoundedCache<string, Range>>>()

const getCache = (zone: Zone, interval: Interval): BoundedCache<string, Range> => {
  let byInterval = caches.get(zone)
  if (!byInterval) caches.set(zone, (byInterval = new Map()))
  let cache = byInterval.get(interval)
  if (!cache) byInterval.set(interval, (cache = new BoundedCache(MAX_RANGES)))
  return cache
}

/**
 * Resolves a range. A range that has ended never changes, so it is cached; an old one only if the client polls it,
 * because it is seldom requested again otherwise.
 */
export function readCachedRange(
  { fromDateTime, toDateTime }: { fromDateTime?: string | undefined; toDateTime?: string | undefined },
  interval: Interval,
  zone: Zone,
  now: number,
  isPolled: boolean,
): Range {
  if (fromDateTime === undefined || toDateTime === undefined)
    return resolveRange({ fromDateTime, toDateTime }, interval, zone, now)
  const cache = getCache(zone, interval)
  const key = `${fromDateTime} ${toDateTime}`
  const cached = cache.get(key)
  if (cached) return cached
  const range = resolveRange({ fromDateTime, toDateTime }, interval, zone, now)
  if (range.windows.length > MAX_CACHED_WINDOWS) return range
  if (range.to <= now && (isPolled || range.to > now - CACHED_FOR_MS)) cache.set(key, range)
  return range
}
