const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const MAX_CACHED_DATES = 4_000

const two = (value: number): string => String(value).padStart(2, '0')

/** `HH:MM` for each minute of a day. */
const MINUTES = Array.from(
  { length: 1_440 },
  (_, minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
)
const dates = new Map<number, string>()

function dateText(day: number): string {
  let text = dates.get(day)
  if (text === undefined) {
    if (dates.size >= MAX_CACHED_DATES) dates.clear()
    text = new Date(day * DAY_MS).toISOString().slice(0, 11)
    dates.set(day, text)
  }
  return text
}

/**
 * Formats a wall-clock time, given as if it were UTC: 2026-01-05T10:00:00, with milliseconds only if they are not 0.
 * Every window of a series has one, and `toISOString` takes ten times as long.
 */
export function wallClockText(local: number): string {
  const day = Math.floor(local / DAY_MS)
  const intoDay = local - day * DAY_MS
  const minute = Math.floor(intoDay / MINUTE_MS)
  const intoMinute = intoDay - minute * MINUTE_MS
  const time = MINUTES[minute]
  if (time === undefined) throw new RangeError(`${local} is not an instant.`)
  const text = `${dateText(day)}${time}`
  if (intoMinute === 0) return `${text}:00`
  const millis = intoMinute % 1000
  const seconds = `${text}:${two((intoMinute - millis) / 1000)}`
  return millis === 0 ? seconds : `${seconds}.${String(millis).padStart(3, '0')}`
}
