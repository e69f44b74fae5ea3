import type { Zone } from '../lib/zone.ts'
import { parseTime } from '../metric/time-parameter.ts'

const firstInstant = (local: Temporal.PlainDateTime, zone: Zone): number =>
  zone.toInstant(local.toZonedDateTime('UTC').epochMilliseconds)

/**
 * A time of a command. Without an offset it follows the same rule as the periods of a weekly plan: skipped by the clocks
 * it is the first instant after the gap, repeated it is the first of the two.
 */
export const parseCommandTime = (text: string, field: string, zone: Zone): number =>
  parseTime(text, field, zone, firstInstant)
