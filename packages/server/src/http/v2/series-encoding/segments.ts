import type { Windows } from '../../../calendar/interval.ts'
import type { Columns } from '../../../domain/telemetry/series/columns.ts'
import { STATS_PER_WINDOW, type StatsAccumulator } from '../../../domain/telemetry/series/stats.ts'
import type { Digest } from './digest.ts'
import { type EncodedBlock, WORDS_PER_DIGEST } from './encoded-block.ts'
import { digestWindow, type PointEncoder } from './point-encoder.ts'

/** Consecutive windows of a response. */
export interface Segment {
  readonly count: number
  addTo(stats: StatsAccumulator, digest: Digest): void
  /** The windows, separated by commas; preceded by a comma unless they are the first. */
  text(isFirst: boolean): string
}

/** Windows of an encoded block. */
export class CachedSegment implements Segment {
  readonly #block: EncodedBlock
  readonly #from: number
  readonly #to: number

  constructor(block: EncodedBlock, from: number, to: number) {
    this.#block = block
    this.#from = from
    this.#to = to
  }

  get count(): number {
    return this.#to - this.#from
  }

  addTo(stats: StatsAccumulator, digest: Digest): void {
    stats.addFlat(this.#block.stats, this.#from * STATS_PER_WINDOW, this.#to * STATS_PER_WINDOW)
    digest.addParts(this.#block.digests, this.#from * WORDS_PER_DIGEST, this.#to * WORDS_PER_DIGEST)
  }

  text(isFirst: boolean): string {
    const { text, starts } = this.#block
    const [start, end] = [starts[this.#from], starts[this.#to]]
    if (start === undefined || end === undefined) throw new RangeError('Windows outside of their block.')
    // Removing the comma from the whole text later would copy it.
    return text.slice(start + Number(isFirst), end)
  }
}

/**
 * Windows that are encoded for one response only. A separate class: if cached and short-lived objects shared an
 * allocation site, V8 would allocate both in old space and garbage collection would take longer.
 */
export class ColumnSegment implements Segment {
  readonly #encoder: PointEncoder
  readonly #columns: Columns
  readonly #windows: Windows
  readonly #isBlock: boolean
  readonly #from: number
  readonly #to: number

  /** `isBlock`: the windows are those of a cached block. */
  constructor(
    encoder: PointEncoder,
    columns: Columns,
    windows: Windows,
    isBlock: boolean,
    from: number,
    to: number,
  ) {
    this.#encoder = encoder
    this.#columns = columns
    this.#windows = windows
    this.#isBlock = isBlock
    this.#from = from
    this.#to = to
  }

  get count(): number {
    return this.#to - this.#from
  }

  addTo(stats: StatsAccumulator, digest: Digest): void {
    stats.addColumns(this.#columns, this.#from, this.#to)
    for (let window = this.#from; window < this.#to; window += 1) {
      const { a, b } = digestWindow(this.#columns, window)
      digest.addPart(a, b)
    }
  }

  text(isFirst: boolean): string {
    const { out } = this.#encoder
    const prefixes = this.#isBlock
      ? this.#encoder.prefixes(this.#windows)
      : this.#encoder.repeatedPrefixes(this.#windows)
    for (let window = this.#from; window < this.#to; window += 1) {
      const skipped = Number(isFirst && window === this.#from)
      const prefix = prefixes?.[window]
      if (prefix) out.add(skipped ? prefix.subarray(1) : prefix)
      else out.addText(this.#encoder.prefix(this.#windows.from(window)).slice(skipped))
      this.#encoder.add(this.#columns, window)
    }
    return out.take()
  }
}
