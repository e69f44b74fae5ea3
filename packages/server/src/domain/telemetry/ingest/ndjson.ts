import { createExportCheck } from './export-check.ts'
import type { ReadingImport, Later } from './reading-import.ts'
import { type Line, readLines } from './lines.ts'

const TOO_LONG = { code: 'too-long', message: 'The line is longer than 64 KiB.' }
const MALFORMED = { code: 'malformed', message: 'The line is not a JSON object.' }
const UNKNOWN = {
  code: 'unknown-field',
  message: 'A reading has deviceUuid, metricType, timestamp and value.',
}

export async function importNdjson(source: AsyncIterable<Uint8Array>, intake: ReadingImport): Promise<void> {
  const exports = createExportCheck()
  let last = 0
  for await (const lines of readLines(source)) {
    for (const line of lines) {
      if (line.text !== undefined && line.text.trim() === '') continue
      last = line.number
      const { isEnd, rejection } = exports.check(line.text)
      if (rejection) intake.reject(line.number, rejection)
      const later = isEnd ? undefined : importJsonRecord(line, intake)
      if (later) await later
    }
  }
  const truncated = exports.finish()
  if (truncated) intake.reject(last + 1, truncated)
}

/** One JSON object, from a line or from an array. */
export function importJsonRecord({ number, text }: Line, intake: ReadingImport): Later {
  if (text === undefined) return intake.reject(number, TOO_LONG)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return intake.reject(number, MALFORMED)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return intake.reject(number, MALFORMED)
  for (const name in parsed) if (!isField(name)) return intake.reject(number, UNKNOWN)
  const { deviceUuid, metricType, timestamp, value } = parsed as Record<string, unknown>
  return intake.add(number, deviceUuid, metricType, timestamp, value)
}

const isField = (name: string): boolean =>
  name === 'deviceUuid' || name === 'metricType' || name === 'timestamp' || name === 'value'
