import type { Interval, Window } from './windows.ts'
import { isIntraday } from './windows.ts'
import { formatClock, formatDay, formatMonth, isSameDay } from './time.ts'

const UNITS: Record<string, string> = {
  degC: '°C',
  m3: 'm³',
  'ug/m3': 'µg/m³',
  '%RH': '% RH',
  kgCO2e: 'kg CO₂e',
  score: 'points',
}

export const formatUnit = (unit: string): string => UNITS[unit] ?? unit

const exact = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 10 })
const rounded = [0, 1, 2, 3].map(
  (maximumFractionDigits) => new Intl.NumberFormat('en-GB', { maximumFractionDigits }),
)

/** All digits of the response. */
export const formatExactly = (value: number): string => exact.format(value)

/** Three digits, or the whole integer: enough for a quick look. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return (rounded[digits] ?? exact).format(value)
}

export const formatQuantity = (value: number, unit: string): string =>
  `${formatNumber(value)} ${formatUnit(unit)}`

/** The time of a window in words: `Tue 17 Nov 2026, 18:00 to 19:00`. */
export function formatWindow(window: Window, interval: Interval): string {
  const { start } = window
  if (interval === 'P1M') return `${formatMonth(start)} ${start.year}`
  const day = `${formatDay(start)} ${start.year}`
  if (interval === 'P1W') return `Week of ${day}`
  return isIntraday(interval) ? `${day}, ${formatClocks(window)}` : day
}

/** The time at the cursor, without the year for windows within a day. */
export const formatWindowShortly = (window: Window, interval: Interval): string =>
  isIntraday(interval)
    ? `${formatDay(window.start)}, ${formatClocks(window)}`
    : formatWindow(window, interval)

const formatClocks = (window: Window): string => `${formatStart(window)} to ${formatClock(window.end)}`

const formatStart = ({ start, isRepeated }: Window): string =>
  isRepeated ? `${formatClock(start)} (${formatOffset(start.offset)})` : formatClock(start)

/** `UTC+1`, to distinguish the hours that occur twice when clocks are set back. */
function formatOffset(offset: string): string {
  if (offset === 'Z') return 'UTC'
  const [hours = '', minutes] = offset.slice(1).split(':')
  const sign = offset.startsWith('-') ? '−' : '+'
  const shown = `${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`
  return shown === '0' ? 'UTC' : `UTC${sign}${shown}`
}

/** When a window was, inside a sentence about the range: `between 18:00 and 19:00`, `on Tue 17 Nov`, `in March`. */
export function describeWindow(window: Window, interval: Interval, isOneDay: boolean): string {
  const { start, end } = window
  if (interval === 'P1M') return `in ${formatMonth(start)}`
  if (interval === 'P1W') return `in the week of ${formatDay(start)}`
  if (!isIntraday(interval)) return `on ${formatDay(start)}`
  const clock = `between ${formatStart(window)} and ${formatClock(end)}`
  return isOneDay ? clock : `on ${formatDay(start)} ${clock}`
}

/** A length of time in the words of the interval: `24 h`, `45 min`, `7 days`, `12 months`. */
export function formatSpan(windows: readonly Window[], interval: Interval): string {
  const count = windows.length
  const plural = (word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
  if (interval === 'P1M') return plural('month')
  if (interval === 'P1W') return plural('week')
  if (!isIntraday(interval)) return plural('day')
  const seconds = windows.reduce((sum, { from, to }) => sum + to - from, 0)
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return `${formatNumber(seconds / 3600)} h`
}

/** The whole range: in days if it consists of more than two whole days. */
export function formatRange(windows: readonly Window[], interval: Interval): string {
  const [first, last] = [windows[0], windows.at(-1)]
  if (!first || !last || !isIntraday(interval)) return formatSpan(windows, interval)
  const isWhole = formatClock(first.start) === '00:00' && formatClock(last.end) === '00:00'
  const days = windows.filter(({ start }, index) => {
    const before = windows[index - 1]
    return !before || !isSameDay(before.start, start)
  }).length
  return isWhole && days > 2 ? `${days} days` : formatSpan(windows, interval)
}
