import type { MaybePromise } from '../../../kernel/maybe-promise.ts'

/** One row of cells as the store keeps it. */
export interface RollupRow {
  /** Of a day row the day, of a month row the month; see `calendar/local-day.ts`. */
  number: number
  cells: Uint8Array
}

/**
 * Rollups of closed days: a pure function of the stored readings and the inventory. Whatever would make a row untrue removes
 * it in the same transaction, so a row that is there is true and one that is not is computed from the readings.
 */
export interface RollupStore {
  /** The slots of each day. */
  days(siteUuid: string, seriesId: number, fromDay: number, toDay: number): MaybePromise<RollupRow[]>
  /** The days of each month. */
  months(siteUuid: string, seriesId: number, fromMonth: number, toMonth: number): MaybePromise<RollupRow[]>
  /** The quarter hours of days whose readings are no longer kept. */
  quarters(siteUuid: string, seriesId: number, fromDay: number, toDay: number): MaybePromise<RollupRow[]>
  /** Only in a store whose file this process reads itself: elsewhere each version would be a round trip. */
  versions?: RollupVersions
}

/** Versions that are known without waiting; they tell whether data that was cached earlier is still valid. */
export interface RollupVersions {
  /** Changes whenever anything is stored. While it stays the same, so do all the others. */
  dataVersion(): number
  /** Changes whenever rollups of the series are added or removed. Data computed from them is valid while it stays the same. */
  version(seriesId: number): number
  /** Sequence number of the last delivery of readings. Later deliveries have larger numbers. */
  lastSequence(): number
  /** The last delivery that may have changed values of the series before an instant, while the versions of the series stay the same. */
  lastChangeBefore(seriesIds: readonly number[], at: number): number
}
