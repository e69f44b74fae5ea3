/** A response that can be used again while the server confirms that it is unchanged. */
export interface CachedResponse {
  etag: string
  body: string
}

/** Caches responses to GET requests. A custom implementation may store them elsewhere. */
export interface Cache {
  get(key: string): CachedResponse | undefined
  set(key: string, response: CachedResponse): void
}

/** Caches the most recently used responses, up to a size. A text of n characters counts as 2n bytes. */
export function memoryCache({ maxBytes = 16 * 2 ** 20 }: { maxBytes?: number } = {}): Cache {
  const entries = new Map<string, CachedResponse>()
  let bytes = 0
  const sizeOf = (key: string, { body, etag }: CachedResponse): number =>
    2 * (key.length + body.length + etag.length)
  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(key, entry)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry) {
        // A map is in the order of insertion: the entry becomes the newest.
        entries.delete(key)
        entries.set(key, entry)
      }
      return entry
    },
    set(key, response) {
      remove(key)
      const size = sizeOf(key, response)
      if (size > maxBytes) return
      entries.set(key, response)
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
