import { takeCsv } from './csv.ts'
import type { Intake } from './intake.ts'
import { takeJsonArray } from './json-array.ts'
import { takeNdjson } from './ndjson.ts'

type Take = (source: AsyncIterable<Uint8Array>, intake: Intake) => Promise<void>

/** Every form in which a delivery of readings can come, by its media type. */
export const FORMATS: Record<string, Take> = {
  'application/x-ndjson': takeNdjson,
  'application/json': takeJsonArray,
  'text/csv': takeCsv,
}
