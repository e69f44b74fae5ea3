import { formatWindow } from './format.ts'
import { describeQuality } from './quality.ts'
import type { ChartSeries } from './series.ts'
import type { Window } from './windows.ts'

export interface TableRow {
  timestamp: string
  time: string
  /** One number for each column; null is no data. */
  numbers: (number | null)[]
  quality: string
}

export interface TableTwin {
  /** Headings of the numbers. */
  columns: string[]
  rows: TableRow[]
}

/** The content of the table below a chart: every number that the chart shows. */
export function toTable(series: ChartSeries, windows: readonly Window[], previous?: ChartSeries): TableTwin {
  const hasRange = series.min !== undefined && series.max !== undefined
  return {
    columns: [
      series.aggregation === 'sum' ? 'Amount' : series.aggregation === 'score' ? 'Score' : 'Mean',
      ...(hasRange ? ['Lowest', 'Highest'] : []),
      ...(previous ? ['Period before'] : []),
    ],
    rows: windows.map((window) => ({
      timestamp: window.timestamp,
      time: formatWindow(window, series.interval),
      numbers: [
        window.value,
        ...(hasRange ? [window.min, window.max] : []),
        // By the index of the window: a day of 23 hours is compared hour by hour.
        ...(previous ? [previous.values[window.index] ?? null] : []),
      ],
      quality: describeQuality(window),
    })),
  }
}
