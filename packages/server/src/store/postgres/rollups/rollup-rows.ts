import { removeDaysFromMonth } from '../../../domain/telemetry/rollup/month-row.ts'
import type { RollupRows } from '../../../domain/telemetry/rollup/roll-up.ts'
import type { RollupRow } from '../../../domain/telemetry/rollup/store.ts'
import type { AffectedDays } from '../../../domain/telemetry/rollup/invalidation.ts'
import { toMonth } from '../../../calendar/local-day.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { BYTEA_ARRAY } from '../pool/array-types.ts'
import { appendChecksum, type RollupTable, verifyCells } from './checksummed-cells.ts'
import type { Sql } from '../pool/connect.ts'
import { enqueue } from './rollup-queue.ts'

interface SeriesRow extends RollupRow {
  seriesId: number
}

export interface InvalidDays extends AffectedDays {
  seriesId: number
}

export const NUMBER_COLUMN = {
  rollup_days: 'day',
  rollup_months: 'month',
  rollup_quarter_hours: 'day',
} as const

/** Inserts or replaces rows. */
export async function putRows(
  sql: Sql,
  siteUuid: string,
  table: RollupTable,
  rows: readonly SeriesRow[],
): Promise<void> {
  if (rows.length === 0) return
  const column = sql(NUMBER_COLUMN[table])
  await sql`
    INSERT INTO ${sql(table)} (site_uuid, series_id, ${column}, cells)
    VALUES (${siteUuid}, unnest(${rows.map(({ seriesId }) => seriesId)}::bigint[]),
      unnest(${rows.map(({ number }) => number)}::integer[]),
      unnest(${sql.array(
        rows.map((row) => appendChecksum(table, row)),
        BYTEA_ARRAY,
      )}::bytea[]))
    ON CONFLICT (site_uuid, series_id, ${column}) DO UPDATE SET cells = excluded.cells`
}

/** Invalidates results that were computed from the rollups of these series. Their queue entries must be locked. */
export async function raiseRollupVersions(
  sql: Sql,
  siteUuid: string,
  seriesIds: readonly number[],
): Promise<void> {
  const sorted = [...new Set(seriesIds)].toSorted((a, b) => a - b)
  await sql`
    INSERT INTO rollup_versions (site_uuid, series_id, version)
    VALUES (${siteUuid}, unnest(${sorted}::bigint[]), ${systemClock.now()})
    ON CONFLICT (site_uuid, series_id) DO UPDATE SET version = greatest(rollup_versions.version + 1, excluded.version)`
}

export async function putRollups(
  sql: Sql,
  siteUuid: string,
  rolledUp: readonly (RollupRows & { seriesId: number })[],
): Promise<void> {
  const changed = rolledUp.filter(({ days, months }) => days.length > 0 || months.length > 0)
  if (changed.length === 0) return
  const toRows = (kind: 'days' | 'months'): SeriesRow[] =>
    rolledUp.flatMap(({ seriesId, [kind]: rows }) => rows.map((row) => ({ ...row, seriesId })))
  await putRows(sql, siteUuid, 'rollup_days', toRows('days'))
  await putRows(sql, siteUuid, 'rollup_months', toRows('months'))
  await raiseRollupVersions(
    sql,
    siteUuid,
    changed.map(({ seriesId }) => seriesId),
  )
}

/** Deletes invalid rollups, enqueues their days and invalidates what was computed from them. */
export async function deleteRollups(
  sql: Sql,
  siteUuid: string,
  invalid: readonly InvalidDays[],
  dueAt: number,
): Promise<void> {
  if (invalid.length === 0) return
  await reopenDays(sql, siteUuid, invalid, dueAt)
  await raiseRollupVersions(
    sql,
    siteUuid,
    invalid.map(({ seriesId }) => seriesId),
  )
}

/**
 * Deletes invalid rollups and enqueues their days. Enqueue first: the row locks wait for a rollup in progress, so the
 * rows it writes are deleted too.
 */
export async function reopenDays(
  sql: Sql,
  siteUuid: string,
  invalid: readonly InvalidDays[],
  dueAt: number,
): Promise<void> {
  if (invalid.length === 0) return
  await enqueue(
    sql,
    siteUuid,
    invalid.map((days) => ({ ...days, dueAt })),
  )
  const series = invalid.map(({ seriesId }) => seriesId)
  await sql`
    DELETE FROM rollup_days
    USING unnest(${series}::bigint[], ${invalid.map(({ invalidFrom }) => invalidFrom)}::integer[],
      ${invalid.map(({ to }) => to)}::integer[]) AS given (series_id, from_day, to_day)
    WHERE site_uuid = ${siteUuid} AND rollup_days.series_id = given.series_id AND day BETWEEN from_day AND to_day`
  const months = await sql<SeriesRow[]>`
    SELECT DISTINCT rollup_months.series_id AS "seriesId", month AS number, cells
    FROM rollup_months
    JOIN unnest(${series}::bigint[], ${invalid.map(({ invalidFrom }) => toMonth(invalidFrom).month)}::integer[],
      ${invalid.map(({ to }) => toMonth(to).month)}::integer[]) AS given (series_id, from_month, to_month)
      ON rollup_months.series_id = given.series_id AND month BETWEEN from_month AND to_month
    WHERE site_uuid = ${siteUuid}`
  await reopenMonths(sql, siteUuid, months, invalid)
}

async function reopenMonths(
  sql: Sql,
  siteUuid: string,
  months: readonly SeriesRow[],
  invalid: readonly InvalidDays[],
): Promise<void> {
  const bySeries = Map.groupBy(invalid, ({ seriesId }) => seriesId)
  const left: SeriesRow[] = []
  const gone: SeriesRow[] = []
  for (const month of months) {
    const own = verifyCells('rollup_months', month)
    // A damaged row stays: reads skip it or fail, and a rebuild has to enqueue all of its days.
    if (!own) continue
    let cells: Uint8Array | undefined = own
    for (const { invalidFrom, to } of bySeries.get(month.seriesId) ?? [])
      cells = cells && removeDaysFromMonth({ ...month, cells }, invalidFrom, to)
    if (cells) left.push({ ...month, cells })
    else gone.push(month)
  }
  await putRows(sql, siteUuid, 'rollup_months', left)
  if (gone.length === 0) return
  await sql`
    DELETE FROM rollup_months
    USING unnest(${gone.map(({ seriesId }) => seriesId)}::bigint[],
      ${gone.map(({ number }) => number)}::integer[]) AS given (series_id, month)
    WHERE site_uuid = ${siteUuid} AND rollup_months.series_id = given.series_id
      AND rollup_months.month = given.month`
}
