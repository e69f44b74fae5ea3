import { numberAt } from '../../kernel/at.ts'
import { mergeRollupRequests } from '../../domain/telemetry/rollup/rollup-requests.ts'
import { DAY_MS, utcDayNumber, packDay, type Readings } from '../../domain/telemetry/reading/packed-day.ts'
import type { ColumnType, RowKey, TransferRow, TransferTable } from '../transfer.ts'
import { describeDamage, DamagedData } from '../damage.ts'
import { verifyCells, type RollupTable } from './rollups/checksummed-cells.ts'
import type { Sql } from './pool/connect.ts'
import { type EncodedReadings, unpackReadings } from './readings/reading-codec.ts'
import type { LoadSeriesIndex } from './rollups/series-index.ts'
import { siteState } from './rollups/site-state.ts'

export const SQL_TYPES: Record<ColumnType, string> = {
  uuid: 'uuid',
  text: 'text',
  whole: 'bigint',
  number: 'double precision',
  flag: 'boolean',
  bytes: 'bytea',
}

interface Page {
  scope: RowKey
  after: RowKey | undefined
  limit: number
}

type Read = (sql: Sql, table: TransferTable, page: Page, indexes: LoadSeriesIndex) => Promise<TransferRow[]>

/** Reads rows of a transfer table in the order of their keys. */
export const readRows: Read = (sql, table, page, indexes) =>
  (OTHERWISE[table.name] ?? readPlain)(sql, table, page, indexes)

/** Adds the ids of version 1, which are in `identifiers`. */
const numbered = (kind: string, uuid: string): Read => {
  const from = `${kind}s JOIN identifiers ON kind = '${kind}' AND uuid = ${uuid}`
  return (sql, table, page) => select(sql, table, { ...page, from, prefix: `${kind}s.` })
}

/** Transfer tables whose rows are stored in another form. */
const OTHERWISE: Record<string, Read> = {
  sites: numbered('site', 'sites.site_uuid'),
  buildings: numbered('building', 'building_uuid'),
  spaces: numbered('space', 'space_uuid'),
  readings: async (sql, _table, { scope: [siteUuid = '', seriesId = 0], after, limit }) => {
    const days = await packedDays(sql, String(siteUuid), Number(seriesId), after?.[0], limit)
    return days.map(([day, readings]) => [siteUuid, seriesId, day, readings])
  },
  rollup_days: readRollups,
  rollup_months: readRollups,
  rollup_quarter_hours: readRollups,
  // The maximum over all sites: SQLite has one retention watermark for all of them.
  site_state: async (sql, _table, { scope: [siteUuid = ''], after }) => {
    const state = await siteState(sql, String(siteUuid))
    const [row] = await sql<{ final: number | null }[]>`
      SELECT max(immutable_before) AS final FROM site_state /* every site */`
    const marks = [state?.rollupWatermark ?? 0, row?.final ?? 0, state?.closedBefore ?? 0]
    return after || marks.every((mark) => mark === 0) ? [] : [[siteUuid, ...marks]]
  },
  rollup_queue: async (sql, _table, { scope: [siteUuid = ''], after, limit }, indexes) => {
    const [series = Number.NEGATIVE_INFINITY, from = Number.NEGATIVE_INFINITY] = after ?? []
    return (await queuedDays(sql, String(siteUuid), indexes))
      .filter(
        (mark) => mark.seriesId > Number(series) || (mark.seriesId === series && mark.from > Number(from)),
      )
      .slice(0, limit)
      .map((mark) => [siteUuid, mark.seriesId, mark.from, mark.to + 1])
  },
}

async function queuedDays(sql: Sql, siteUuid: string, indexes: LoadSeriesIndex) {
  const index = await indexes(sql, siteUuid)
  const state = await siteState(sql, siteUuid)
  if (!index || !state) return []
  const marks = await sql<{ seriesId: number; from: number; to: number }[]>`
    SELECT series_id AS "seriesId", lower(range) AS "from", upper(range) - 1 AS "to"
    FROM (SELECT series_id, unnest(days) AS range FROM rollup_queue WHERE site_uuid = ${siteUuid}) AS marked`
  return mergeRollupRequests(index, state.rollupWatermark, marks)
}

/**
 * Rollups without their checksums, which are specific to this store. Damaged rows are not copied: the copy would give
 * them a valid one.
 */
