import type { V1Day } from '@portico/sdk/operator'
import type { ChartSeries } from '../charts/index.ts'

/** Calls by day as the series of a chart. Days are in UTC; the last one is not over yet. */
export function toCallSeries(days: readonly V1Day[]): ChartSeries {
  const last = days.at(-1)?.day
  const values = days.map(({ calls }) => calls)
  return {
    metricType: 'calls',
    unit: 'calls',
    aggregation: 'sum',
    interval: 'P1D',
    timestamps: days.map(({ day }) => `${day}T00:00:00Z`),
    toDateTime: last === undefined ? '' : `${last}T24:00:00Z`,
    values,
    quality: days.map(() => 'measured'),
    coverage: days.map(() => 1),
    summary: {
      total: values.reduce((sum, calls) => sum + calls, 0),
      min: Math.min(...values),
      max: Math.max(...values),
    },
  }
}
