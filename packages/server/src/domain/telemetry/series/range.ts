import { AppError, invalidField } from '../../../kernel/errors.ts'
import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { parseTime } from '../../../calendar/parse-time.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'

const DAY_MS = 86_400_000

export interface RangeInput {
  fromDateTime: string | undefined
  toDateTime: string | undefined
}

/** The parameter names of the two ends of a range, which depend on the API version. */
export interface RangeNames {
  from: string
  to: string
}

const NAMES: RangeNames = { from: 'fromDateTime', to: 'toDateTime' }

export interface Range {
  /** The windows of the range as it is returned. */
  windows: Windows
  from: number
  to: number
  /** The earlier of now and the end of the range. */
  until: number
}

interface MaxSpan {
  text: string
  /** A span no longer than this is within the bound in every calendar: clock changes shorten it by a day at most. */
  surelyWithinMs: number
  /** The latest end that is allowed for a start. */
  latest(from: number, zone: Zone): number
}

const addDays = (from: number, zone: Zone, days: number): number =>
  Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone.name).add({ days }).epochMilliseconds

const daysBound = (days: number): MaxSpan => ({
  text: `${days} days`,
  surelyWithinMs: (days - 1) * DAY_MS,
  latest: (from, zone) => addDays(from, zone, days),
})
const HOURLY = daysBound(31)
const DAILY = daysBound(366)
const MONTHLY: MaxSpan = {
  text: '60 months',
  surelyWithinMs: 1_800 * DAY_MS,
  latest: (from, zone) =>
    Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone.name).add({ months: 60 })
      .epochMilliseconds,
}
const RAW = daysBound(7)
/** The bound of an export, whatever its interval. */
const EXPORT = daysBound(366)

const getMaxSpan = (interval: Interval | 'raw'): MaxSpan => {
  if (interval === 'raw') return RAW
  if (interval === 'P1M') return MONTHLY
  return interval.startsWith('PT') ? HOURLY : DAILY
}

/** The requested span, with defaults, without the future, and with its bounds checked. */
export function resolveSpan(
  input: RangeInput,
  interval: Interval | 'raw',
  zone: Zone,
  now: number,
  names = NAMES,
): { from: number; to: number } {
  const isCalendar = interval !== 'raw' && !interval.startsWith('PT')
  const requested = input.toDateTime === undefined ? now : parseTime(input.toDateTime, names.to, zone)
  const start = input.fromDateTime === undefined ? undefined : parseTime(input.fromDateTime, names.from, zone)
  const to = Math.min(requested, now)
  const from =
    start ?? (isCalendar ? addDays(Math.min(requested, now), zone, -30) : Math.min(requested, now) - DAY_MS)
  if (from >= requested && input.toDateTime === undefined)
    throw invalidField(
      names.from,
      'out-of-range',
      `must be before the end of the range, which is the current time because ${names.to} is absent`,
    )
  if (from >= requested) throw invalidField(names.from, 'out-of-range', `must be before ${names.to}`)
  if (from >= to) throw invalidField(names.from, 'out-of-range', 'must be in the past')
  requireWithin(getMaxSpan(interval), { from, to }, zone, names, ` with interval ${interval}`)
  return { from, to }
}

function requireWithin(
  bound: MaxSpan,
  { from, to }: TimeSpan,
  zone: Zone,
  names: RangeNames,
  condition: string,
): void {
  if (to - from <= bound.surelyWithinMs || to <= bound.latest(from, zone)) return
  const message = `must be at most ${bound.text} after ${names.from}${condition}`
  throw new AppError('validation-error', `${names.to} ${message}.`, {
    errors: [{ field: names.to, code: 'range-too-long', message }],
  })
}

/** The span of an export: both ends are given, and the future is left out. */
export function resolveExportSpan(
  { fromDateTime, toDateTime }: { fromDateTime: string; toDateTime: string },
  zone: Zone,
  now: number,
): TimeSpan {
  const from = parseTime(fromDateTime, NAMES.from, zone)
  const requested = parseTime(toDateTime, NAMES.to, zone)
  if (from >= requested) throw invalidField(NAMES.from, 'out-of-range', `must be before ${NAMES.to}`)
  requireWithin(EXPORT, { from, to: requested }, zone, NAMES, '')
  if (from >= now) throw invalidField(NAMES.from, 'out-of-range', 'must be in the past')
  return { from, to: Math.min(requested, now) }
}

export function resolveRange(
  input: RangeInput,
  interval: Interval,
  zone: Zone,
  now: number,
  names = NAMES,
): Range {
  const span = resolveSpan(input, interval, zone, now, names)
  const windows = toWindows(zone, interval, span.from, span.to)
  const { from, to } = windows.whole
  return { windows, from, to, until: Math.min(to, now) }
}
