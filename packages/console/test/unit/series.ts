import type { ChartSeries } from '../../src/charts/series.ts'
import { listHours } from '../calendar.ts'

/** A series of amounts, by default in the first hours of 17 November 2026. */
export function makeSeries(
  values: readonly (number | null)[],
  changes: Partial<ChartSeries> = {},
): ChartSeries {
  const { timestamps } = listHours('2026-11-17', 2)
  return {
    metricType: 'electricity',
    unit: 'kWh',
    aggregation: 'sum',
    interval: 'PT1H',
    timestamps: timestamps.slice(0, values.length),
    toDateTime: timestamps[values.length] ?? '',
    values: [...values],
    quality: values.map((value) => (value === null ? 'missing' : 'measured')),
    coverage: values.map((value) => (value === null ? 0 : 1)),
    summary: { min: null, max: null },
    ...changes,
  }
}
