import { formatUnit } from './charts/format.ts'

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const COUNT = new Intl.NumberFormat('en')

export { formatUnit as toUnit } from './charts/format.ts'

/** A measured value with its unit; "–" without a value, never 0. */
export function formatValue(value: number | null | undefined, unit = ''): string {
  if (value === null || value === undefined) return '–'
  const text = NUMBER.format(value)
  if (unit === '') return text
  return `${text} ${unit === 'people' && value === 1 ? 'person' : formatUnit(unit)}`
}

/** The digits after the decimal point, at most three, that the numbers of a column need to be aligned. */
export function toColumnDigits(values: readonly (number | null | undefined)[]): number {
  const known = values.filter((value) => value !== null && value !== undefined)
  const largest = Math.max(0, ...known.map(Math.abs))
  const limit = largest >= 1000 ? 0 : largest >= 100 ? 1 : largest >= 10 ? 2 : 3
  return Math.max(0, ...known.map((value) => String(Number(value.toFixed(limit))).split('.')[1]?.length ?? 0))
}

/** A value in a column whose numbers have the same digits after the decimal point. */
export function formatFixed(value: number | null | undefined, digits: number, unit = ''): string {
  if (value === null || value === undefined) return '–'
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === '' ? text : `${text} ${formatUnit(unit)}`
}

export const formatCount = (count: number): string => COUNT.format(count)

/** "1 device", "2 devices". */
export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : many}`

/** Words for a name of the API: `livingKitchenDining` becomes "Living kitchen dining". */
export function toWords(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A type of device in words. */
export const toDeviceTypeName = (type: string): string => (type === 'trv' ? 'Radiator valve' : toWords(type))

const METRICS: Readonly<Record<string, string>> = {
  co2: 'CO₂',
  voc: 'VOC',
  pm25: 'PM2.5',
  hotwater: 'Hot water',
}

export const toMetricName = (metric: string): string => METRICS[metric] ?? toWords(metric)

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
] as const

/** "3 minutes ago", "in 2 days". */
export function formatRelative(at: number, now = Date.now()): string {
  let amount = (at - now) / 1000
  if (Math.abs(amount) < 45) return amount > 10 ? 'in a moment' : 'just now'
  for (const [unit, size] of STEPS) {
    if (Math.abs(Math.round(amount)) < size) return RELATIVE.format(Math.round(amount), unit)
    amount /= size
  }
  return RELATIVE.format(Math.round(amount), 'year')
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment in the time zone of the browser. */
export const formatMoment = (at: number): string => MOMENT.format(at)

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** The date of a moment in the time zone of the browser. */
export const formatDate = (at: number): string => DATE.format(at)

const DAYS = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** A time of the API in its own offset, the local time of the site: "Tue, 3 Mar, 14:00". */
export function formatSiteTime(timestamp: string): string {
  return `${formatSiteDay(timestamp)}, ${timestamp.slice(11, 16)}`
}

/** The day of a time of the API in its own offset: "Tue, 3 Mar". */
export const formatSiteDay = (timestamp: string): string =>
  DAYS.format(Date.parse(`${timestamp.slice(0, 10)}T00:00:00Z`))

const UTC_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A moment in UTC: "31 Mar 2027", with the time unless it is midnight. */
export function formatUtc(timestamp: string): string {
  const at = new Date(timestamp)
  const time = at.toISOString().slice(11, 16)
  return time === '00:00' ? UTC_DATE.format(at) : `${UTC_DATE.format(at)}, ${time} UTC`
}
