import { at } from '../kernel/at.ts'
import { wallClockText } from '../kernel/wall-clock.ts'

/**
 * A time zone as a list of stretches with one offset each, found once through Temporal and kept: windows and timestamps
 * are made by the thousand, and plain arithmetic on milliseconds is a hundred times cheaper.
 */
export interface Zone {
  /** In the spelling of the IANA database. */
  readonly name: string
  /** Milliseconds to add to an instant to get the wall clock. */
  offsetAt(ms: number): number
  /** The stretches of one offset that touch [from, to), in order. */
  offsetPeriods(from: number, to: number): OffsetPeriod[]
  /** First instant of a calendar day; of the first day that exists when it was skipped. */
  startOfDay(date: Temporal.PlainDate): number
  dateAt(ms: number): Temporal.PlainDate
  /**
   * First instant at which the wall clock reaches `local`, its reading as if it were UTC: the end of the gap for a time
   * that is skipped, the earlier one for a time that comes twice.
   */
  toInstant(local: number): number
  /** The wall clock with its offset: 2026-01-05T00:00:00+00:00; milliseconds only where there are any. */
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

/** Keyed by the database's spelling, so that its size is bounded by the number of zones, whatever spellings are looked up. */
const zones = new Map<string, Zone>()

/** Also accepts what earlier versions stored: any spelling, and any string that Temporal resolves to a zone. */
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
  /** Known stretches, without holes; grows to both sides as it is asked. */
  const known: OffsetPeriod[] = []

  const zonedAt = (ms: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)

  const stretchAt = (ms: number): OffsetPeriod => {
    const zoned = zonedAt(ms)
    // The transition at or before `ms`: asked from just after it, so that one at this very instant counts.
    const previous = zonedAt(ms + 1).getTimeZoneTransition('previous')
    const next = zoned.getTimeZoneTransition('next')
    return {
      from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offset: zoned.offsetNanoseconds / 1e6,
    }
  }

  const first = (): OffsetPeriod => known[0] ?? (known[0] = stretchAt(0))

  const cover = (ms: number): void => {
    first()
    for (let last = known.at(-1); last && ms >= last.to; last = known.at(-1)) known.push(stretchAt(last.to))
    for (let start = first(); ms < start.from; start = first()) known.unshift(stretchAt(start.from - 1))
  }

  const indexAt = (ms: number): number => {
    cover(ms)
    let low = 0
    let high = known.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (at(known, middle).from <= ms) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The one asked for last: neighbours in time are asked for one after the other. */
  let recent: OffsetPeriod | undefined

  const offsetAt = (ms: number): number => {
    if (!recent || ms < recent.from || ms >= recent.to) recent = at(known, indexAt(ms))
    return recent.offset
  }

  const offsetPeriods = (from: number, to: number): OffsetPeriod[] => {
    cover(to)
    const result: OffsetPeriod[] = []
    for (let index = indexAt(from); index < known.length; index += 1) {
      const stretch = known[index]
      if (!stretch || stretch.from >= to) break
      result.push({
        from: Math.max(from, stretch.from),
        to: Math.min(to, stretch.to),
        offset: stretch.offset,
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
