import { numberAt } from '../../../kernel/at.ts'
import type { SeriesReadings } from '../../../domain/telemetry/reading/batch.ts'
import type { ChangedSeries } from './reading-rows.ts'

/**
 * The newest reading of each series that this process has stored. Other instances may have stored newer ones, but no
 * reading of an open day is ever deleted: that is enough to recognise a live batch, which affects no closed day,
 * without a query.
 */
export interface NewestSeen {
  hasSite(siteUuid: string): boolean
  /** Whether all readings are newer than the newest one seen. */
  isNew(siteUuid: string, series: SeriesReadings): boolean
  /** Whether the preceding reading is newer than any rollup, so that the change affects none. */
  isLive(siteUuid: string, change: ChangedSeries, watermark: number): boolean
  /** Called after the commit. */
  record(siteUuid: string, changes: readonly ChangedSeries[]): void
}

export function createNewestSeen(): NewestSeen {
  const sites = new Map<string, Map<number, number>>()
  const newest = (siteUuid: string, seriesId: number): number =>
    sites.get(siteUuid)?.get(seriesId) ?? Number.NEGATIVE_INFINITY
  return {
    hasSite: (siteUuid) => sites.has(siteUuid),
    isNew: (siteUuid, { seriesId, timestamps }) => numberAt(timestamps, 0) > newest(siteUuid, seriesId),
    isLive(siteUuid, { seriesId, timestamps }, watermark) {
      const last = newest(siteUuid, seriesId)
      return watermark === 0 || (last >= watermark && last < numberAt(timestamps, 0))
    },
    record(siteUuid, changes) {
      const known = sites.get(siteUuid) ?? new Map<number, number>()
      sites.set(siteUuid, known)
      for (const { seriesId, timestamps } of changes)
        known.set(seriesId, Math.max(newest(siteUuid, seriesId), numberAt(timestamps, timestamps.length - 1)))
    },
  }
}
