import type { DayRange } from '../../../domain/telemetry/rollup/roll-up.ts'
import { quarterHoursToRetain } from '../../../domain/telemetry/rollup/retained-quarter-hours.ts'
import type { SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { getRetentionCutoff } from '../../../domain/telemetry/reading/retention.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { keepBoundaryReadings } from './boundary-readings.ts'
import { cellSource } from '../rollups/roll-up-due.ts'
import { putRows } from '../rollups/rollup-rows.ts'
import type { LoadSeriesIndex } from '../rollups/series-index.ts'
import { lockSiteExclusive, type SiteState, siteState } from '../rollups/site-state.ts'
import { hasStaleUpTo } from '../rollups/rollup-queue.ts'
import { readingRanges } from './stored-readings.ts'

const SERIES_IN_A_SLICE = 16
const DAYS_IN_A_SLICE = 32

/**
 * Applies retention to a site: makes the rollups of old days immutable, stores their quarter hours slice by slice, then
 * hides the readings from all queries. Returns whether it is done; days that are still in the rollup queue come first.
 */
export async function applyRetention(
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  retentionMs: number,
  now: number,
): Promise<boolean> {
  const { immutableBefore, retentionWatermark } = getRetentionCutoff(now, retentionMs)
  const state = await db.read((sql) => siteState(sql, siteUuid))
  if (!state || state.rollupWatermark <= immutableBefore || state.retentionWatermark >= retentionWatermark)
    return true
  const final = await makeFinal(db, indexes, siteUuid, immutableBefore)
  if (!final) return true
  const last = final.days.dayAt(immutableBefore)
  if (await db.read((sql) => hasStaleUpTo(sql, siteUuid, last))) return false
  await keepQuarters(db, siteUuid, final, state, last - 1)
  await db.write((sql) => forgetReadings(sql, siteUuid, indexes, retentionWatermark))
  return true
}

/** Makes rollups immutable; returns the series as they are then, because a later change does not affect these days. */
const makeFinal = (
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  before: number,
): Promise<SeriesIndex | undefined> =>
  db.write(async (sql) => {
    await lockSiteExclusive(sql, siteUuid)
    await sql`
      UPDATE site_state SET immutable_before = ${before} WHERE site_uuid = ${siteUuid} AND immutable_before < ${before}`
    return indexes(sql, siteUuid)
  })

async function keepQuarters(
  db: Database,
  siteUuid: string,
  index: SeriesIndex,
  { retentionWatermark }: SiteState,
  last: number,
): Promise<void> {
  const ranges = await db.read((sql) => readingRanges(sql, siteUuid))
  // A series without readings since the previous run has its quarter hours already.
  const series = [...ranges].filter(
    ([seriesId, { to }]) => index.devices.has(seriesId) && to >= retentionWatermark,
  )
  for (let start = 0; start < series.length; start += SERIES_IN_A_SLICE) {
    const slice = series.slice(start, start + SERIES_IN_A_SLICE)
    const first = index.days.dayAt(Math.min(...slice.map(([, { from }]) => from)))
    for (let from = first; from <= last; from += DAYS_IN_A_SLICE) {
      const days = { from, to: Math.min(last, from + DAYS_IN_A_SLICE - 1) }
      await db.write((sql) =>
        keepSlice(
          sql,
          siteUuid,
          index,
          slice.map(([seriesId]) => seriesId),
          days,
        ),
      )
    }
  }
}

/** Concurrent runs write identical quarter hours. */
async function keepSlice(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  seriesIds: readonly number[],
  days: DayRange,
): Promise<void> {
  const source = cellSource(sql, siteUuid, index)
  const rows = await Promise.all(
    seriesIds.map(async (seriesId) => {
      const device = index.devices.get(seriesId)
      const retained = device ? await quarterHoursToRetain(source, device, days) : []
      return retained.map((row) => ({ ...row, seriesId }))
    }),
  )
  await putRows(sql, siteUuid, 'rollup_quarter_hours', rows.flat())
}

/** Hides the readings from all queries. */
async function forgetReadings(
  sql: Sql,
  siteUuid: string,
  indexes: LoadSeriesIndex,
  before: number,
): Promise<void> {
  const state = await lockSiteExclusive(sql, siteUuid)
  const index = await indexes(sql, siteUuid)
  if (!state || !index || state.retentionWatermark >= before) return
  await keepBoundaryReadings(sql, siteUuid, [...index.devices.values()], {
    from: state.retentionWatermark,
    to: before,
  })
  await sql`UPDATE site_state SET retention_watermark = ${before} WHERE site_uuid = ${siteUuid}`
}
