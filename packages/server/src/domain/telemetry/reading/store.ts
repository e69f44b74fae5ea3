import type { ReadingBatch } from './batch.ts'
import type { Readings } from './packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

export interface LatestReading {
  at: number
  value: number
}

/** Counts of valid readings: new, replacing another value, or unchanged. */
export interface AddResult {
  accepted: number
  replaced: number
  unchanged: number
}

/** What happens to a reading of an instant that already has one. */
export type OnConflict = 'replace' | 'keep'

/** The readings from which series are computed. */
export interface ReadingReader {
  /** The readings in the span, and the neighbours on both sides, from which its edges are interpolated. */
  around(siteUuid: string, seriesId: number, span: TimeSpan): Promise<Readings>
  within(siteUuid: string, seriesId: number, span: TimeSpan): Promise<Readings>
  /**
   * `around` for many series, each with its own span, in the order of the queries. Only in a store in which a read is a
   * round trip.
   */
  aroundEach?(siteUuid: string, queries: readonly SeriesSpan[]): Promise<readonly Readings[]>
}

export interface SeriesSpan {
  seriesId: number
  span: TimeSpan
}

export interface ReadingStore extends ReadingReader {
  /** Durable when it resolves. */
  add(siteUuid: string, batch: ReadingBatch, onConflict?: OnConflict): Promise<AddResult>
  /** The newest reading of each series of the site, or of the given ones. */
  latest(siteUuid: string, seriesIds?: readonly number[]): Promise<ReadonlyMap<number, LatestReading>>
  /**
   * The newest `count` readings of each given series, in order of time. A series without readings is left out, and so
   * is one whose readings are damaged.
   */
  recent(
    siteUuid: string,
    seriesIds: readonly number[],
    count: number,
  ): Promise<ReadonlyMap<number, Readings>>
}
