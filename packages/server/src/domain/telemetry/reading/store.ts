import type { Readings } from './packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

export interface SeriesReadings {
  seriesId: number
  /** Milliseconds since 1970, ascending, no two alike. */
  timestamps: ArrayLike<number>
  values: ArrayLike<number>
}

export interface LatestReading {
  at: number
  value: number
}

/** What became of readings that were good: new, in the place of another value, or there already. */
export interface AddResult {
  accepted: number
  replaced: number
  unchanged: number
}

/** What happens to a reading whose instant has one: a correction replaces it, a repetition leaves it as it is. */
export type OnConflict = 'new' | 'repeated'

/** What figures are computed from. */
export interface ReadingReader {
  /** The readings in the span, and the last before and the first after it, which its edges are interpolated from. */
  around(siteUuid: string, seriesId: number, span: TimeSpan): Promise<Readings>
  within(siteUuid: string, seriesId: number, span: TimeSpan): Promise<Readings>
}

export interface ReadingStore extends ReadingReader {
  /** Durable when it resolves. */
  add(siteUuid: string, batch: readonly SeriesReadings[], arrival?: OnConflict): Promise<AddResult>
  /** The newest reading of each series of the site, or of those named. */
  latest(siteUuid: string, seriesIds?: readonly number[]): Promise<ReadonlyMap<number, LatestReading>>
}
