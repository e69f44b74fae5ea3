import { median, type Measurement, type Ratio } from './rounds.ts'

/** A ratio with its range over the rounds. */
export const formatRatio = ({ value, lowest, highest }: Ratio): string =>
  `${value.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`

/** The medians of a contender as text. */
export const formatMeasurement = ({ perSecond, perCpuSecond, p50Ms, p99Ms }: Measurement): string =>
  [
    `${Math.round(median(perSecond)).toLocaleString('en')}/s`,
    `${microseconds(1e6 / median(perCpuSecond))} of CPU each`,
    `p50 ${median(p50Ms).toFixed(1)} ms`,
    `p99 ${median(p99Ms).toFixed(1)} ms`,
  ].join(', ')

const microseconds = (value: number): string => `${Math.round(value).toLocaleString('en')} µs`
