import type { Readings } from './packed-day.ts'
import type { Span } from './window-value.ts'

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
export interface AddedReadings {
  accepted: number
  replaced: number
  unchanged: number
}

export interface ReadingStore {
  /** Durable when it resolves. A reading at an instant that has one replaces it. */
  add(siteUuid: string, batch: readonly SeriesReadings[]): Promise<AddedReadings>
  /** The readings in the span, and the last before and the first after it, which its edges are interpolated from. */
  around(siteUuid: string, seriesId: number, span: Span): Promise<Readings>
  within(siteUuid: string, seriesId: number, span: Span): Promise<Readings>
  /** The newest reading of each series of the site. */
  latest(siteUuid: string): Promise<ReadonlyMap<number, LatestReading>>
}
