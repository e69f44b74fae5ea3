import type { MaybePromise } from '../../../kernel/maybe-promise.ts'

/** A stored row of cells. */
export interface RollupRow {
  /** The day of a day row or the month of a month row; see `calendar/local-day.ts`. */
  number: number
  cells: Uint8Array
}

/**
 * Rollups of closed days: a pure function of the stored readings and the inventory. A change that invalidates a row
 * deletes it in the same transaction, so an existing row is valid, and a missing one is computed from the readings.
 */
export interface RollupStore {
  /** The slots of each day. */
  days(siteUuid: string, seriesId: number, fromDay: number, toDay: number): MaybePromise<RollupRow[]>
  /** The days of each month. */
  months(siteUuid: string, seriesId: number, fromMonth: number, toMonth: number): MaybePromise<RollupRow[]>
  /** The quarter hours of days whose readings have been deleted. */
  quarters(siteUuid: string, seriesId: number, fromDay: number, toDay: number): MaybePromise<RollupRow[]>
  /** Only in a store whose file this process reads itself: elsewhere each version would be a round trip. */
  versions?: RollupVersions
  /**
   * Versions and changes of some series, to be observed before the data is read from which results are cached. Only in a
   * store in which a read is a round trip.
   */
  observeChanges?(siteUuid: string, seriesIds: readonly number[]): MaybePromise<ObservedChanges>
}

/** Tells whether results that were computed from readings are still valid. */
export interface ReadingChanges {
  /** Number of a change. Results of data that is read later include all changes up to this one. */
  sequence: number
  /** The last change that may affect results of some of the observed series before an instant. */
  lastChangeBefore(seriesIds: readonly number[], at: number): number
}

export interface ObservedChanges extends ReadingChanges {
  /** Version of the rollups of each observed series, as in `RollupVersions`. */
  versions: ReadonlyMap<number, number>
}

/** Versions that can be read synchronously, to decide whether cached data is still valid. */
export interface RollupVersions {
  /** Changes whenever anything is stored. While it is unchanged, so are all others. */
  dataVersion(): number
  /** Changes whenever rollups of the series are added or removed. Data computed from them is valid until then. */
  version(seriesId: number): number
  /** Sequence number of the last batch of readings. Later batches have higher numbers. */
  lastSequence(): number
  /** The last batch that may have changed values of the series before an instant, if their versions are unchanged. */
  lastChangeBefore(seriesIds: readonly number[], at: number): number
}
