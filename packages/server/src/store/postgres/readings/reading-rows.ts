import { numberAt } from '../../../kernel/at.ts'
import type { SeriesReadings } from '../../../domain/telemetry/reading/batch.ts'
import type { AddResult, OnConflict } from '../../../domain/telemetry/reading/store.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'

/**
 * Readings as columns in the order of the primary key, so that concurrent writes of the same readings cannot deadlock.
 */
interface ReadingColumns {
  series: number[]
  timestamps: number[]
  values: number[]
}

/** The instants of a series with a new or changed value, in order. */
export interface ChangedSeries {
  seriesId: number
  timestamps: number[]
  /** The value at the last instant. */
  lastValue: number
}

export interface StoredBatch {
  added: AddResult
  changes: ChangedSeries[]
}

function toColumns(batch: readonly SeriesReadings[]): ReadingColumns {
  const columns: ReadingColumns = { series: [], timestamps: [], values: [] }
  for (const { seriesId, timestamps, values } of batch.toSorted((a, b) => a.seriesId - b.seriesId)) {
    for (let index = 0; index < timestamps.length; index += 1) {
      columns.series.push(seriesId)
      columns.timestamps.push(numberAt(timestamps, index))
      columns.values.push(numberAt(values, index))
    }
  }
  return columns
}

/** The time from the first to the last reading of a batch. */
const getSpan = (batch: readonly SeriesReadings[]): TimeSpan => ({
  from: Math.min(...batch.map(({ timestamps }) => timestamps[0] ?? Number.POSITIVE_INFINITY)),
  to: Math.max(...batch.map(({ timestamps }) => numberAt(timestamps, timestamps.length - 1))),
})

/** Inserts readings that are probably new; fails if one of them exists. */
export async function insertReadings(
  sql: Sql,
  siteUuid: string,
  batch: readonly SeriesReadings[],
): Promise<StoredBatch> {
  const { series, timestamps, values } = toColumns(batch)
  await sql`
    INSERT INTO readings (site_uuid, series_id, ts, value)
    VALUES (${siteUuid}, unnest(${series}::bigint[]), unnest(${timestamps}::bigint[]), unnest(${values}::float8[]))`
  const changes = batch.map((one) => changed(one.seriesId, Array.from(one.timestamps), one))
  return { added: { accepted: series.length, replaced: 0, unchanged: 0 }, changes }
}

/** Inserts or updates readings, and counts the outcomes. */
export async function upsertReadings(
  sql: Sql,
  siteUuid: string,
  batch: readonly SeriesReadings[],
  onConflict: OnConflict,
): Promise<StoredBatch> {
  const { series, timestamps, values } = toColumns(batch)
  const inserted = await sql<Instant[]>`
    INSERT INTO readings (site_uuid, series_id, ts, value)
    VALUES (${siteUuid}, unnest(${series}::bigint[]), unnest(${timestamps}::bigint[]), unnest(${values}::float8[]))
    ON CONFLICT (site_uuid, series_id, ts) DO NOTHING
    RETURNING series_id, ts`
  // These bounds let the planner skip all other partitions.
  const { from, to } = getSpan(batch)
  const replaced =
    inserted.length === series.length || onConflict === 'keep'
      ? []
      : await sql<Instant[]>`
          UPDATE readings SET value = given.value
          FROM unnest(${series}::bigint[], ${timestamps}::bigint[], ${values}::float8[]) AS given (series_id, ts, value)
          WHERE site_uuid = ${siteUuid} AND readings.series_id = given.series_id AND readings.ts = given.ts
            AND readings.ts BETWEEN ${from} AND ${to} AND readings.value <> given.value
          RETURNING readings.series_id, readings.ts`
  const bySeries = new Map(batch.map((one) => [one.seriesId, one]))
  const instants = Map.groupBy([...inserted, ...replaced], ({ series_id }) => series_id)
  return {
    added: {
      accepted: inserted.length,
      replaced: replaced.length,
      unchanged: series.length - inserted.length - replaced.length,
    },
    changes: [...instants].flatMap(([seriesId, rows]) => {
      const own = bySeries.get(seriesId)
      const sorted = rows.map(({ ts }) => ts).toSorted((a, b) => a - b)
      return own ? [changed(seriesId, sorted, own)] : []
    }),
  }
}

interface Instant {
  series_id: number
  ts: number
}

function changed(seriesId: number, timestamps: number[], given: SeriesReadings): ChangedSeries {
  const last = timestamps.at(-1)
  let index = given.timestamps.length - 1
  while (index > 0 && given.timestamps[index] !== last) index -= 1
  return { seriesId, timestamps, lastValue: numberAt(given.values, index) }
}

/** Updates the latest reading and the versions of each series. */
export async function upsertLatest(
  sql: Sql,
  siteUuid: string,
  changes: readonly ChangedSeries[],
  now: number,
): Promise<void> {
  const sorted = changes.toSorted((a, b) => a.seriesId - b.seriesId)
  await sql`
    INSERT INTO latest_readings (site_uuid, version, series_id, ts, value, changed_from)
    VALUES (${siteUuid}, ${now}, unnest(${sorted.map(({ seriesId }) => seriesId)}::bigint[]),
      unnest(${sorted.map(({ timestamps }) => numberAt(timestamps, timestamps.length - 1))}::bigint[]),
      unnest(${sorted.map(({ lastValue }) => lastValue)}::float8[]),
      unnest(${sorted.map(({ timestamps }) => numberAt(timestamps, 0))}::bigint[]))
    ON CONFLICT (site_uuid, series_id) DO UPDATE SET
      ts = greatest(latest_readings.ts, excluded.ts),
      value = CASE WHEN excluded.ts >= latest_readings.ts THEN excluded.value ELSE latest_readings.value END,
      changed_from = excluded.changed_from,
      version = greatest(latest_readings.version + 1, excluded.version),
      late_version = CASE WHEN excluded.changed_from <= latest_readings.ts
        THEN greatest(latest_readings.late_version + 1, excluded.version) ELSE latest_readings.late_version END`
}
