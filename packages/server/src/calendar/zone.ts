import { at } from '../kernel/at.ts'
import { wallClockText } from '../kernel/wall-clock.ts'

/**
 * A time zone as a cached list of periods with one offset each. Windows and timestamps are computed by the thousand,
 * and arithmetic on milliseconds is a hundred times cheaper than Temporal.
 */
export interface Zone {
  /** In the spelling of the IANA database. */
  readonly name: string
  /** Milliseconds to add to an instant to get the wall clock. */
  offsetAt(ms: number): number
  /** The periods of one offset that overlap [from, to), clipped to it, in order. */
  offsetPeriods(from: number, to: number): OffsetPeriod[]
  /** First instant of a calendar day, or of the next day that exists if the zone skipped it. */
  startOfDay(date: Temporal.PlainDate): number
  dateAt(ms: number): Temporal.PlainDate
  /**
   * First instant at which the wall clock reaches `local`, a wall-clock time as if it were UTC: the end of the gap for
   * a skipped time, the earlier instant for a repeated time.
   */
  toInstant(local: number): number
  /** The wall clock with its offset: 2026-01-05T00:00:00+00:00, with milliseconds only if they are not 0. */
  format(ms: number): string
}

export interface OffsetPeriod {
  from: number
  to: number
  offset: number
}

const MINUTE_MS = 60_000
/** No zone is as far from UTC as this. */
const FARTHEST_OFFSET_MS = 24 * 60 * MINUTE_MS

/** The longest name in the IANA database has 32 characters. */
const MAX_ZONE_NAME_LENGTH = 64

/**
 * The name in the spelling of the IANA database (`europe/london` → `Europe/London`), or undefined if the database has
 * no such name. Links keep their own name (`US/Eastern`). Offsets and date-times with a zone are not accepted.
 */
export function parseZoneName(text: string): string | undefined {
  if (text.length > MAX_ZONE_NAME_LENGTH || !/^[a-z]/i.test(text)) return undefined
  try {
    // The constructor accepts only an identifier; `toZonedDateTimeISO` also accepts `T12:34:56[UTC]`.
    return new Temporal.ZonedDateTime(0n, text).timeZoneId
  } catch {
    return undefined
  }
}

/** Keyed by the database's spelling, so that the number of zones bounds its size, whatever spellings are looked up. */
const zones = new Map<string, Zone>()

/** Also accepts names stored by earlier versions: any spelling, and any string that Temporal resolves to a zone. */
export function getZone(spelling: string): Zone {
  const cached = zones.get(spelling)
  if (cached) return cached
  const name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(spelling).timeZoneId
  let zone = zones.get(name)
  if (!zone) zones.set(name, (zone = createZone(name)))
  return zone
}

export const cachedZoneCount = (): number => zones.size

function createZone(name: string): Zone {
  /** Contiguous periods around 1970, extended on demand in both directions. */
  const periods: OffsetPeriod[] = []

  const zonedAt = (ms: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)

  const periodAt = (ms: number): OffsetPeriod => {
    const zoned = zonedAt(ms)
    // `+ 1`, so that a transition exactly at `ms` counts as previous.
    const previous = zonedAt(ms + 1).getTimeZoneTransition('previous')
    const next = zoned.getTimeZoneTransition('next')
    return {
      from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offset: zoned.offsetNanoseconds / 1e6,
    }
  }

  const first = (): OffsetPeriod => periods[0] ?? (periods[0] = periodAt(0))

  const cover = (ms: number): void => {
    first()
    for (let last = periods.at(-1); last && ms >= last.to; last = periods.at(-1))
      periods.push(periodAt(last.to))
    for (let start = first(); ms < start.from; start = first()) periods.unshift(periodAt(start.from - 1))
  }

  const indexAt = (ms: number): number => {
    cover(ms)
    let low = 0
    let high = periods.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (at(periods, middle).from <= ms) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The most recent result: consecutive calls are usually close in time. */
  let recent: OffsetPeriod | undefined

  const offsetAt = (ms: number): number => {
    if (!recent || ms < recent.from || ms >= recent.to) recent = at(periods, indexAt(ms))
    return recent.offset
  }

  const offsetPeriods = (from: number, to: number): OffsetPeriod[] => {
    cover(to)
    const result: OffsetPeriod[] = []
    for (let index = indexAt(from); index < periods.length; index += 1) {
      const period = periods[index]
      if (!period || period.from >= to) break
      result.push({
        from: Math.max(from, period.from),
        to: Math.min(to, period.to),
        offset: period.offset,
      })
    }
    return result
  }

  return {
    name,
    offsetAt,
    offsetPeriods,
    toInstant(local) {
      const near = offsetPeriods(local - FARTHEST_OFFSET_MS, local + FARTHEST_OFFSET_MS)
      const reached = near.find(({ to, offset }) => local < to + offset)
      return reached ? Math.max(reached.from, local - reached.offset) : local
    },
    startOfDay: (date) => date.toZonedDateTime(name).epochMilliseconds,
    dateAt(ms) {
      const local = new Date(ms + offsetAt(ms))
      return new Temporal.PlainDate(local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate())
    },
    format(ms) {
      const offset = offsetAt(ms)
      return wallClockText(ms + offset) + offsetText(offset)
    },
  }
}

const offsetTexts = new Map<number, string>()

function offsetText(offset: number): string {
  let text = offsetTexts.get(offset)
  if (text === undefined) {
    const size = Math.abs(offset)
    const two = (value: number): string => String(value).padStart(2, '0')
    const seconds = Math.floor((size % MINUTE_MS) / 1000)
    text = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3_600_000))}:${two(Math.floor(size / MINUTE_MS) % 60)}`
    if (seconds > 0) text += `:${two(seconds)}`
    offsetTexts.set(offset, text)
  }
  return text
}
