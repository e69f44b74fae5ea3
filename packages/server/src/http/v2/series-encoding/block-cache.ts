import type { Windows } from '../../../calendar/interval.ts'
import { type EncodedBlock, sizeInBytes } from './encoded-block.ts'
import type { EncodedSeries } from './encoded-series.ts'

/** Cached blocks of one series and interval, by row number. */
export interface SeriesBlocks {
  get(number: number): EncodedBlock | undefined
  put(number: number, block: EncodedBlock): void
  /** Whether the entry was evicted: it no longer finds or stores blocks. */
  isEvicted(): boolean
}

/**
 * Also caches whole series that consist only of cached blocks: of this entry and, if `others` is given, of that one.
 * The key is the `Windows` object.
 */
export interface WholeSeriesBlocks extends SeriesBlocks {
  getWhole(windows: Windows, others: SeriesBlocks | undefined): EncodedSeries | undefined
  putWhole(windows: Windows, others: SeriesBlocks | undefined, encoded: EncodedSeries): void
}

/** Encoded blocks, each valid for one version of its series. */
export interface BlockCache {
  /** `version` is opaque: blocks of another version of the series are dropped. */
  series(key: string, version: string): WholeSeriesBlocks
}

/** Approximate memory of an entry without blocks, and of a whole series. */
const ENTRY_BYTES = 500
const WHOLE_BYTES = 1_000
/**
 * Whole series of one entry. A range that is not cached has new windows for each request, so it is never found again.
 */
const MAX_WHOLE = 100

export function createBlockCache(maxBytes: number): BlockCache {
  /** In the order in which they are considered for eviction. */
  const entries = new Map<string, Entry>()
  let bytes = 0

  const reserve = (size: number): void => {
    bytes += size
    for (const [key, oldest] of entries) {
      if (bytes <= maxBytes) return
      entries.delete(key)
      // A series that was used since it was considered last stays for another round.
      if (oldest.wasUsed()) entries.set(key, oldest)
      else bytes -= oldest.evict()
    }
  }

  return {
    series(key, version) {
      const cached = entries.get(key)
      if (cached?.version === version) {
        cached.use()
        return cached
      }
      if (cached) {
        entries.delete(key)
        bytes -= cached.evict()
      }
      const entry = new Entry(version, reserve)
      entries.set(key, entry)
      reserve(ENTRY_BYTES)
      return entry
    },
  }
}

class Entry implements WholeSeriesBlocks {
  readonly version: string
  readonly #reserve: (size: number) => void
  readonly #blocks = new Map<number, EncodedBlock>()
  readonly #whole = new Map<Windows, { others: SeriesBlocks | undefined; encoded: EncodedSeries }>()
  #bytes = ENTRY_BYTES
  #isUsed = false
  #isEvicted = false

  constructor(version: string, reserve: (size: number) => void) {
    this.version = version
    this.#reserve = reserve
  }

  get(number: number): EncodedBlock | undefined {
    this.#isUsed = true
    return this.#blocks.get(number)
  }

  put(number: number, block: EncodedBlock): void {
    // The entry may have been evicted while the block was computed.
    if (this.#isEvicted) return
    const before = this.#blocks.get(number)
    const size = sizeInBytes(block) - (before ? sizeInBytes(before) : 0)
    this.#blocks.set(number, block)
    this.#bytes += size
    this.#reserve(size)
  }

  getWhole(windows: Windows, others: SeriesBlocks | undefined): EncodedSeries | undefined {
    const cached = this.#whole.get(windows)
    if (cached?.others && cached.others !== others) return undefined
    this.#isUsed = true
    return cached?.encoded
  }

  putWhole(windows: Windows, others: SeriesBlocks | undefined, encoded: EncodedSeries): void {
    if (this.#isEvicted) return
    const isKnown = this.#whole.has(windows)
    const [oldest] = isKnown || this.#whole.size < MAX_WHOLE ? [] : this.#whole.keys()
    if (oldest) this.#whole.delete(oldest)
    const size = isKnown || oldest ? 0 : WHOLE_BYTES
    this.#whole.set(windows, { others, encoded })
    this.#bytes += size
    this.#reserve(size)
  }

  isEvicted(): boolean {
    return this.#isEvicted
  }

  use(): void {
    this.#isUsed = true
  }

  /** Whether the entry was used since the last call. */
  wasUsed(): boolean {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed
  }

  /** Returns the number of bytes freed. */
  evict(): number {
    this.#isEvicted = true
    this.#blocks.clear()
    this.#whole.clear()
    return this.#bytes
  }
}
