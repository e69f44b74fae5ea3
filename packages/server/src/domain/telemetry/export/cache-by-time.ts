/** A day of a site has few distinct instants, so most rows find theirs in the cache. */
const MAX_CACHED_TIMES = 5_000

/** Caches the conversion of instants. */
export function cacheByTime<T>(convert: (at: number) => T): (at: number) => T {
  const cached = new Map<number, T>()
  return (at) => {
    let found = cached.get(at)
    if (found === undefined) {
      if (cached.size >= MAX_CACHED_TIMES) cached.clear()
      cached.set(at, (found = convert(at)))
    }
    return found
  }
}
