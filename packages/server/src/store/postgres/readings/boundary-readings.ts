import type { DeviceSeries } from '../../../domain/telemetry/rollup/series-index.ts'
import { boundaryReadingCount } from '../../../domain/telemetry/reading/retention.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'

interface EdgeReading {
  seriesId: number
  ts: number
  value: number
}

/** Last readings to examine first; nearly always enough. */
const LOOKED_AT = 4

/** Replaces the boundary readings of a site with those of a span that is deleted and the earlier boundary readings. */
export async function keepBoundaryReadings(
  sql: Sql,
  siteUuid: string,
  series: readonly DeviceSeries[],
  going: TimeSpan,
): Promise<void> {
  const edge: EdgeReading[] = []
  let open = series
  for (let limit = LOOKED_AT; open.length > 0; limit *= 4) {
    const last = await lastReadings(sql, siteUuid, open, going, limit)
    open = open.filter(({ seriesId, spec }) => {
      const own = (last.get(seriesId) ?? []).slice(-limit)
      const count = boundaryReadingCount(
        spec.kind,
        own.map(({ ts }) => ts),
      )
      if (count === limit) return true
      edge.push(...own.slice(own.length - count))
      return false
    })
  }
  await sql`DELETE FROM boundary_readings WHERE site_uuid = ${siteUuid}`
  await sql`
    INSERT INTO boundary_readings (site_uuid, series_id, ts, value)
    VALUES (${siteUuid}, unnest(${edge.map(({ seriesId }) => seriesId)}::bigint[]),
      unnest(${edge.map(({ ts }) => ts)}::bigint[]), unnest(${edge.map(({ value }) => value)}::float8[]))`
}

/** The last readings of each series in the span, at most `limit`, preceded by its earlier boundary readings. */
async function lastReadings(
  sql: Sql,
  siteUuid: string,
  series: readonly DeviceSeries[],
  { from, to }: TimeSpan,
  limit: number,
): Promise<Map<number, EdgeReading[]>> {
  const rows = await sql<EdgeReading[]>`
    SELECT asked.series_id AS "seriesId", last.ts, last.value
    FROM unnest(${series.map(({ seriesId }) => seriesId)}::bigint[]) AS asked (series_id)
    CROSS JOIN LATERAL (
      (SELECT ts, value FROM boundary_readings WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id)
      UNION ALL
      (SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= ${from} AND ts < ${to}
        ORDER BY ts DESC LIMIT ${limit})
    ) AS last
    ORDER BY asked.series_id, last.ts`
  return Map.groupBy(rows, ({ seriesId }) => seriesId)
}