async function readRollups(...args: Parameters<Read>): Promise<TransferRow[]> {
  const table = args[1].name as RollupTable
  const rows = await readPlain(...args)
  return rows.map(([siteUuid = '', series, place, bytes]) => {
    const [seriesId, number] = [Number(series), Number(place)]
    const cells = verifyCells(table, { seriesId, number, cells: bytes as Uint8Array })
    if (!cells)
      throw new DamagedData(describeDamage({ table, seriesId, number, reason: 'the checksum is wrong' }))
    return [siteUuid, seriesId, number, cells]
  })
}

const readPlain: Read = (sql, table, page) => select(sql, table, { ...page, from: table.name, prefix: '' })

async function select(
  sql: Sql,
  table: TransferTable,
  { scope, after, limit, from, prefix }: Page & { from: string; prefix: string },
): Promise<TransferRow[]> {
  // A scope of one row.
  if (after && table.key === scope.length) return []
  // Only `site_uuid` is ambiguous in the joins.
  const names = table.columns.map(([name]) => (name === 'site_uuid' ? `${prefix}${name}` : name))
  // All stores sort texts by their bytes.
  const sorted = table.columns.map(([, type], at) => `${names[at]}${type === 'text' ? ' COLLATE "C"' : ''}`)
  const given = table.columns.slice(0, table.key).map(([, type], at) => `$${at + 1}::${SQL_TYPES[type]}`)
  const conditions = [
    ...scope.map((_, at) => `${names[at]} = ${given[at]}`),
    ...(after
      ? [`(${sorted.slice(scope.length, table.key).join(', ')}) > (${given.slice(scope.length).join(', ')})`]
      : []),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = sorted.slice(0, table.key).join(', ')
  const text = `SELECT ${names.join(', ')} FROM ${from} ${where} ORDER BY ${order} LIMIT ${limit}`
  return sql.unsafe(text, [...scope, ...(after ?? [])], { prepare: true }).values() as Promise<TransferRow[]>
}

const READINGS_AT_ONCE = 20_000

/** Complete packed days: `limit` of them, or fewer at the end of the series. */
async function packedDays(
  sql: Sql,
  siteUuid: string,
  seriesId: number,
  after: string | number | undefined,
  limit: number,
): Promise<[day: number, readings: Uint8Array][]> {
  const days = new Map<number, Readings>()
  let from = after === undefined ? Number.MIN_SAFE_INTEGER : (Number(after) + 1) * DAY_MS
  for (;;) {
    const { timestamps, values } = await readingsFrom(sql, siteUuid, seriesId, from)
    for (const [at, timestamp] of timestamps.entries()) {
      const day = utcDayNumber(timestamp)
      let own = days.get(day)
      if (!own) days.set(day, (own = { timestamps: [], values: [] }))
      own.timestamps.push(timestamp)
      own.values.push(numberAt(values, at))
    }
    const last = timestamps.at(-1)
    // One day more than requested: the last one may be incomplete.
    if (last === undefined || timestamps.length < READINGS_AT_ONCE || days.size > limit) break
    from = last + 1
  }
  return [...days].slice(0, limit).map(([day, readings]) => [day, packDay(day, readings)])
}

/** Readings from an instant on, including boundary readings. */
async function readingsFrom(sql: Sql, siteUuid: string, seriesId: number, from: number): Promise<Readings> {
  const retainedFrom = (await siteState(sql, siteUuid))?.retentionWatermark ?? 0
  const start = retainedFrom === 0 ? from : Math.max(from, retainedFrom)
  const [row] = await sql<{ edge: EncodedReadings | null; kept: EncodedReadings | null }[]>`
    SELECT
      (SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea ORDER BY ts) FROM boundary_readings
       WHERE site_uuid = ${siteUuid} AND series_id = ${seriesId}
         AND ts >= ${from} AND ts < ${retainedFrom}) AS edge,
      (SELECT string_agg(float8send(ts::float8) || float8send(value), ''::bytea) FROM (
        SELECT ts, value FROM readings
        WHERE site_uuid = ${siteUuid} AND series_id = ${seriesId} AND ts >= ${start}
        ORDER BY ts LIMIT ${READINGS_AT_ONCE}
      ) AS sorted) AS kept`
  return unpackReadings([row?.edge ?? null, row?.kept ?? null])
}
