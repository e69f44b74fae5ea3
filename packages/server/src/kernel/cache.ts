import type { Clock } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * An approximate LRU cache of at most `max` entries; the most recently used half is never evicted. The entries are in
 * two maps, and when the younger is full the older is dropped: an exact LRU order costs more than most lookups save.
 */
export class BoundedCache<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(max: number) {
    this.#half = Math.ceil(max / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    this.#old.delete(key)
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}

interface TtlEntry<Value> {
  loading: Promise<Value>
  /** Undefined while loading. */
  value: Value | undefined
  startedAt: number
}

/**
 * Values that are loaded on demand and reused for a fixed time, counted from the start of the load. Concurrent loads of
 * one key share one request. Neither a failure nor a miss is cached: a failure must be retried, and misses would let
 * unauthenticated callers fill the cache.
 */
export class TtlCache<Key, Value extends object | undefined> {
  readonly #entries: BoundedCache<Key, TtlEntry<Value>>
  readonly #ttlMs: number
  readonly #clock: Clock
  readonly #load: (key: Key) => Promise<Value>

  constructor(options: {
    ttlMs: number
    max: number
    clock: Clock
    load(key: Key): Promise<Value>
  }) {
    this.#entries = new BoundedCache(options.max)
    this.#ttlMs = options.ttlMs
    this.#clock = options.clock
    this.#load = (key) => options.load(key)
  }

  get(key: Key): MaybePromise<Value> {
    const now = this.#clock.now()
    const entry = this.#entries.get(key)
    const age = entry ? now - entry.startedAt : Number.POSITIVE_INFINITY
    // A negative age means that the clock was set back: the entry's age is unknown.
    if (entry && age >= 0 && age < this.#ttlMs) return entry.value ?? entry.loading
    return this.#start(key, now)
  }

  /** Drops all values. A load in progress still serves its callers and is not cached. */
  invalidate(): void {
    this.#entries.clear()
  }

  #start(key: Key, now: number): Promise<Value> {
    const loading = this.#load(key)
    const entry: TtlEntry<Value> = { loading, value: undefined, startedAt: now }
    this.#entries.set(key, entry)
    const drop = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    const store = (value: Value): void => {
      if (value) entry.value = value
      else drop()
    }
    loading.then(store, drop)
    return loading
  }
}

/** Values that are each valid for one version of their source. */
export class VersionedCache<Key, Value> {
  readonly #entries: BoundedCache<Key, { version: number; value: Value }>

  constructor(max: number) {
    this.#entries = new BoundedCache(max)
  }

  get(key: Key, version: number): Value | undefined {
    const entry = this.#entries.get(key)
    return entry?.version === version ? entry.value : undefined
  }

  set(key: Key, version: number, value: Value): void {
    this.#entries.set(key, { version, value })
  }
}
