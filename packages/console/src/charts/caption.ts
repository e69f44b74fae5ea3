import {
  describeWindow,
  formatNumber,
  formatQuantity,
  formatRange,
  formatSpan,
  formatUnit,
} from './format.ts'
import { getMark } from './quality.ts'
import type { ChartSeries } from './series.ts'
import { isSameDay } from './time.ts'
import type { Window } from './windows.ts'

/** The chart in one sentence: `24 h: 3.2 kWh, most between 18:00 and 19:00; 2 h missing`. */
export function writeCaption(series: ChartSeries, windows: readonly Window[]): string {
  if (windows.length === 0) return 'No windows'
  const parts = [`${formatRange(windows, series.interval)}: ${describeValues(series, windows)}`]
  const change = series.summary.comparison?.changePercent
  if (typeof change === 'number') parts.push(describeChange(change))
  const lengths = (['missing', 'estimated', 'suspect'] as const).flatMap((mark) => {
    const found = windows.filter((window) => getMark(window) === mark)
    return found.length > 0 ? [`${formatSpan(found, series.interval)} ${mark}`] : []
  })
  if (lengths.length > 0) parts.push(lengths.join(', '))
  return parts.join('; ')
}

function describeValues(series: ChartSeries, windows: readonly Window[]): string {
  const { interval, unit, summary } = series
  const valued = windows.filter(hasValue)
  if (valued.length === 0) return 'no data'
  const highest = valued.reduce((best, window) => (window.value > best.value ? window : best))
  if (series.aggregation === 'sum') {
    const total = summary.total ?? valued.reduce((sum, { value }) => sum + value, 0)
    const [first, last] = [windows[0], windows.at(-1)]
    const isOneDay = first !== undefined && last !== undefined && isSameDay(first.start, last.start)
    const peak = highest.value > 0 && windows.length > 1
    return formatQuantity(total, unit) + (peak ? `, most ${describeWindow(highest, interval, isOneDay)}` : '')
  }
  const mean = summary.mean ?? valued.reduce((sum, { value }) => sum + value, 0) / valued.length
  const low = summary.min ?? Math.min(...valued.map(({ value, min }) => min ?? value))
  const high = summary.max ?? Math.max(...valued.map(({ value, max }) => max ?? value))
  if (low === high) return `${formatQuantity(mean, unit)} throughout`
  return `${formatQuantity(mean, unit)} on average, from ${formatNumber(low)} to ${formatNumber(high)} ${formatUnit(unit)}`
}

function describeChange(percent: number): string {
  if (Math.abs(percent) < 0.5) return 'as much as before'
  return `${formatNumber(Math.round(Math.abs(percent)))} % ${percent > 0 ? 'more' : 'less'} than before`
}

const hasValue = (window: Window): window is Window & { value: number } => window.value !== null
