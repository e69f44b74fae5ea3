import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { mergeRollupRequests } from '../../domain/telemetry/rollup/rollup-requests.ts'
import { type ChecksummedRow, rowChecksum } from '../../kernel/row-checksum.ts'
import { repackDay } from '../../domain/telemetry/reading/packed-day.ts'
import type { ColumnType, RowKey, TransferRow, TransferTable, Value } from '../transfer.ts'
import { prepareOnce } from './connect.ts'
import { failDamaged } from './damage.ts'
import { blob, integer, type Row } from './row.ts'
import { getSeriesIndex } from './rollups/series-index.ts'

type Read = (
  db: DatabaseSync,
  table: TransferTable,
  scope: RowKey,
  after: RowKey | undefined,
  limit: number,
) => TransferRow[]

/** Reads rows of a transfer table in the order of their keys. */
export const readRows: Read = (db, table, scope, after, limit) =>
  (OTHERWISE[table.name] ?? (table.of === 'series' ? readSeries : readPlain))(db, table, scope, after, limit)

/** Transfer tables whose rows are stored in another form. */
const OTHERWISE: Record<string, Read> = {
  readings: (db, table, scope, after, limit) =>
    readSeries(db, table, scope, after, limit).map((row) => repacked(table, row)),
  site_state: (db, _table, [siteUuid = ''], after) => {
    const site = prepareOnce(
      db,
      'SELECT rollup_watermark, closed_before FROM site_state WHERE site_uuid = ?',
    ).get(siteUuid)
    const journal = prepareOnce(db, 'SELECT retention_watermark FROM journal_state').get()
    const marks = [
      site ? integer(site, 'rollup_watermark') : 0,
      journal ? integer(journal, 'retention_watermark') : 0,
      site ? integer(site, 'closed_before') : 0,
    ]
    return after || marks.every((mark) => mark === 0) ? [] : [[siteUuid, ...marks]]
  },
  latest_readings: (db, table, scope, after, limit) =>
    select(db, table, {
      from: 'latest_readings JOIN series USING (series_id)',
      columns: table.columns.map(([name]) => name),
      scope,
      after,
      limit,
    }),
  rollup_queue: (db, _table, [siteUuid = ''], after, limit) => {
    const [series = Number.NEGATIVE_INFINITY, from = Number.NEGATIVE_INFINITY] = after ?? []
    return queuedDays(db, String(siteUuid))
      .filter(
        (mark) => mark.seriesId > Number(series) || (mark.seriesId === series && mark.from > Number(from)),
      )
      .slice(0, limit)
      .map((mark) => [siteUuid, mark.seriesId, mark.from, mark.to + 1])
  },
}

function queuedDays(db: DatabaseSync, siteUuid: string) {
  const index = getSeriesIndex(db, siteUuid)
  const state = prepareOnce(db, 'SELECT rollup_watermark FROM site_state WHERE site_uuid = ?').get(siteUuid)
  if (!index || !state) return []
  const marks = prepareOnce(
    db,
    'SELECT series_id, from_day, end_day FROM rollup_queue JOIN series USING (series_id) WHERE site_uuid = ?',
  )
    .all(siteUuid)
    .map((row) => ({
      seriesId: integer(row, 'series_id'),
      from: integer(row, 'from_day'),
      to: integer(row, 'end_day') - 1,
    }))
  return mergeRollupRequests(index, integer(state, 'rollup_watermark'), marks)
}

const readPlain: Read = (db, table, scope, after, limit) =>
  select(db, table, {
    from: table.name,
    columns: table.columns.map(([name]) => name),
    scope,
    after,
    limit,
  })

/** Tables by series have no `site_uuid` in SQLite. */
const readSeries: Read = (db, table, [siteUuid = '', ...series], after, limit) => {
  const withoutSite = { ...table, columns: table.columns.slice(1), key: table.key - 1 }
  return select(db, withoutSite, {
    from: toStoredTable(table.name),
    columns: withoutSite.columns.map(([name]) => name),
    scope: series,
    after,
    limit,
    checksummed: toStoredTable(table.name) as ChecksummedRow,
  }).map((row) => [siteUuid, ...row])
}

/** Packs the day again, so that equal readings have equal bytes however they were packed. */
function repacked(table: TransferTable, row: TransferRow): TransferRow {
  const day = Number(row[table.columns.findIndex(([name]) => name === 'day')])
  return row.map((value) => (value instanceof Uint8Array ? repackDay(day, value) : value))
}

/** The name of a transfer table in SQLite. */
export const toStoredTable = (name: string): string => (name === 'readings' ? 'reading_days' : name)

interface Selection {
  from: string
  columns: readonly string[]
  scope: RowKey
  after: RowKey | undefined
  limit: number
  /** Set for tables whose rows are a series, a number and bytes, with a checksum to verify. */
  checksummed?: ChecksummedRow
}

function select(
  db: DatabaseSync,
  table: TransferTable,
  { from, columns, scope, after, limit, checksummed }: Selection,
): TransferRow[] {
  const key = columns.slice(scope.length, table.key)
  // A scope of one row.
  if (after && key.length === 0) return []
  const conditions = [
    ...columns.slice(0, scope.length).map((name) => `${name} = ?`),
    ...(after ? [`(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`] : []),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = columns.slice(0, table.key).join(', ')
  const selected = [...columns, ...(checksummed ? ['checksum'] : [])].join(', ')
  const rows = prepareOnce(db, `SELECT ${selected} FROM ${from} ${where} ORDER BY ${order} LIMIT ?`).all(
    ...scope,
    ...(after ?? []),
    limit,
  )
  if (checksummed) for (const row of rows) requireIntact(db, checksummed, columns, row)
  return rows.map((row) => table.columns.map(([name, type]) => fromStored(type, row[name])))
}

/** Damaged rows are not copied: the copy would give them a valid checksum. */
function requireIntact(db: DatabaseSync, table: ChecksummedRow, columns: readonly string[], row: Row): void {
  const [, number = '', bytes = ''] = columns
  const key = { seriesId: integer(row, 'series_id'), number: integer(row, number) }
  if (rowChecksum(table, key.seriesId, key.number, blob(row, bytes)) !== row['checksum'])
    failDamaged(db, { table, ...key, reason: 'the checksum is wrong' })
}

function fromStored(type: ColumnType, value: SQLOutputValue | undefined): Value {
  if (value === undefined || typeof value === 'bigint') throw new Error('A column is not as it should be.')
  return type === 'flag' && value !== null ? value !== 0 : value
}
