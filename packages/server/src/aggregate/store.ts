/** One row of cells as the store keeps it. */
export interface StoredRow {
  /** Of a day row the day, of a month row the month; see `metric/local-day.ts`. */
  number: number
  cells: Uint8Array
}

/**
 * Rollups of closed days: a pure function of the stored readings and the inventory. Whatever would make a row untrue removes
 * it in the same transaction, so a row that is there is true and one that is not is computed from the readings.
 */
export interface RollupStore {
  /** The slots of each day. */
  days(siteUuid: string, seriesId: number, fromDay: number, toDay: number): Promise<StoredRow[]>
  /** The days of each month. */
  months(siteUuid: string, seriesId: number, fromMonth: number, toMonth: number): Promise<StoredRow[]>
  /** The quarter hours of days whose readings are no longer kept. */
  quarters(siteUuid: string, seriesId: number, fromDay: number, toDay: number): Promise<StoredRow[]>
  /** Only of a store whose file this process reads itself. */
  atOnce?: RollupsAtOnce
}

/** What can be asked without waiting, and what says whether an answer made before still holds. */
export interface RollupsAtOnce {
  days(seriesId: number, fromDay: number, toDay: number): StoredRow[]
  months(seriesId: number, fromMonth: number, toMonth: number): StoredRow[]
  /** Another number whenever anything was stored: while it stays, so do all the others. */
  storeVersion(): number
  /** Another number whenever rows of the series have come or gone: what was made of them holds for as long as it stays. */
  version(seriesId: number): number
  /** The number of the last delivery of readings: later ones have larger numbers. */
  lastArrival(): number
  /** The last delivery that may have changed what the series say of the time before an instant, as long as their versions stay. */
  changedBefore(seriesIds: readonly number[], at: number): number
}
