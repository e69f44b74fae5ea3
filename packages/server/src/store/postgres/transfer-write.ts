import { unpackDay } from '../../domain/telemetry/reading/packed-day.ts'
import type { TransferRow, TransferTable } from '../transfer.ts'
import { BOOLEAN_ARRAY, BYTEA_ARRAY } from './pool/array-types.ts'
import { appendChecksum } from './rollups/checksummed-cells.ts'
import type { Sql } from './pool/connect.ts'
import type { RollupTable } from './rollups/checksummed-cells.ts'
import { enqueue } from './rollups/rollup-queue.ts'
import { SQL_TYPES } from './transfer-read.ts'

type Write = (sql: Sql, table: TransferTable, rows: readonly TransferRow[]) => Promise<unknown>

/** Writes rows of one site, or of the installation, into a store that has none of them. */
export const writeRows: Write = (sql, table, rows) => (OTHERWISE[table.name] ?? insert)(sql, table, rows)

/** `identifiers`, which makes UUIDs unique over all sites, also has the ids of version 1. */
const identified =
  (kind: string): Write =>
  async (sql, table, rows) => {
    const { columns } = table
    const at = (name: string): number => columns.findIndex(([column]) => column === name)
    const [site, uuid, legacyId] = [at('site_uuid'), at(`${kind}_uuid`), at('legacy_id')]
    await sql`
      INSERT INTO identifiers (kind, uuid, site_uuid, legacy_id)
      VALUES (${kind}, unnest(${rows.map((row) => row[uuid] as string)}::uuid[]),
        unnest(${rows.map((row) => row[site] as string)}::uuid[]),
        unnest(${rows.map((row) => (row[legacyId] ?? null) as number | null)}::integer[]))`
    const own = { ...table, columns: columns.filter(([name]) => name !== 'legacy_id') }
    await insert(
      sql,
      own,
      rows.map((row) => row.filter((_, column) => column !== legacyId)),
    )
  }

/** A change of a device's commands locks its row in `commanded_devices`. */
const withDevices: Write = async (sql, table, rows) => {
  await insert(sql, table, rows)
  const [[siteUuid] = []] = rows
  await sql`
    INSERT INTO commanded_devices (site_uuid, device_uuid)
    VALUES (${siteUuid as string}, unnest(${[...new Set(rows.map((row) => row[1] as string))]}::uuid[]))
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
}

const withChecksums: Write = (sql, table, rows) =>
  insert(
    sql,
    table,
    rows.map(([siteUuid = '', series, place, cells]) => {
      const [seriesId, number] = [Number(series), Number(place)]
      const row = { seriesId, number, cells: cells as Uint8Array }
      return [siteUuid, seriesId, number, appendChecksum(table.name as RollupTable, row)]
    }),
  )

/** Transfer tables whose rows are stored in another form. */
const OTHERWISE: Record<string, Write> = {
  // Every store has this row from its first migration on.
  installation: async (sql, table, rows) => {
    await sql`DELETE FROM installation`
    await insert(sql, table, rows)
  },
  sites: identified('site'),
  buildings: identified('building'),
  spaces: identified('space'),
  devices: identified('device'),
  commands: withDevices,
  server_schedules: withDevices,
  readings: async (sql, _table, rows) => {
    const [[siteUuid] = []] = rows
    const days = rows.map(([, seriesId, day, bytes]) => ({
      seriesId: seriesId as number,
      ...unpackDay(day as number, bytes as Uint8Array),
    }))
    await sql`
      INSERT INTO readings (site_uuid, series_id, ts, value)
      VALUES (${siteUuid as string},
        unnest(${days.flatMap(({ seriesId, timestamps }) => timestamps.map(() => seriesId))}::bigint[]),
        unnest(${days.flatMap(({ timestamps }) => timestamps)}::bigint[]),
        unnest(${days.flatMap(({ values }) => values)}::float8[]))`
  },
  rollup_days: withChecksums,
  rollup_months: withChecksums,
  rollup_quarter_hours: withChecksums,
  site_state: async (sql, _table, rows) => {
    for (const [siteUuid, rollupWatermark, immutableBefore, closedBefore] of rows)
      await sql`
        INSERT INTO site_state (site_uuid, rollup_watermark, immutable_before, closed_before)
        VALUES (${siteUuid as string}, ${rollupWatermark as number}, ${immutableBefore as number},
          ${closedBefore as number})`
  },
  rollup_queue: (sql, _table, rows) =>
    enqueue(
      sql,
      String(rows[0]?.[0]),
      rows.map(([, seriesId, from, end]) => ({
        seriesId: Number(seriesId),
        from: Number(from),
        to: Number(end) - 1,
        dueAt: 0,
      })),
    ),
}

/** All rows belong to one site, which is a single parameter: Citus routes the statement by it. */
async function insert(sql: Sql, table: TransferTable, rows: readonly TransferRow[]): Promise<void> {
  const names = table.columns.map(([name]) => name)
  const shared = table.of === 'installation' ? 0 : 1
  const lists = table.columns.slice(shared).map(([, type], at) => {
    const values = rows.map((row) => row[at + shared] ?? null)
    if (type === 'bytes') return sql.array(values as Uint8Array[], BYTEA_ARRAY)
    return type === 'flag' ? sql.array(values as boolean[], BOOLEAN_ARRAY) : (values as (string | null)[])
  })
  const types = table.columns.map(([, type], at) => `$${at + 1}::${SQL_TYPES[type]}`)
  const given = types.slice(shared).map((type) => `${type}[]`)
  const chosen = [...types.slice(0, shared), ...names.slice(shared)]
  await sql.unsafe(
    `INSERT INTO ${table.name} (${names.join(', ')}) SELECT /* by copy */ ${chosen.join(', ')}
     FROM unnest(${given.join(', ')}) AS given (${names.slice(shared).join(', ')})`,
    [...((rows[0] ?? []).slice(0, shared) as string[]), ...lists],
  )
}
