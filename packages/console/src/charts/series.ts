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

/** A component that converts a response whenever it is rendered gets the same object, so its chart is not redrawn. */
const converted = new WeakMap<object, ChartSeries>()

function convertOnce(source: object, convert: () => ChartSeries): ChartSeries {
  const series = converted.get(source) ?? convert()
  converted.set(source, series)
  return series
}

export const readToChartSeries = (answer: SpaceSeries | DeviceWindows): ChartSeries =>
  convertOnce(answer, () => convertRead(answer))

function convertRead(answer: SpaceSeries | DeviceWindows): ChartSeries {
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

export const columnsToChartSeries = (
  { interval, timestamps, toDateTime }: SpaceSeriesBatch | DeviceSeriesBatch,
  columns: SpaceColumns | DeviceColumns,
): ChartSeries => convertOnce(columns, () => ({ ...columns, interval, timestamps, toDateTime }))
