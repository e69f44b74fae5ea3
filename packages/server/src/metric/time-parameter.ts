import { invalidField } from '../errors.ts'
import type { Zone } from '../lib/zone.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
// A query turns an unescaped + into a space: read as the + it was.
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+\- ](?:[01]\d|2[0-3]):?[0-5]\d)?$/i

const FIRST_YEAR = 1970
const LAST_YEAR = 2200

const malformed = (field: string): Error =>
  invalidField(
    field,
    'malformed',
    'must be a date such as 2026-01-05 or an ISO 8601 time such as 2026-01-05T10:00:00+00:00',
  )

const compatible = (local: Temporal.PlainDateTime, zone: Zone): number =>
  local.toZonedDateTime(zone.name).epochMilliseconds

/**
 * A date is midnight in the site's zone, and a time without an offset is in the site's zone: `toInstant` says where one
 * lies that the clocks skip or repeat.
 */
export function parseTime(text: string, field: string, zone: Zone, toInstant = compatible): number {
  const parts = DATE_TIME.exec(text)
  if (!parts && !DATE.test(text)) throw malformed(field)
  const date = parseDate(parts?.[1] ?? text, field)
  if (!parts) return zone.startOfDay(date)
  const [, , hour, minute, second = '0', fraction = '', offset] = parts
  const clock = new Temporal.PlainTime(
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, '0').slice(0, 3)),
  )
  const local = date.toPlainDateTime(clock)
  if (offset === undefined) return toInstant(local, zone)
  return local.toZonedDateTime('UTC').epochMilliseconds - offsetMs(offset)
}

function parseDate(text: string, field: string): Temporal.PlainDate {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) throw malformed(field)
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) {
    throw invalidField(field, 'out-of-range', `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`)
  }
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
  } catch {
    throw invalidField(field, 'not-a-date', 'must be a date that exists')
  }
}

const offsetMs = (text: string): number => {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '')
  const size = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000
  return text.startsWith('-') ? -size : size
}
