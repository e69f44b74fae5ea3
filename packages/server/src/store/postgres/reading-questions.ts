import { askTogether } from '../../lib/together.ts'
import type { Readings } from '../../reading/packed-day.ts'
import type { LatestReading, ReadingQuestions } from '../../reading/store.ts'
import type { Span } from '../../reading/window-value.ts'
import type { Sql } from './connect.ts'
import { numberList } from './literal.ts'
import { NEAR_MS } from './neighbours.ts'

/** How a question gets a connection: one of its own, or that of a transaction. */
export type Ask = <T>(run: (sql: Sql) => Promise<T>) => Promise<T>

interface SpanQuestion {
  siteUuid: string
  span: Span
}

const keyOf = ({ siteUuid, span }: SpanQuestion): string => `${siteUuid} ${span.from} ${span.to}`

/** Readings of a series in order of time, as pairs of doubles one after the other. */
type Bytes = Uint8Array

export function readingQuestions(ask: Ask): ReadingQuestions {
  const within = askTogether(keyOf, (question: SpanQuestion, ids) =>
    ask((sql) => readWithin(sql, question, ids)),
  )
  const around = askTogether(keyOf, (question: SpanQuestion, ids) =>
    ask((sql) => readAround(sql, question, ids)),
  )
  return {
    within: async (siteUuid, seriesId, span) => decode([await within({ siteUuid, span }, seriesId)]),
    around: async (siteUuid, seriesId, span) => decode((await around({ siteUuid, span }, seriesId)) ?? []),
  }
}

async function readWithin(
  sql: Sql,
  { siteUuid, span: { from, to } }: SpanQuestion,
  ids: readonly number[],
): Promise<Map<number, Bytes>> {
  const rows = await sql<{ seriesId: number; inside: Bytes | null }[]>`
    SELECT asked.series_id AS "seriesId", inside.readings AS inside
    FROM unnest(${numberList(ids)}::bigint[]) AS asked (series_id)
    CROSS JOIN LATERAL (
      SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea) AS readings FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= ${from} AND ts < ${to}
          AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
        ORDER BY ts
      ) AS sorted
    ) AS inside`
  return new Map(rows.flatMap(({ seriesId, inside }) => (inside ? [[seriesId, inside]] : [])))
}

interface AroundRow {
  seriesId: number
  before: Bytes | null
  inside: Bytes | null
  after: Bytes | null
  latestTs: number | null
  latest: Bytes | null
}

/** The last reading up to the span's beginning, those inside, and the first from its end on. */
async function readAround(
  sql: Sql,
  question: SpanQuestion,
  ids: readonly number[],
): Promise<Map<number, Bytes[]>> {
  const { siteUuid, span } = question
  const rows = await sql<AroundRow[]>`
    SELECT asked.series_id AS "seriesId", before.reading AS before, inside.readings AS inside, after.reading AS after,
      latest.ts AS "latestTs", float8send(latest.ts::float8) || float8send(latest.value) AS latest
    FROM unnest(${numberList(ids)}::bigint[]) AS asked (series_id)
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
        AND ts BETWEEN ${span.from - NEAR_MS} AND ${span.from}
        AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
      ORDER BY ts DESC LIMIT 1
    ) AS before ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea) AS readings FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts > ${span.from} AND ts < ${span.to}
          AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
        ORDER BY ts
      ) AS sorted
    ) AS inside
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
        AND ts BETWEEN ${span.to} AND ${span.to + NEAR_MS}
        AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
      ORDER BY ts LIMIT 1
    ) AS after ON true
    LEFT JOIN latest_readings AS latest
      ON latest.site_uuid = ${siteUuid} AND latest.series_id = asked.series_id`
  const found = new Map<number, Bytes[]>()
  const lonely: AroundRow[] = []
  for (const row of rows) {
    const { seriesId, before, inside, after, latest, latestTs } = row
    if (latest === null || latestTs === null) continue
    if (before === null && latestTs <= span.from) found.set(seriesId, [latest])
    else if (before === null || (after === null && latestTs >= span.to)) lonely.push(row)
    else
      found.set(
        seriesId,
        [before, inside, after].filter((bytes) => bytes !== null),
      )
  }
  const far = await readFar(sql, question, lonely)
  for (const { seriesId, before, inside, after } of lonely) {
    const own = far.get(seriesId)
    const parts = [before ?? own?.before ?? null, inside, after ?? own?.after ?? null]
    found.set(
      seriesId,
      parts.filter((bytes) => bytes !== null),
    )
  }
  return found
}

type FarRow = Pick<AroundRow, 'seriesId' | 'before' | 'after'>

/** Neighbours that are further away than is usual; the one before may be the last of those that are no longer kept. */
async function readFar(
  sql: Sql,
  { siteUuid, span }: SpanQuestion,
  lonely: readonly AroundRow[],
): Promise<Map<number, FarRow>> {
  if (lonely.length === 0) return new Map()
  const rows = await sql<FarRow[]>`
    SELECT asked.series_id AS "seriesId", coalesce(before.reading, edge.reading) AS before, after.reading AS after
    FROM unnest(${numberList(lonely.map(({ seriesId }) => seriesId))}::bigint[]) AS asked (series_id)
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts <= ${span.from}
        AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
      ORDER BY ts DESC LIMIT 1
    ) AS before ON true
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM edge_readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts <= ${span.from}
    ) AS edge ON true
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= ${span.to}
        AND ts >= coalesce((SELECT dropped_before FROM site_state WHERE site_uuid = ${siteUuid}), 0)
      ORDER BY ts LIMIT 1
    ) AS after ON true`
  return new Map(rows.map((row) => [row.seriesId, row]))
}

function decode(parts: readonly (Bytes | undefined)[]): Readings {
  const readings: Readings = { timestamps: [], values: [] }
  for (const bytes of parts) {
    if (!bytes) continue
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.byteLength; at += 16) {
      readings.timestamps.push(view.getFloat64(at))
      readings.values.push(view.getFloat64(at + 8))
    }
  }
  return readings
}

/** The newest reading of each series of a site, or of those named. */
export async function latestReadings(
  sql: Sql,
  siteUuid: string,
  seriesIds?: readonly number[],
): Promise<Map<number, LatestReading>> {
  const rows = await sql<{ series_id: number; ts: number; value: number }[]>`
    SELECT series_id, ts, value FROM latest_readings
    WHERE site_uuid = ${siteUuid}
    ${seriesIds ? sql`AND series_id = ANY(${numberList(seriesIds)}::bigint[])` : sql``}`
  return new Map(rows.map(({ series_id, ts, value }) => [series_id, { at: ts, value }]))
}
