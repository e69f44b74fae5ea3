import { BYTEA_ARRAY } from '../pool/array-types.ts'
import { appendChecksum, hasChecksum, verifyCells } from './checksummed-cells.ts'
import type { Database, Sql } from '../pool/connect.ts'
import type { RollupTable } from './checksummed-cells.ts'
import { NUMBER_COLUMN } from './rollup-rows.ts'

/** Rows per transaction. */
const ROWS_IN_A_SLICE = 2_000

const TABLES = Object.keys(NUMBER_COLUMN) as RollupTable[]

interface Position {
  table: RollupTable
  /** The key of the last row that was processed. */
  seriesId: number
  number: number
}

const startOfTable = (table: RollupTable): Position => ({ table, seriesId: -1, number: 0 })

interface KeyedRow {
  seriesId: number
  number: number
  cells: Uint8Array
}

/**
 * Adds checksums to rows of earlier releases: walks the rollups of each site once, in the order of their primary keys.
 */
export interface ChecksumWalk {
  /** Sites whose rollups have not been walked to the end. */
  pendingSites(): Promise<string[]>
  /** Does the next slice of a site; returns whether it was the last one. */
  nextSlice(siteUuid: string): Promise<boolean>
}

export function createChecksumWalk(db: Database): ChecksumWalk {
  // Only in memory: after a restart, slices that are done already are read again and nothing is written.
  const positions = new Map<string, Position>()
  return {
    pendingSites: () =>
      db.read(async (sql) => {
        const rows = await sql<{ siteUuid: string }[]>`
          SELECT site_uuid AS "siteUuid" FROM site_state /* every site */ WHERE NOT has_checksums`
        return rows.map(({ siteUuid }) => siteUuid)
      }),
    async nextSlice(siteUuid) {
      const at = positions.get(siteUuid) ?? startOfTable('rollup_days')
      const rows = await db.write(async (sql) => {
        const slice = await readSlice(sql, siteUuid, at)
        await addChecksums(sql, siteUuid, at.table, slice)
        return slice
      })
      const last = rows.at(-1)
      const nextTable = TABLES[TABLES.indexOf(at.table) + 1]
      if (last && rows.length === ROWS_IN_A_SLICE)
        positions.set(siteUuid, { table: at.table, seriesId: last.seriesId, number: last.number })
      else if (nextTable) positions.set(siteUuid, startOfTable(nextTable))
      else {
        await db.change(
          (sql) => sql`UPDATE site_state SET has_checksums = true WHERE site_uuid = ${siteUuid}`,
        )
        positions.delete(siteUuid)
        return true
      }
      return false
    },
  }
}

async function readSlice(
  sql: Sql,
  siteUuid: string,
  { table, seriesId, number }: Position,
): Promise<KeyedRow[]> {
  const column = sql(NUMBER_COLUMN[table])
  return sql<KeyedRow[]>`
    SELECT series_id AS "seriesId", ${column} AS number, cells FROM ${sql(table)}
    WHERE site_uuid = ${siteUuid} AND (series_id, ${column}) > (${seriesId}::bigint, ${number}::integer)
    ORDER BY series_id, ${column} LIMIT ${ROWS_IN_A_SLICE}`
}

/** Rows are not locked while they are read: one that has changed since is left to the process that changed it. */
async function addChecksums(
  sql: Sql,
  siteUuid: string,
  table: RollupTable,
  slice: readonly KeyedRow[],
): Promise<void> {
  // A checksum of damaged cells would hide the damage.
  const rows = slice.filter((row) => !hasChecksum(row.cells) && verifyCells(table, row))
  if (rows.length === 0) return
  const bytes = (list: Uint8Array[]) => sql.array(list, BYTEA_ARRAY)
  await sql`
    UPDATE ${sql(table)} AS rollup SET cells = given.checked
    FROM unnest(${rows.map(({ seriesId }) => seriesId)}::bigint[], ${rows.map(({ number }) => number)}::integer[],
      ${bytes(rows.map(({ cells }) => cells))}::bytea[],
      ${bytes(rows.map((row) => appendChecksum(table, row)))}::bytea[]) AS given (series_id, number, cells, checked)
    WHERE rollup.site_uuid = ${siteUuid} AND rollup.series_id = given.series_id
      AND rollup.${sql(NUMBER_COLUMN[table])} = given.number AND rollup.cells = given.cells`
}
