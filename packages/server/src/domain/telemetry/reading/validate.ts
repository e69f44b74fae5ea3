import type { MetricSpec } from '../../estate/inventory/inventory.ts'

/** Why a record is rejected. */
export interface Rejection {
  code: string
  message: string
}

const DAY_MS = 86_400_000
const MAX_VALUE = 1e12

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i

/** Parses ISO 8601 with an offset, to the millisecond; undefined for any other text and for invalid dates. */
export function parseInstant(text: unknown): number | undefined {
  const parts = typeof text === 'string' ? INSTANT.exec(text) : null
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset = 'Z'] = parts
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (Number(year) < 1970 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  const clock = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000
  const at = date.getTime() + clock + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetMs(offset)
  return at >= 0 ? at : undefined
}

const offsetMs = (text: string): number => {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '')
  const size = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000
  return text.startsWith('-') ? -size : size
}

/** The reason to reject a value at an instant, or undefined. */
export function checkValue(
  spec: MetricSpec,
  at: number,
  value: unknown,
  now: number,
  /** How long readings are kept; unlimited if undefined. */
  retentionMs: number | undefined,
): Rejection | undefined {
  if (retentionMs !== undefined && at < now - retentionMs)
    return { code: 'too-old', message: 'The reading is older than the retention period.' }
  if (at > now + DAY_MS)
    return { code: 'in-the-future', message: 'The timestamp is more than 24 hours in the future.' }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { code: 'not-a-number', message: 'The value is not a finite number.' }
  }
  if (Math.abs(value) > MAX_VALUE)
    return { code: 'out-of-range', message: 'The absolute value is greater than 1e12.' }
  if (spec.kind === 'register' && value < 0) {
    return { code: 'negative-register', message: 'A register cannot be negative.' }
  }
  if (spec.kind === 'delta' && value < 0) {
    return { code: 'negative-delta', message: 'A delta cannot be negative.' }
  }
  return undefined
}
