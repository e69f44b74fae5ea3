import { importCsv } from './csv.ts'
import type { ReadingImport } from './reading-import.ts'
import { importJsonArray } from './json-array.ts'
import { importNdjson } from './ndjson.ts'

type Take = (source: AsyncIterable<Uint8Array>, intake: ReadingImport) => Promise<void>

/** Every import format, by media type. */
export const FORMATS: Record<string, Take> = {
  'application/x-ndjson': importNdjson,
  'application/json': importJsonArray,
  'text/csv': importCsv,
}
