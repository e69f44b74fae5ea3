import type { ObservedStatus, ReportedStatus } from './reported-status.ts'

/** The statuses of devices that events have reported. */
export interface DeviceStatusStore {
  /** By device. */
  list(siteUuid: string): Promise<ReadonlyMap<string, ReportedStatus>>
  /**
   * One transaction: the result of `decideStatuses` for these devices and its events. Rows of removed devices are
   * deleted. Concurrent calls for a site are serialised, so no change is reported twice.
   */
  update(
    siteUuid: string,
    change: { observed: readonly ObservedStatus[]; removed: readonly string[]; isFirst: boolean },
    now: number,
  ): Promise<void>
}
