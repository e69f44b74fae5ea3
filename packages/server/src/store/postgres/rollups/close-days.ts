import type { SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { dependsOnNeighbours } from '../../../domain/telemetry/rollup/invalidation.ts'
import { LONGEST_DELTA_MS } from '../../../domain/telemetry/reading/delta.ts'
import type { LatestReading } from '../../../domain/telemetry/reading/store.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { latestReadings } from '../readings/read-readings.ts'
import type { LoadSeriesIndex } from './series-index.ts'
import { lockSiteExclusive } from './site-state.ts'
import { enqueue, type QueuedDays } from './rollup-queue.ts'
import { readingRanges } from '../readings/stored-readings.ts'

/** Delay after the end of a day until it is closed: most of its readings have arrived by then. */
export const CLOSE_AFTER_MS = 10 * 60_000
/** The last day of a meter is rolled up later: the reading that completes it may still arrive. */
const PATIENCE_MS = 3_600_000
const LOOK_AGAIN_MS = 5 * 60_000

/**
 * Closes the days of a site that are over by `at`, and enqueues them. The site lock waits for transactions that add
 * readings; later ones see that their readings are late, so no reading is missed. Returns the instant at which the next
 * day is over.
 */
export const closeDays = (
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  at: number,
): Promise<number> =>
  db.write(async (sql) => {
    const state = await lockSiteExclusive(sql, siteUuid)
    const index = await indexes(sql, siteUuid)
    // The site has never had a reading.
    if (!state || !index) return at + LOOK_AGAIN_MS
    const today = index.days.dayAt(at)
    const end = index.days.startOfDay(today)
    if (state.rollupWatermark < end) {
      await sql`UPDATE site_state SET rollup_watermark = ${end} WHERE site_uuid = ${siteUuid}`
      const latest = await latestReadings(sql, siteUuid)
      const closed =
        state.rollupWatermark === 0
          ? await everyDay(sql, siteUuid, index, today - 1)
          : newlyClosed(index, latest, state.rollupWatermark, today - 1)
      await enqueue(
        sql,
        siteUuid,
        closed.flatMap((days) => withDue(index, days, latest.get(days.seriesId)?.at ?? 0, at)),
      )
    }
    return index.days.startOfDay(today + 1)
  })

/** No day has been closed before: enqueues all days with readings. */
async function everyDay(sql: Sql, siteUuid: string, index: SeriesIndex, to: number): Promise<QueuedDays[]> {
  const ranges = await readingRanges(sql, siteUuid)
  return [...ranges].map(([seriesId, range]) => ({ seriesId, from: index.days.dayAt(range.from), to }))
}

function newlyClosed(
  index: SeriesIndex,
  latest: ReadonlyMap<number, LatestReading>,
  since: number,
  to: number,
): QueuedDays[] {
  const from = index.days.dayAt(since)
  return [...latest]
    .filter(([, { at }]) => at >= since - LONGEST_DELTA_MS)
    .map(([seriesId]) => ({ seriesId, from, to }))
}

/** The days of a device and of its spaces, with their due time. */
function withDue(
  index: SeriesIndex,
  days: QueuedDays,
  latest: number,
  now: number,
): (QueuedDays & { dueAt: number })[] {
  const device = index.devices.get(days.seriesId)
  if (!device || days.from > days.to) return []
  const isAwaited = dependsOnNeighbours(device.spec) && index.days.dayAt(latest) === days.to
  const dueAt = isAwaited ? now + PATIENCE_MS : now
  return [days.seriesId, ...device.pooledSeries].map((seriesId) => ({ ...days, seriesId, dueAt }))
}
