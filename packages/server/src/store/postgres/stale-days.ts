import type { DayRange } from '../../aggregate/roll-up.ts'
import type { Sql } from './connect.ts'

/** Closed days of a series that want a rollup. */
export interface StaleDays extends DayRange {
  seriesId: number
}

/** Marks days to be rolled up from some instant on, and holds the marks of their series until the transaction ends. */
export async function markStale(
  sql: Sql,
  siteUuid: string,
  stale: readonly (StaleDays & { dueAt: number })[],
): Promise<void> {
  const bySeries = [...Map.groupBy(stale, ({ seriesId }) => seriesId)].toSorted(([a], [b]) => a - b)
  if (bySeries.length === 0) return
  const days = bySeries.map(([, ranges]) => `{${ranges.map(({ from, to }) => `[${from},${to}]`).join(',')}}`)
  const dueAt = bySeries.map(([, ranges]) => Math.max(...ranges.map((range) => range.dueAt)))
  await sql`
    INSERT INTO stale_days (site_uuid, series_id, days, due_at)
    SELECT ${siteUuid}::uuid, series_id, days::int4multirange, due_at
    FROM unnest(${bySeries.map(([seriesId]) => seriesId)}::bigint[], ${days}::text[],
      ${dueAt}::bigint[]) AS given (series_id, days, due_at)
    ORDER BY series_id
    ON CONFLICT (site_uuid, series_id) DO UPDATE SET days = stale_days.days + excluded.days,
      due_at = least(stale_days.due_at, excluded.due_at)`
}

/** Some of the series whose marks nobody else holds, with their first days; held until the transaction ends. */
export async function takeStale(
  sql: Sql,
  siteUuid: string,
  seriesIds: readonly number[],
  limit: number,
): Promise<StaleDays[]> {
  return sql<StaleDays[]>`
    SELECT series_id AS "seriesId", lower(days) AS "from",
      (SELECT upper(first) - 1 FROM unnest(days) AS ranges (first) ORDER BY first LIMIT 1) AS "to"
    FROM stale_days WHERE site_uuid = ${siteUuid} AND series_id = ANY(${seriesIds}::bigint[])
    ORDER BY due_at, series_id LIMIT ${limit}
    FOR UPDATE SKIP LOCKED`
}

/** These days are rolled up. */
export async function unmark(sql: Sql, siteUuid: string, done: readonly StaleDays[]): Promise<void> {
  await sql`
    UPDATE stale_days SET days = days - int4multirange(int4range(given.from_day, given.to_day, '[]'))
    FROM unnest(${done.map(({ seriesId }) => seriesId)}::bigint[],
      ${done.map(({ from }) => from)}::integer[],
      ${done.map(({ to }) => to)}::integer[]) AS given (series_id, from_day, to_day)
    WHERE site_uuid = ${siteUuid} AND stale_days.series_id = given.series_id`
  await sql`
    DELETE FROM stale_days
    WHERE site_uuid = ${siteUuid} AND series_id = ANY(${done.map(({ seriesId }) => seriesId)}::bigint[])
      AND isempty(days)`
}

/** The series of a site whose days are due. */
export async function dueSeries(sql: Sql, siteUuid: string, by: number): Promise<number[]> {
  const rows = await sql<{ seriesId: number }[]>`
    SELECT series_id AS "seriesId" FROM stale_days WHERE site_uuid = ${siteUuid} AND due_at <= ${by}
    ORDER BY due_at, series_id`
  return rows.map(({ seriesId }) => seriesId)
}

/** Over all sites: where there is something to roll up. */
export async function sitesWithStale(sql: Sql, by: number): Promise<string[]> {
  const rows = await sql<{ siteUuid: string }[]>`
    SELECT DISTINCT site_uuid AS "siteUuid" FROM stale_days /* every site */ WHERE due_at <= ${by}`
  return rows.map(({ siteUuid }) => siteUuid)
}

/** Over all sites: how many series wait. */
export async function countDue(sql: Sql, by: number): Promise<number> {
  const [row] = await sql<
    { due: number }[]
  >`SELECT count(*) AS due FROM stale_days /* every site */ WHERE due_at <= ${by}`
  return row?.due ?? 0
}

/** Whether a day up to this one still waits in the site. */
export async function hasStaleUpTo(sql: Sql, siteUuid: string, day: number): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM stale_days WHERE site_uuid = ${siteUuid} AND lower(days) <= ${day} LIMIT 1`
  return rows.length > 0
}
