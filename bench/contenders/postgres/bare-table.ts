import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SeriesReadings } from '@portico/server/domain/telemetry/reading/batch'
import type postgres from 'postgres'

/** A table with the key and the partitions of the store's readings, and no other constraints. */
export async function makeBareTable(sql: postgres.Sql): Promise<void> {
  await sql`CREATE TABLE bare (LIKE readings INCLUDING ALL) PARTITION BY RANGE (ts)`
  const partitions = await sql<{ name: string; bounds: string }[]>`
    SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'readings'::regclass`
  for (const { name, bounds } of partitions)
    await sql.unsafe(`CREATE TABLE bare_${name} PARTITION OF bare ${bounds}`)
}

/** Readings in COPY's text format. */
export const toCopyText = (siteUuid: string, batch: readonly SeriesReadings[]): string =>
  batch
    .flatMap(({ seriesId, timestamps, values }) =>
      Array.from(timestamps, (at, index) => `${siteUuid}\t${seriesId}\t${at}\t${values[index]}\n`),
    )
    .join('')

/** The readings are durable when it resolves. */
export async function copyIn(sql: postgres.Sql, text: string): Promise<void> {
  await pipeline(
    Readable.from([text]),
    await sql`COPY bare (site_uuid, series_id, ts, value) FROM STDIN`.writable(),
  )
}
