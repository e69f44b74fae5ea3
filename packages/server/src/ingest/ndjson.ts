import type { Intake, RawReading } from './intake.ts'
import { type Line, readLines } from './lines.ts'

const TOO_LONG = { code: 'too-long', message: 'The line is longer than 64 KiB.' }
const MALFORMED = { code: 'malformed', message: 'The line is not a JSON object.' }
const UNKNOWN = {
  code: 'unknown-field',
  message: 'A reading has deviceUuid, metricType, timestamp and value.',
}
const FIELDS = ['deviceUuid', 'metricType', 'timestamp', 'value']

export async function takeNdjson(source: AsyncIterable<Uint8Array>, intake: Intake): Promise<void> {
  for await (const line of readLines(source)) {
    if (line.text === undefined || line.text.trim() !== '') await takeJson(line, intake)
  }
}

/** One JSON object, from a line or from an array. */
export async function takeJson({ number, text }: Line, intake: Intake): Promise<void> {
  if (text === undefined) return intake.refuse(number, TOO_LONG)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return intake.refuse(number, MALFORMED)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return intake.refuse(number, MALFORMED)
  if (Object.keys(parsed).some((name) => !FIELDS.includes(name))) return intake.refuse(number, UNKNOWN)
  return intake.take(number, parsed as RawReading)
}
