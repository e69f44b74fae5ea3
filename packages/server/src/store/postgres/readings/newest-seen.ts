import { numberAt } from '../../../kernel/at.ts'
import type { SeriesReadings } from '../../../domain/telemetry/reading/batch.ts'
import type { ChangedSeries } from './reading-rows.ts'

/**
 * The newest reading of each series that this process has stored. Other instances may have stored newer ones, but no
 * reading of an open day is ever deleted: that is enough to recognise a live batch, which affects no closed day,
 * without a query. A failover can lose readings, so those stored on another server than the current one do not count.
 */
export interface NewestSeen {
  /** Whether all readings are newer than the newest one seen. */
  isNew(siteUuid: string, series: SeriesReadings): boolean
  /** Whether the preceding reading is newer than any rollup, so that the change affects none. */
  isLive(siteUuid: string, change: ChangedSeries, watermark: number, server: string): boolean
  /** Called after the commit. */
  record(siteUuid: string, changes: readonly ChangedSeries[], server: string): void
}

interface SeenOfSite {
  server: string
  newest: Map<number, number>
}

export function createNewestSeen(): NewestSeen {
  const sites = new Map<string, SeenOfSite>()
  const findNewest = (seen: SeenOfSite | undefined, seriesId: number): number =>
    seen?.newest.get(seriesId) ?? Number.NEGATIVE_INFINITY
  return {
    isNew: (siteUuid, { seriesId, timestamps }) =>
      numberAt(timestamps, 0) > findNewest(sites.get(siteUuid), seriesId),
    isLive(siteUuid, { seriesId, timestamps }, watermark, server) {
      if (watermark === 0) return true
      const seen = sites.get(siteUuid)
      const last = findNewest(seen, seriesId)
      return seen?.server === server && last >= watermark && last < numberAt(timestamps, 0)
    },
    record(siteUuid, changes, server) {
      let seen = sites.get(siteUuid)
      if (seen?.server !== server) sites.set(siteUuid, (seen = { server, newest: new Map() }))
      for (const { seriesId, timestamps } of changes) {
        const last = numberAt(timestamps, timestamps.length - 1)
        seen.newest.set(seriesId, Math.max(findNewest(seen, seriesId), last))
      }
    },
  }
}
