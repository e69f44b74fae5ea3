import type { ChartSeries } from '../../src/charts/series.ts'

/** A series of amounts in hours of one day of Berlin, with the given values. */
export function makeSeries(
  values: readonly (number | null)[],
  changes: Partial<ChartSeries> = {},
): ChartSeries {
  return {
    metricType: 'electricity',
    unit: 'kWh',
    aggregation: 'sum',
    interval: 'PT1H',
    timestamps: values.map((_, hour) => toBerlin('2026-11-17T00:00:00+01:00', hour)),
    toDateTime: toBerlin('2026-11-17T00:00:00+01:00', values.length),
    values: [...values],
    quality: values.map((value) => (value === null ? 'missing' : 'measured')),
    coverage: values.map((value) => (value === null ? 0 : 1)),
    summary: { min: null, max: null },
    ...changes,
  }
}

/** Hours of a day in Berlin, with the offset of its clocks; `day` is any day, of 23 or 25 hours too. */
export function makeHours(day: string): { timestamps: string[]; toDateTime: string } {
  const start = Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin')
  const end = start.add({ days: 1 })
  const count = end.since(start, { largestUnit: 'hour' }).hours
  const all = Array.from({ length: count + 1 }, (_, hours) => format(start.add({ hours })))
  return { timestamps: all.slice(0, -1), toDateTime: format(end) }
}

/** Days from `first` on. */
export function makeDays(first: string, count: number): { timestamps: string[]; toDateTime: string } {
  const start = Temporal.PlainDate.from(first)
  const all = Array.from({ length: count + 1 }, (_, days) =>
    format(start.add({ days }).toZonedDateTime('Europe/Berlin')),
  )
  return { timestamps: all.slice(0, -1), toDateTime: all[count] ?? '' }
}

const toBerlin = (timestamp: string, hours: number): string =>
  format(Temporal.Instant.from(timestamp).add({ hours }).toZonedDateTimeISO('Europe/Berlin'))

const format = (time: Temporal.ZonedDateTime): string =>
  `${time.toPlainDateTime().toString({ smallestUnit: 'second' })}${time.offset}`
