import type { QueryValue } from '../api.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const RANGES = [
  { value: '24h', name: '24 hours' },
  { value: '7d', name: '7 days' },
  { value: '30d', name: '30 days' },
  { value: '1y', name: 'Year' },
  { value: 'custom', name: 'Custom' },
] as const

export type RangeName = (typeof RANGES)[number]['value']

/** The range in the address of a page. Dates are those of the site, both inclusive. */
export interface ChosenRange {
  name: RangeName
  from?: string | undefined
  to?: string | undefined
}

/** The part of a call that depends on the range. */
export interface SeriesRange {
  granularity: 'hourly' | 'daily'
  query: Record<string, QueryValue>
}

const DATE = /^\d{4}-\d\d-\d\d$/
const isDate = (text: string | undefined): text is string =>
  text !== undefined && DATE.test(text) && !Number.isNaN(Date.parse(text))

/** Reads a range from an address; the default for invalid values. */
export function parseRange(
  name: string | undefined,
  from: string | undefined,
  to: string | undefined,
): ChosenRange {
  if (name === 'custom' && isDate(from) && isDate(to) && from <= to) return { name, from, to }
  const known = RANGES.find(({ value }) => value === name && value !== 'custom')
  return { name: known?.value ?? '24h' }
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** The days of a range by the calendar of the site, both inclusive; undefined for the last 24 hours. */
export function toDays(
  { name, from, to }: ChosenRange,
  today: string,
): { from: string; to: string } | undefined {
  if (name === 'custom' && from !== undefined && to !== undefined) return { from, to }
  if (name === '7d') return { from: addDays(today, -6), to: today }
  if (name === '30d') return { from: addDays(today, -29), to: today }
  if (name === '1y') return { from: addDays(today, -364), to: today }
  return undefined
}

/** The longest range that the API returns, in days. */
export const MAX_DAYS = 5 * 365

/** Windows that a chart can show: hours for up to 8 days, days for up to 3 months, then weeks and months. */
function toWindows(days: number): SeriesRange {
  if (days <= 8) return { granularity: 'hourly', query: {} }
  if (days <= 92) return { granularity: 'daily', query: {} }
  return { granularity: 'daily', query: { interval: days <= 366 ? 'P1W' : 'P1M' } }
}

/** The last 24 hours, including the current one. Without parameters, the API would start an hour earlier. */
export const toLastDay = (now = Date.now()): { fromDateTime: string } => ({
  fromDateTime: toUtc(now - (now % HOUR_MS) - 23 * HOUR_MS),
})

const toUtc = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

export function toSeriesRange(range: ChosenRange, today: string): SeriesRange {
  const days = toDays(range, today)
  if (!days) return { granularity: 'hourly', query: toLastDay() }
  const { granularity, query } = toWindows(countDays(days.from, days.to))
  return {
    granularity,
    query: { ...query, fromDateTime: days.from, toDateTime: addDays(days.to, 1) },
  }
}

/**
 * The range before: as many days, or the 24 hours before the given start. Windows of weeks and months are aligned by
 * the calendar, so that they keep their number.
 */
export function toPreviousRange(
  range: ChosenRange,
  today: string,
  answer: { fromDateTime: string } | undefined,
): SeriesRange | undefined {
  const days = toDays(range, today)
  if (days) {
    const count = countDays(days.from, days.to)
    const { granularity, query } = toWindows(count)
    // Whole weeks: the same days of the week are compared.
    const shift = query['interval'] === 'P1W' ? Math.ceil(count / 7) * 7 : count
    return {
      granularity,
      query: {
        ...query,
        fromDateTime: addDays(days.from, -shift),
        toDateTime: addDays(addDays(days.to, 1), -shift),
      },
    }
  }
  if (!answer) return undefined
  const end = Date.parse(answer.fromDateTime)
  return {
    granularity: 'hourly',
    query: {
      fromDateTime: toUtc(end - DAY_MS),
      toDateTime: toUtc(end),
    },
  }
}
