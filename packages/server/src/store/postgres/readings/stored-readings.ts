import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'
import { latestReadings } from './read-readings.ts'
import { lockSiteExclusive, siteState } from '../rollups/site-state.ts'

/**
 * The series that have readings, of the given ones or of all in the site. The caller's lock prevents first readings
 * meanwhile.
 */
export async function seriesWithReadings(
  sql: Sql,
  siteUuid: string,
  seriesIds?: readonly number[],
): Promise<number[]> {
  await sql`INSERT INTO site_state (site_uuid) VALUES (${siteUuid}) ON CONFLICT (site_uuid) DO NOTHING`
  await lockSiteExclusive(sql, siteUuid)
  return [...(await latestReadings(sql, siteUuid, seriesIds)).keys()]
}

/** First and last reading of each series that has any. Searches all partitions: for rare use. */
export async function readingRanges(
  sql: Sql,
  siteUuid: string,
  seriesIds?: readonly number[],
): Promise<Map<number, TimeSpan>> {
  const latest = await latestReadings(sql, siteUuid, seriesIds)
  const retainedFrom = (await siteState(sql, siteUuid))?.retentionWatermark ?? 0
  const rows = await sql<{ seriesId: number; from: number }[]>`
    SELECT asked.series_id AS "seriesId", first.ts AS "from"
    FROM unnest(${[...latest.keys()]}::bigint[]) AS asked (series_id)
    CROSS JOIN LATERAL (
      (SELECT ts FROM boundary_readings WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id)
      UNION ALL
      (SELECT ts FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= ${retainedFrom} ORDER BY ts LIMIT 1)
      ORDER BY ts LIMIT 1
    ) AS first`
  return new Map(rows.map(({ seriesId, from }) => [seriesId, { from, to: latest.get(seriesId)?.at ?? from }]))
}
