import type { Neighbours } from '../../../domain/telemetry/rollup/invalidation.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'

/** Neighbours are searched within this distance first: an unbounded search opens all partitions. */
export const NEAR_MS = 8 * 86_400_000

export interface SeriesRun extends TimeSpan {
  seriesId: number
}

/** Finds the reading before and after each run. Requires up-to-date rows in `latest_readings`. */
export async function findNeighbours(
  sql: Sql,
  siteUuid: string,
  runs: readonly SeriesRun[],
): Promise<Neighbours[]> {
  if (runs.length === 0) return []
  const near = await look(sql, siteUuid, runs, {
    from: Math.min(...runs.map(({ from }) => from)) - NEAR_MS,
    to: Math.max(...runs.map(({ to }) => to)) + NEAR_MS,
  })
  const lonely = runs.filter((_, place) => near[place]?.mayHaveMore)
  const far = lonely.length === 0 ? [] : await look(sql, siteUuid, lonely, EVER)
  let next = 0
  return near.map((found) => (found.mayHaveMore ? (far[next++] ?? found) : found))
}

const EVER: TimeSpan = { from: 0, to: Number.MAX_SAFE_INTEGER }

interface NeighbourRow extends Neighbours {
  mayHaveMore: boolean
}

interface NeighbourQuery {
  before: number | null
  isNear: boolean
  after: number | null
  isLast: boolean
}

async function look(
  sql: Sql,
  siteUuid: string,
  runs: readonly SeriesRun[],
  { from, to }: TimeSpan,
): Promise<NeighbourRow[]> {
  const rows = await sql<NeighbourQuery[]>`
    SELECT greatest(before.ts, edge.ts) AS before, before.ts IS NOT NULL AS "isNear", after.ts AS after,
      latest.ts <= run.last AS "isLast"
    FROM unnest(${runs.map(({ seriesId }) => seriesId)}::bigint[],
      ${runs.map((run) => run.from)}::bigint[], ${runs.map((run) => run.to)}::bigint[])
      WITH ORDINALITY AS run (series_id, first, last, place)
    LEFT JOIN LATERAL (
      SELECT ts FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = run.series_id AND ts < run.first AND ts BETWEEN ${from} AND ${to}
      ORDER BY ts DESC LIMIT 1
    ) AS before ON true
    LEFT JOIN LATERAL (
      SELECT ts FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = run.series_id AND ts > run.last AND ts BETWEEN ${from} AND ${to}
      ORDER BY ts LIMIT 1
    ) AS after ON true
    LEFT JOIN LATERAL (
      SELECT max(ts) AS ts FROM boundary_readings
      WHERE site_uuid = ${siteUuid} AND series_id = run.series_id AND ts < run.first
    ) AS edge ON true
    LEFT JOIN latest_readings AS latest
      ON latest.site_uuid = ${siteUuid} AND latest.series_id = run.series_id
    ORDER BY place`
  return rows.map(({ before, isNear, after, isLast }) => ({
    before: before ?? undefined,
    after: after ?? undefined,
    mayHaveMore: !isNear || (after === null && !isLast),
  }))
}
