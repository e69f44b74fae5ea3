/** Date and time of day on the site's clocks. */
export interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
  /** As in the timestamp: `+01:00` or `Z`. */
  offset: string
}

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Reads the digits of a timestamp: the server has already converted them to the time zone of the site. */
export function parseLocalTime(timestamp: string): LocalTime {
  const match = TIMESTAMP.exec(timestamp)
  if (!match) throw new RangeError(`Not a timestamp with an offset: ${timestamp}`)
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { year, month, day, hour, minute, offset: match[6] ?? 'Z' }
}

export const toEpochSeconds = (timestamp: string): number => Date.parse(timestamp) / 1000

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Numbers the days of the calendar. */
export const toDayNumber = ({ year, month, day }: LocalTime): number =>
  Date.UTC(year, month - 1, day) / 86_400_000

/** 0 is Monday. Day 0, 1 January 1970, was a Thursday. */
export const getWeekday = (time: LocalTime): number => (((toDayNumber(time) + 3) % 7) + 7) % 7

const twoDigits = (value: number): string => String(value).padStart(2, '0')

export const formatClock = ({ hour, minute }: LocalTime): string => `${twoDigits(hour)}:${twoDigits(minute)}`
export const formatMonth = ({ month }: LocalTime): string => MONTHS[month - 1] ?? String(month)
export const formatShortMonth = (time: LocalTime): string => formatMonth(time).slice(0, 3)
export const formatWeekday = (time: LocalTime): string => WEEKDAYS[getWeekday(time)] ?? ''
export const formatDayAndMonth = (time: LocalTime): string => `${time.day} ${formatShortMonth(time)}`
export const formatDay = (time: LocalTime): string => `${formatWeekday(time)} ${formatDayAndMonth(time)}`

export const isSameDay = (a: LocalTime, b: LocalTime): boolean =>
  a.day === b.day && a.month === b.month && a.year === b.year
