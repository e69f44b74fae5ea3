import { rowChecksum } from '../../lib/row-checksum.ts'
import type { Database } from './connect.ts'
import { NUMBER_COLUMN, type RollupTable } from './sealed-days.ts'

/** Rows per transaction. */
const ROWS_IN_A_SLICE = 2_000

/** Adds checksums to rows written by earlier releases, one slice at a time. Returns whether the site had any. */
export async function addChecksums(db: Database, siteUuid: string): Promise<boolean> {
  let hasAdded = false
  for (const table of Object.keys(NUMBER_COLUMN) as RollupTable[])
    if (await addSlice(db, siteUuid, table)) hasAdded = true
  return hasAdded
}

const addSlice = (db: Database, siteUuid: string, table: RollupTable): Promise<boolean> =>
  db.write(async (sql) => {
    const column = sql(NUMBER_COLUMN[table])
    const rows = await sql<{ seriesId: number; number: number; cells: Uint8Array }[]>`
      SELECT series_id AS "seriesId", ${column} AS number, cells FROM ${sql(table)}
      WHERE site_uuid = ${siteUuid} AND checksum IS NULL LIMIT ${ROWS_IN_A_SLICE} FOR UPDATE SKIP LOCKED`
    if (rows.length === 0) return false
    const checksums = rows.map(({ seriesId, number, cells }) => rowChecksum(table, seriesId, number, cells))
    await sql`
      UPDATE ${sql(table)} AS rollup SET checksum = given.checksum
      FROM unnest(${rows.map(({ seriesId }) => seriesId)}::bigint[], ${rows.map(({ number }) => number)}::integer[],
        ${checksums}::integer[]) AS given (series_id, number, checksum)
      WHERE rollup.site_uuid = ${siteUuid} AND rollup.series_id = given.series_id
        AND rollup.${column} = given.number`
    return true
  })
