import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { makeTempDir } from '../servers/portico.ts'

/** Runs SQL over a Parquet file, which is the table `file`, in DuckDB: rows as arrays. */
export async function queryParquet(bytes: Uint8Array, sql: string): Promise<unknown[][]> {
  const folder = await makeTempDir()
  const path = join(folder, 'export.parquet')
  try {
    await writeFile(path, bytes)
    const duckdb = await DuckDBInstance.create(':memory:')
    const connection = await duckdb.connect()
    try {
      await connection.run(`SET TimeZone = 'UTC'; CREATE VIEW file AS SELECT * FROM read_parquet('${path}')`)
      const { columnCount, rowCount, value } = await connection
        .runAndReadAll(sql.replaceAll('$path', path))
        .then((reader) => ({
          columnCount: reader.columnCount,
          rowCount: reader.currentRowCount,
          value: (column: number, row: number): unknown => reader.value(column, row),
        }))
      return Array.from({ length: rowCount }, (_, row) =>
        Array.from({ length: columnCount }, (_unused, column) => value(column, row)),
      )
    } finally {
      connection.closeSync()
      duckdb.closeSync()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
