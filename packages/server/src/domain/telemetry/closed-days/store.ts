import type { NewEvent } from '../../event/event.ts'

/** What closing a day changes. */
export interface DayClosing {
  /** The end of the closed days when the closing was decided. */
  expected: number
  /** The end of the closed days from now on. */
  closedBefore: number
  /** Undefined for the first closing of a site, which does not report its past days. */
  event: NewEvent | undefined
}

/**
 * The days of each site that events have reported as closed. A change to the values of such a day is stored as a
 * correction in the transaction of the change, and maintenance reports it as an event.
 */
export interface ClosedDayStore {
  /** The end of the closed days of a site, as an instant; 0 if none has been closed yet. */
  closedBefore(siteUuid: string): Promise<number>
  /**
   * One transaction: closes days and adds the event. Returns false, and changes nothing, if another call has closed
   * days since `expected`. Readings stored afterwards count as corrections of these days.
   */
  close(siteUuid: string, closing: DayClosing): Promise<boolean>
}
