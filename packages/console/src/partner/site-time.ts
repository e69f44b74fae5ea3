/** Times that the API gives in UTC, in the time zone of the site. */

const formats = new Map<string, Intl.DateTimeFormat>()

function format(
  at: number | string,
  timeZone: string,
  kind: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = `${kind} ${timeZone}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
  formats.set(key, known)
  return known.format(typeof at === 'number' ? at : Date.parse(at))
}

/** "Tue, 3 Mar, 14:00" */
export const formatZoned = (at: number | string, timeZone: string): string =>
  format(at, timeZone, 'minute', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })

/** "Tue, 3 Mar" */
export const formatZonedDay = (at: number | string, timeZone: string): string =>
  format(at, timeZone, 'day', { weekday: 'short', day: 'numeric', month: 'short' })

/** "3 Mar 2026" */
export const formatZonedDate = (at: number | string, timeZone: string): string =>
  format(at, timeZone, 'date', { day: 'numeric', month: 'short', year: 'numeric' })

/** "14:00:05" */
export const formatZonedClock = (at: number | string, timeZone: string): string =>
  format(at, timeZone, 'second', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** "2026-03-03T14:00", as inputs of type datetime-local have it and the API accepts it. */
export function toLocalInput(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const get = (name: Intl.DateTimeFormatPartTypes): string =>
    parts.find(({ type }) => type === name)?.value ?? ''
  return `${get('year')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}`
}
