import { ConfigurationError } from './errors.ts'

/** A range of time. A date (`2026-11-14`) is midnight in the site’s time zone; a `Date` is an instant. */
export interface Range {
  /** Inclusive. */
  from?: string | Date | undefined
  /** Exclusive. */
  to?: string | Date | undefined
}

/** A range of dates, which the server interprets in the site’s time zone. */
export interface DateRange {
  from: string
  to: string
}

/** The date in a time zone (UTC by default), some days from now. */
function toDate(days: number, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
  return addDays(today, days)
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/** Today, so far. Pass the site’s time zone if its date can differ from that of UTC. */
export const today = (timeZone = 'UTC'): DateRange => ({ from: toDate(0, timeZone), to: toDate(1, timeZone) })

export const yesterday = (timeZone = 'UTC'): DateRange => ({
  from: toDate(-1, timeZone),
  to: toDate(0, timeZone),
})

/** The last n days; today is one of them. */
export const lastDays = (days: number, timeZone = 'UTC'): DateRange => ({
  from: toDate(1 - days, timeZone),
  to: toDate(1, timeZone),
})

/** A calendar month, such as `month('2026-10')`. */
export function month(name: string): DateRange {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(name))
    throw new ConfigurationError(`month is not of the form 2026-10: ${name}`)
  const from = `${name}-01`
  const inNext = addDays(from, 31)
  return { from, to: `${inNext.slice(0, 7)}-01` }
}
