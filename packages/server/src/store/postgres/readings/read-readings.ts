import { createBatcher } from '../../../kernel/batcher.ts'
import { sliceAround } from '../../../domain/telemetry/reading/readings.ts'
import type { Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { LatestReading, ReadingReader, SeriesSpan } from '../../../domain/telemetry/reading/store.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'
import { NEAR_MS } from './neighbours.ts'
import { dropBefore, type EncodedReadings, unpackReadings } from './reading-codec.ts'

/** Runs a query on a pooled connection, or on that of a transaction. */
export type RunQuery = <T>(run: (sql: Sql) => Promise<T>) => Promise<T>

interface SpanQuery {
  siteUuid: string
  span: TimeSpan
}

type SeriesQuestion = SpanQuery & SeriesSpan

const toBatchKey = ({ siteUuid, span }: SpanQuery): string => `${siteUuid} ${span.from} ${span.to}`

const NONE: Readings = { timestamps: [], values: [] }

export function createReadingReader(ask: RunQuery): ReadingReader {
  const together = (read: typeof readWithin) =>
    createBatcher<SeriesQuestion, Readings>({
      key: toBatchKey,
      flush: async (questions) => {
        const [question] = questions
        if (!question) return []
        const ids = new Set(questions.map(({ seriesId }) => seriesId))
        const found = await ask((sql) => read(sql, question, [...ids]))
        return questions.map(({ seriesId }) => found.get(seriesId) ?? NONE)
      },
      when: 'tick',
    })
  const around = together((sql, { siteUuid, span }, ids) =>
    readAround(
      sql,
      siteUuid,
      ids.map((seriesId) => ({ seriesId, span })),
    ),
  )
  const within = together(readWithin)
  return {
    within: (siteUuid, seriesId, span) => within({ siteUuid, seriesId, span }),
    around: (siteUuid, seriesId, span) => around({ siteUuid, seriesId, span }),
    async aroundEach(siteUuid, queries) {
      if (queries.length === 0) return []
      const found = await ask((sql) => readAround(sql, siteUuid, queries))
      return queries.map(({ seriesId }) => found.get(seriesId) ?? NONE)
    },
  }
}

async function readWithin(
  sql: Sql,
  { siteUuid, span: { from, to } }: SpanQuery,
  ids: readonly number[],
): Promise<Map<number, Readings>> {
  const rows = await sql<
    { seriesId: number; retentionWatermark: number | null; inside: EncodedReadings | null }[]
  >`
    SELECT asked.series_id AS "seriesId", inside.readings AS inside,
      (SELECT retention_watermark FROM site_state WHERE site_uuid = ${siteUuid}) AS "retentionWatermark"
    FROM unnest(${ids}::bigint[]) AS asked (series_id)
    CROSS JOIN LATERAL (
      SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea) AS readings FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= ${from} AND ts < ${to}
        ORDER BY ts
      ) AS sorted
    ) AS inside`
  const [first] = rows
  const retained = first?.retentionWatermark ?? 0
  const edges =
    from < retained
      ? await edgesWithin(sql, { siteUuid, span: { from, to } }, ids)
      : new Map<number, EncodedReadings>()
  return new Map(
    rows.map(({ seriesId, inside }) => [
      seriesId,
      unpackReadings([edges.get(seriesId) ?? null, dropBefore(retained, inside)]),
    ]),
  )
}

/** Boundary readings in the span, which are returned like other readings. */
async function edgesWithin(
  sql: Sql,
  { siteUuid, span: { from, to } }: SpanQuery,
  ids: readonly number[],
): Promise<Map<number, EncodedReadings>> {
  const rows = await sql<{ seriesId: number; edge: EncodedReadings }[]>`
    SELECT series_id AS "seriesId",
      string_agg(float8send(ts::float8) || float8send(value), ''::bytea ORDER BY ts) AS edge
    FROM boundary_readings
    WHERE site_uuid = ${siteUuid} AND series_id = ANY(${ids}::bigint[]) AND ts >= ${from} AND ts < ${to}
    GROUP BY series_id`
  return new Map(rows.map(({ seriesId, edge }) => [seriesId, edge]))
}

interface AroundRow {
  seriesId: number
  retentionWatermark: number | null
  before: EncodedReadings | null
  inside: EncodedReadings | null
  after: EncodedReadings | null
  latest: EncodedReadings | null
  latestAt: number | null
}

/**
 * The last reading up to the start of each span, the readings inside, and the first from its end on. The bounds of all
 * spans together are constants of the statement, so that the planner can exclude partitions.
 */
async function readAround(
  sql: Sql,
  siteUuid: string,
  queries: readonly SeriesSpan[],
): Promise<Map<number, Readings>> {
  const spans = new Map(queries.map(({ seriesId, span }) => [seriesId, span]))
  const [ids, all] = [[...spans.keys()], [...spans.values()]]
  const [froms, tos] = [all.map(({ from }) => from), all.map(({ to }) => to)]
  const bounds = { from: Math.min(...froms), to: Math.max(...tos) }
  const rows = await sql<AroundRow[]>`
    SELECT asked.series_id AS "seriesId", before.reading AS before, inside.readings AS inside, after.reading AS after,
      float8send(latest.ts::float8) || float8send(latest.value) AS latest, latest.ts AS "latestAt",
      (SELECT retention_watermark FROM site_state WHERE site_uuid = ${siteUuid}) AS "retentionWatermark"
    FROM unnest(${ids}::bigint[], ${froms}::bigint[], ${tos}::bigint[]) AS asked (series_id, first, last)
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
        AND ts BETWEEN ${bounds.from - NEAR_MS} AND ${bounds.to}
        AND ts BETWEEN asked.first - ${NEAR_MS}::bigint AND asked.first
      ORDER BY ts DESC LIMIT 1
    ) AS before ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea) AS readings FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
          AND ts > ${bounds.from} AND ts < ${bounds.to} AND ts > asked.first AND ts < asked.last
        ORDER BY ts
      ) AS sorted
    ) AS inside
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
        AND ts BETWEEN ${bounds.from} AND ${bounds.to + NEAR_MS}
        AND ts BETWEEN asked.last AND asked.last + ${NEAR_MS}::bigint
      ORDER BY ts LIMIT 1
    ) AS after ON true
    LEFT JOIN latest_readings AS latest
      ON latest.site_uuid = ${siteUuid} AND latest.series_id = asked.series_id`
  const parts = rows.map(({ seriesId, retentionWatermark, latest, latestAt, ...row }) => {
    const span = spans.get(seriesId) ?? bounds
    const retained = retentionWatermark ?? 0
    const [before, inside, after] = [
      dropBefore(retained, row.before),
      dropBefore(retained, row.inside),
      dropBefore(retained, row.after),
    ]
    const newest = latestAt ?? Number.NEGATIVE_INFINITY
    // No reading in or after the span: the latest reading is the one before it.
    if (newest <= span.from) return { seriesId, before: latest, inside, after, mayHaveMore: false }
    const mayHaveMore = before === null || (after === null && newest >= span.to)
    return { seriesId, before, inside, after, mayHaveMore }
  })
  const far = await readFar(
    sql,
    siteUuid,
    parts.flatMap(({ seriesId, mayHaveMore }) =>
      mayHaveMore ? [{ seriesId, span: spans.get(seriesId) ?? bounds }] : [],
    ),
  )
  return new Map(
    parts.map(({ seriesId, before, inside, after }) => {
      const further = far.get(seriesId)
      const all = [
        further?.edge ?? null,
        before ?? further?.before ?? null,
        inside,
        after ?? further?.after ?? null,
      ]
      return [seriesId, sliceAround(unpackReadings(all), spans.get(seriesId) ?? bounds)]
    }),
  )
}

interface FarRow extends Pick<AroundRow, 'before' | 'after'> {
  edge: EncodedReadings | null
}

/** Finds neighbours at any distance, and boundary readings. */
async function readFar(
  sql: Sql,
  siteUuid: string,
  queries: readonly SeriesSpan[],
): Promise<Map<number, FarRow>> {
  if (queries.length === 0) return new Map()
  const ids = queries.map(({ seriesId }) => seriesId)
  const [froms, tos] = [queries.map(({ span }) => span.from), queries.map(({ span }) => span.to)]
  const rows = await sql<(FarRow & Pick<AroundRow, 'seriesId' | 'retentionWatermark'>)[]>`
    SELECT asked.series_id AS "seriesId", before.reading AS before, after.reading AS after,
      (SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea ORDER BY ts) FROM boundary_readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id) AS edge,
      (SELECT retention_watermark FROM site_state WHERE site_uuid = ${siteUuid}) AS "retentionWatermark"
    FROM unnest(${ids}::bigint[], ${froms}::bigint[], ${tos}::bigint[]) AS asked (series_id, first, last)
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts <= asked.first
      ORDER BY ts DESC LIMIT 1
    ) AS before ON true
    LEFT JOIN LATERAL (
      SELECT float8send(ts::float8) || float8send(value) AS reading FROM readings
      WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id AND ts >= asked.last
      ORDER BY ts LIMIT 1
    ) AS after ON true`
  return new Map(
    rows.map(({ seriesId, retentionWatermark, before, after, edge }) => {
      const retained = retentionWatermark ?? 0
      return [seriesId, { before: dropBefore(retained, before), after: dropBefore(retained, after), edge }]
    }),
  )
}

/** The newest reading of each given series of a site; by default of all. */
export async function latestReadings(
  sql: Sql,
  siteUuid: string,
  seriesIds?: readonly number[],
): Promise<Map<number, LatestReading>> {
  const rows = await sql<{ series_id: number; ts: number; value: number }[]>`
    SELECT series_id, ts, value FROM latest_readings
    WHERE site_uuid = ${siteUuid}
    ${seriesIds ? sql`AND series_id = ANY(${seriesIds}::bigint[])` : sql``}`
  return new Map(rows.map(({ series_id, ts, value }) => [series_id, { at: ts, value }]))
}

/** The newest readings of each given series of a site. */
export async function recentReadings(
  sql: Sql,
  siteUuid: string,
  seriesIds: readonly number[],
  count: number,
): Promise<Map<number, Readings>> {
  const rows = await sql<
    { seriesId: number; retentionWatermark: number | null; readings: EncodedReadings | null }[]
  >`
    SELECT asked.series_id AS "seriesId", newest.readings,
      (SELECT retention_watermark FROM site_state WHERE site_uuid = ${siteUuid}) AS "retentionWatermark"
    FROM unnest(${seriesIds}::bigint[]) AS asked (series_id)
    CROSS JOIN LATERAL (
      SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea ORDER BY ts) AS readings FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = asked.series_id
        ORDER BY ts DESC LIMIT ${count}
      ) AS last
    ) AS newest`
  const recent = new Map<number, Readings>()
  for (const { seriesId, retentionWatermark, readings } of rows) {
    const retained = dropBefore(retentionWatermark ?? 0, readings)
    if (retained) recent.set(seriesId, unpackReadings([retained]))
  }
  return recent
}
