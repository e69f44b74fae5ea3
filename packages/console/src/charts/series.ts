import type {
  DeviceColumns,
  DeviceSeriesBatch,
  DeviceWindows,
  SpaceColumns,
  SpaceSeries,
  SpaceSeriesBatch,
} from '@portico/sdk'

/** A series of a single or a batch read, one array per quantity, with the windows that they belong to. */
export interface ChartSeries
  extends Pick<
    SpaceColumns,
    'metricType' | 'unit' | 'aggregation' | 'values' | 'min' | 'max' | 'quality' | 'coverage' | 'summary'
  > {
  interval: SpaceSeriesBatch['interval']
  /** The start of each window, with the offset of the site's clocks at that time. */
  timestamps: readonly string[]
  /** The end of the last window. */
  toDateTime: string
}

export function readToChartSeries(answer: SpaceSeries | DeviceWindows): ChartSeries {
  const { metricType, unit, aggregation, interval, toDateTime, summary, timeSeries } = answer
  const hasRange = timeSeries.some(({ min }) => min !== undefined)
  return {
    metricType,
    unit,
    aggregation,
    interval,
    toDateTime,
    summary,
    timestamps: timeSeries.map(({ timestamp }) => timestamp),
    values: timeSeries.map(({ value }) => value),
    quality: timeSeries.map(({ quality }) => quality),
    coverage: timeSeries.map(({ coverage }) => coverage),
    ...(hasRange && {
      min: timeSeries.map(({ min }) => min ?? null),
      max: timeSeries.map(({ max }) => max ?? null),
    }),
  }
}

export function columnsToChartSeries(
  { interval, timestamps, toDateTime }: SpaceSeriesBatch | DeviceSeriesBatch,
  columns: SpaceColumns | DeviceColumns,
): ChartSeries {
  return { ...columns, interval, timestamps, toDateTime }
}
