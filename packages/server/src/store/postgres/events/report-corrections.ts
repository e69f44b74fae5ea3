import { type Correction, toCorrectionEvents } from '../../../domain/telemetry/closed-days/correction.ts'
import type { Database, Sql } from '../pool/connect.ts'
import type { LoadSeriesIndex } from '../rollups/series-index.ts'
import { appendEvents } from './event-rows.ts'

/** Series whose corrections become events in one transaction. */
const SERIES_AT_ONCE = 500

/** Sites with corrections that are due. */
export async function sitesWithCorrections(sql: Sql, by: number): Promise<string[]> {
  const rows = await sql<{ siteUuid: string }[]>`
    SELECT DISTINCT site_uuid AS "siteUuid" FROM corrections /* every site */ WHERE due_at <= ${by}`
  return rows.map(({ siteUuid }) => siteUuid)
}

/** Reports some of the due corrections of a site as events. Returns whether there were any. */
export const reportCorrections = (
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  by: number,
  now: number,
): Promise<boolean> =>
  db.write(async (sql) => {
    const due = await sql<{ seriesId: number }[]>`
      SELECT DISTINCT series_id AS "seriesId" FROM corrections
      WHERE site_uuid = ${siteUuid} AND due_at <= ${by} ORDER BY series_id LIMIT ${SERIES_AT_ONCE}`
    if (due.length === 0) return false
    const index = await indexes(sql, siteUuid)
    // All rows of a series that is due: adjacent days become one event.
    const rows = await sql<Correction[]>`
      DELETE FROM corrections
      WHERE site_uuid = ${siteUuid} AND series_id = ANY(${due.map(({ seriesId }) => seriesId)}::bigint[])
      RETURNING series_id AS "seriesId", from_day AS "from", end_day AS "end", first_at AS "firstAt"`
    if (index) await appendEvents(sql, siteUuid, toCorrectionEvents(index, rows, now))
    return true
  })
