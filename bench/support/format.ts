import { median, type Ratio } from './ratio.ts'
import { type Measurement, PRECISION } from './rounds.ts'

/** A ratio with its confidence interval. */
export function formatRatio({ value, precision }: Ratio): string {
  if (Number.isNaN(precision)) return value.toFixed(2)
  const interval = `${value.toFixed(2)} ± ${Math.max(1, Math.round(precision * 100))} %`
  return precision > PRECISION ? `${interval}, too noisy` : interval
}

/** The medians of a contender as text. */
export const formatMeasurement = ({ perSecond, perCpuSecond, p50Ms, p99Ms }: Measurement): string =>
  [
    `${Math.round(median(perSecond)).toLocaleString('en')}/s`,
    `${microseconds(1e6 / median(perCpuSecond))} of CPU each`,
    `p50 ${median(p50Ms).toFixed(1)} ms`,
    `p99 ${median(p99Ms).toFixed(1)} ms`,
  ].join(', ')

const microseconds = (value: number): string => `${Math.round(value).toLocaleString('en')} µs`
