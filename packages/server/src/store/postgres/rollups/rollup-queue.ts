import type { DayRange } from '../../../domain/telemetry/rollup/roll-up.ts'
import type { Sql } from '../pool/connect.ts'

/** Closed days of a series that need a rollup. */
export interface QueuedDays extends DayRange {
  seriesId: number
}

/** Enqueues days with a due time, and locks the entries of their series until the end of the transaction. */
export async function enqueue(
  sql: Sql,
  siteUuid: string,
  stale: readonly (QueuedDays & { dueAt: number })[],
): Promise<void> {
  const bySeries = [...Map.groupBy(stale, ({ seriesId }) => seriesId)].toSorted(([a], [b]) => a - b)
  if (bySeries.length === 0) return
  const days = bySeries.map(([, ranges]) => `{${ranges.map(({ from, to }) => `[${from},${to}]`).join(',')}}`)
  const dueAt = bySeries.map(([, ranges]) => Math.max(...ranges.map((range) => range.dueAt)))
  await sql`
    INSERT INTO rollup_queue (site_uuid, series_id, days, due_at)
    VALUES (${siteUuid}, unnest(${bySeries.map(([seriesId]) => seriesId)}::bigint[]),
      unnest(${days}::text[]::int4multirange[]), unnest(${dueAt}::bigint[]))
    ON CONFLICT (site_uuid, series_id) DO UPDATE SET days = rollup_queue.days + excluded.days,
      due_at = least(rollup_queue.due_at, excluded.due_at)`
}

/** The first consecutive days of a series in the queue. */
export interface ClaimedDays extends QueuedDays {
  /** The last day of the series in the queue. */
  last: number
}

/** Claims the due entries of these series that no other transaction has locked, until the end of the transaction. */
export async function claimDue(
  sql: Sql,
  siteUuid: string,
  seriesIds: readonly number[],
  by: number,
): Promise<ClaimedDays[]> {
  return sql<ClaimedDays[]>`
    SELECT series_id AS "seriesId", lower(days) AS "from", upper(days) - 1 AS last,
      (SELECT upper(first) - 1 FROM unnest(days) AS ranges (first) ORDER BY first LIMIT 1) AS "to"
    FROM rollup_queue WHERE site_uuid = ${siteUuid} AND series_id = ANY(${seriesIds}::bigint[]) AND due_at <= ${by}
    FOR UPDATE SKIP LOCKED`
}

/** Removes days that are rolled up; for most series these are all of its days. */
export async function dequeue(sql: Sql, siteUuid: string, rolledUp: readonly ClaimedDays[]): Promise<void> {
  const done = rolledUp.filter(({ to, last }) => to === last)
  await sql`
    DELETE FROM rollup_queue
    WHERE site_uuid = ${siteUuid} AND series_id = ANY(${done.map(({ seriesId }) => seriesId)}::bigint[])`
  const begun = rolledUp.filter(({ to, last }) => to < last)
  if (begun.length === 0) return
  await sql`
    UPDATE rollup_queue SET days = days - int4multirange(int4range(given.from_day, given.to_day, '[]'))
    FROM unnest(${begun.map(({ seriesId }) => seriesId)}::bigint[],
      ${begun.map(({ from }) => from)}::integer[],
      ${begun.map(({ to }) => to)}::integer[]) AS given (series_id, from_day, to_day)
    WHERE site_uuid = ${siteUuid} AND rollup_queue.series_id = given.series_id`
}

/** Postpones the entries of these series. */
export async function postpone(
  sql: Sql,
  siteUuid: string,
  seriesIds: readonly number[],
  dueAt: number,
): Promise<void> {
  if (seriesIds.length === 0) return
  await sql`
    UPDATE rollup_queue SET due_at = ${dueAt}
    WHERE site_uuid = ${siteUuid} AND series_id = ANY(${seriesIds}::bigint[])`
}

/** A series with days to roll up. */
export interface DueSeries {
  seriesId: number
  /** Days from the first to the last one, including gaps. */
  dayCount: number
}

export async function dueSeries(sql: Sql, siteUuid: string, by: number): Promise<DueSeries[]> {
  return sql<DueSeries[]>`
    SELECT series_id AS "seriesId", upper(days) - lower(days) AS "dayCount"
    FROM rollup_queue WHERE site_uuid = ${siteUuid} AND due_at <= ${by}
    ORDER BY due_at, series_id`
}

/** The sites with due entries. */
export async function sitesWithQueuedDays(sql: Sql, by: number): Promise<string[]> {
  const rows = await sql<{ siteUuid: string }[]>`
    SELECT DISTINCT site_uuid AS "siteUuid" FROM rollup_queue /* every site */ WHERE due_at <= ${by}`
  return rows.map(({ siteUuid }) => siteUuid)
}

/** The entries of all sites, with their due times. */
export const queuedSeries = (sql: Sql): Promise<{ siteUuid: string; seriesId: number; dueAt: number }[]> =>
  sql<{ siteUuid: string; seriesId: number; dueAt: number }[]>`
    SELECT site_uuid AS "siteUuid", series_id AS "seriesId", due_at AS "dueAt" FROM rollup_queue /* every site */`

/** Whether the site has an entry for this day or an earlier one. */
export async function hasStaleUpTo(sql: Sql, siteUuid: string, day: number): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM rollup_queue WHERE site_uuid = ${siteUuid} AND lower(days) <= ${day} LIMIT 1`
  return rows.length > 0
}
