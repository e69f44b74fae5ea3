import { getLocalDays } from '../../../calendar/local-day.ts'
import { getZone } from '../../../calendar/zone.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { firstRetainedDay } from '../../../domain/telemetry/rollup/invalidation.ts'
import type { Sql } from '../pool/connect.ts'
import { reopenDays } from './rollup-rows.ts'

/** Series per step, whose month rows are in memory. */
const SERIES_IN_A_STEP = 500

interface SiteRow {
  siteUuid: string
  timeZone: string
  immutableBefore: number
}

interface RolledUpDays {
  seriesId: number
  from: number
  to: number
}

/**
 * Deletes all rollups that can be computed from readings, and enqueues their days. Rollups of spaces are computed from
 * those of their devices, however old they are. Part of a migration: no server has cached anything.
 */
export async function reopenAll(sql: Sql): Promise<void> {
  const sites = await sql<SiteRow[]>`
    SELECT sites.site_uuid AS "siteUuid", time_zone AS "timeZone", immutable_before AS "immutableBefore"
    FROM sites JOIN site_state ON site_state.site_uuid = sites.site_uuid /* every site */`
  for (const { siteUuid, timeZone, immutableBefore } of sites) {
    const first = Math.max(firstRetainedDay(getLocalDays(getZone(timeZone)), immutableBefore), -1_000_000)
    const spaces = await sql<{ seriesId: number }[]>`
      SELECT series_id AS "seriesId" FROM series
      JOIN spaces ON spaces.site_uuid = ${siteUuid} AND space_uuid = subject_uuid WHERE series.site_uuid = ${siteUuid}`
    const rolledUp = await sql<RolledUpDays[]>`
      SELECT series_id AS "seriesId", min(day) AS from, max(day) AS to FROM rollup_days
      WHERE site_uuid = ${siteUuid}
        AND (day >= ${first} OR series_id = ANY(${spaces.map(({ seriesId }) => seriesId)}::bigint[]))
      GROUP BY series_id`
    for (let start = 0; start < rolledUp.length; start += SERIES_IN_A_STEP) {
      const step = rolledUp.slice(start, start + SERIES_IN_A_STEP)
      const invalid = step.map((days) => ({ ...days, invalidFrom: days.from }))
      await reopenDays(sql, siteUuid, invalid, systemClock.now())
    }
  }
}
