import { numberAt } from '../../../kernel/at.ts'
import type { SeriesReadings } from '../../../domain/telemetry/reading/store.ts'
import type { ChangedSeries } from './reading-rows.ts'

/**
 * The newest reading of each series that this process has stored. Others may have stored newer ones, but none of these ever goes
 * while its day is open: enough to tell the usual delivery, without asking, from one that changes closed days.
 */
export interface NewestSeen {
  hasSite(siteUuid: string): boolean
  /** Nothing known speaks against all of it being new. */
  isNew(siteUuid: string, series: SeriesReadings): boolean
  /** The reading before it is newer than any rollup, so that it touches none. */
  isLive(siteUuid: string, change: ChangedSeries, sealedBefore: number): boolean
  /** After the commit. */
  record(siteUuid: string, changes: readonly ChangedSeries[]): void
}

export function createNewestSeen(): NewestSeen {
  const sites = new Map<string, Map<number, number>>()
  const newest = (siteUuid: string, seriesId: number): number =>
    sites.get(siteUuid)?.get(seriesId) ?? Number.NEGATIVE_INFINITY
  return {
    hasSite: (siteUuid) => sites.has(siteUuid),
    isNew: (siteUuid, { seriesId, timestamps }) => numberAt(timestamps, 0) > newest(siteUuid, seriesId),
    isLive(siteUuid, { seriesId, timestamps }, sealedBefore) {
      const last = newest(siteUuid, seriesId)
      return sealedBefore === 0 || (last >= sealedBefore && last < numberAt(timestamps, 0))
    },
    record(siteUuid, changes) {
      const known = sites.get(siteUuid) ?? new Map<number, number>()
      sites.set(siteUuid, known)
      for (const { seriesId, timestamps } of changes)
        known.set(seriesId, Math.max(newest(siteUuid, seriesId), numberAt(timestamps, timestamps.length - 1)))
    },
  }
}
