import type { ChartSeries } from './series.ts'
import { type LocalTime, parseLocalTime, toEpochSeconds } from './time.ts'

/** One window of a series, as charts and tables use it. */
export interface Window {
  index: number
  timestamp: string
  /** Start and end on the site's clocks. */
  start: LocalTime
  end: LocalTime
  /** Seconds since the epoch. */
  from: number
  to: number
  /** Null without data; 0 is a value. */
  value: number | null
  min: number | null
  max: number | null
  quality: ChartSeries['quality'][number]
  coverage: number
  /** Whether the local start time occurs twice, because clocks are set back; the offset distinguishes the two. */
  isRepeated: boolean
}

export function toWindows(series: ChartSeries): Window[] {
  const { timestamps, toDateTime, values, min, max, quality, coverage } = series
  const clockTimes = Map.groupBy(timestamps, (timestamp) => timestamp.slice(0, 16))
  return timestamps.map((timestamp, index) => {
    const end = timestamps[index + 1] ?? toDateTime
    return {
      index,
      timestamp,
      start: parseLocalTime(timestamp),
      end: parseLocalTime(end),
      from: toEpochSeconds(timestamp),
      to: toEpochSeconds(end),
      value: values[index] ?? null,
      min: min?.[index] ?? null,
      max: max?.[index] ?? null,
      quality: quality[index] ?? 'missing',
      coverage: coverage[index] ?? Number.NaN,
      isRepeated: (clockTimes.get(timestamp.slice(0, 16)) ?? []).length > 1,
    }
  })
}

export type Interval = ChartSeries['interval']

/** Whether windows are parts of a day. */
export const isIntraday = (interval: Interval): boolean => interval.startsWith('PT')
