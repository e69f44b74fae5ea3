import { createCsvEncoder } from './csv.ts'
import type { ExportOptions, RowEncoder } from './format.ts'
import { createNdjsonEncoder } from './ndjson.ts'

/** The library for Parquet is loaded only if it is used. */
export async function createRowEncoder(options: ExportOptions): Promise<RowEncoder> {
  if (options.format === 'ndjson') return createNdjsonEncoder(options)
  if (options.format === 'csv') return createCsvEncoder(options)
  return (await import('./parquet.ts')).createParquetEncoder(options)
}
