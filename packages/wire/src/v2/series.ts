import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Pagination } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { MetricName, Unit } from './metric-type.ts'
import { LocalTime, NullableNumber } from './common.ts'

const Point = Type.Object(
  {
    timestamp: about(
      LocalTime,
      'Start of the window, in the site’s local time.',
      '2026-11-16T09:00:00+00:00',
    ),
    value: about(NullableNumber, 'The value of the window; null without data, never 0.', 0.34),
    min: Type.Optional(Type.Number({ description: 'The lowest reading; metrics with a mean only.' })),
    max: Type.Optional(Type.Number({ description: 'The highest reading; metrics with a mean only.' })),
    quality: Type.Enum(['measured', 'estimated', 'partial', 'suspect', 'missing'], {
      description: 'The quality of the value.',
    }),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the window that is covered by data.',
      examples: [1],
    }),
    components: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          'Performance: the score of each utility. Carbon: the emissions of each utility that was measured, which add up to the value.',
      }),
    ),
  },
  { title: 'Point', additionalProperties: false, description: 'One window of a series.' },
)

export const Summary = Type.Object(
  {
    total: Type.Optional(about(NullableNumber, 'The sum of all windows; metrics with a sum only.', 0.62)),
    suspectTotal: Type.Optional(
      Type.Number({ description: 'The part of the total that is in suspect windows; absent if it is 0.' }),
    ),
    mean: Type.Optional(about(NullableNumber, 'The mean of all windows; metrics with a mean or score only.')),
    min: about(NullableNumber, 'The lowest value; null without data.', 0.28),
    max: about(NullableNumber, 'The highest value; null without data.', 0.34),
    components: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          'Carbon only: the emissions of each utility that was measured, which add up to the total.',
      }),
    ),
    comparison: Type.Optional(
      about(
        Type.Object(
          {
            value: about(NullableNumber, 'What the range is compared with; null if there is no base.', 0.58),
            changePercent: about(
              NullableNumber,
              'Change relative to value in percent; null if it cannot be computed.',
              6.9,
            ),
            percentile: Type.Optional(
              about(NullableNumber, 'siteAverage only: the share of spaces that this one is at or above.'),
            ),
            coverage: Type.Number({
              minimum: 0,
              maximum: 1,
              description:
                'Share of the base that is covered by data. Below 0.9, changePercent and percentile are null.',
              examples: [1],
            }),
          },
          {
            title: 'Comparison',
            additionalProperties: false,
            description: 'What the range is compared with.',
          },
        ),
        'Present if compareTo is given.',
      ),
    ),
  },
  { title: 'Summary', additionalProperties: false, description: 'The range as a whole.' },
)

const Aggregation = Type.Enum(['sum', 'mean', 'score'], {
  description: 'How the value of a window is computed.',
})

const INTERVALS = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M'] as const

const windowFields = {
  granularity: Type.Enum(['hourly', 'daily'], {
    description: 'hourly: up to an hour; daily: a day or more.',
  }),
  interval: Type.Enum([...INTERVALS], {
    description: 'The length of a window, as an ISO 8601 duration.',
    examples: ['PT1H'],
  }),
}

const rangeFields = {
  timeZone: Type.String({
    description: 'IANA name of the time zone that windows follow.',
    examples: ['Europe/London'],
  }),
  fromDateTime: about(
    LocalTime,
    'Start of the range, extended to a whole window.',
    '2026-11-16T08:00:00+00:00',
  ),
  toDateTime: about(LocalTime, 'End of the range, exclusive.', '2026-11-16T10:00:00+00:00'),
  hasData: Type.Boolean({ description: 'Whether any window has a value.', examples: [true] }),
}

const isSynthetic = Type.Optional(
  Type.Boolean({
    description:
      'Carbon only: whether some of the carbon intensity is synthetic, because no source was available.',
  }),
)

const timeSeries = Type.Array(Point, {
  description: 'Every window of the range; without data, the value is null and the quality missing, never 0.',
  examples: [
    [
      { timestamp: '2026-11-16T08:00:00+00:00', value: 0.28, quality: 'measured', coverage: 1 },
      { timestamp: '2026-11-16T09:00:00+00:00', value: 0.34, quality: 'measured', coverage: 1 },
    ],
  ],
})

const summary = about(Summary, 'The range as a whole.', { total: 0.62, min: 0.28, max: 0.34 })

/** What an example of daily windows has instead of the fields of hourly ones. */
export const DAILY_SERIES_EXAMPLE = {
  granularity: 'daily',
  interval: 'P1D',
  fromDateTime: '2026-11-14T00:00:00+00:00',
  toDateTime: '2026-11-16T00:00:00+00:00',
  timeSeries: [
    { timestamp: '2026-11-14T00:00:00+00:00', value: 6.12, quality: 'measured', coverage: 1 },
    { timestamp: '2026-11-15T00:00:00+00:00', value: 5.87, quality: 'measured', coverage: 1 },
  ],
  summary: { total: 11.99, min: 5.87, max: 6.12 },
}

export const SpaceSeries = Type.Object(
  {
    spaceUuid: about(Uuid, 'The identifier of the space.', EXAMPLE.spaceUuid),
    scope: Type.Enum(['space', 'cluster'], { description: 'Whether it is the series of the cluster.' }),
    metricType: about(MetricName, 'The metric of the series.', 'electricity'),
    unit: Unit,
    aggregation: Aggregation,
    ...windowFields,
    ...rangeFields,
    isSynthetic,
    timeSeries,
    summary,
  },
  { title: 'SpaceSeries', additionalProperties: false, description: 'A metric of a space over time.' },
)

export type SpaceSeries = Static<typeof SpaceSeries>

const deviceFields = {
  deviceUuid: about(Uuid, 'The identifier of the device.', EXAMPLE.meterUuid),
  metricType: about(MetricName, 'The metric of the series.', 'electricity'),
  unit: Unit,
  aggregation: Aggregation,
}

const DeviceWindows = Type.Object(
  { ...deviceFields, ...windowFields, ...rangeFields, isSynthetic, timeSeries, summary },
  { title: 'DeviceWindows', additionalProperties: false, description: 'A metric of a device in windows.' },
)

const DeviceReadings = Type.Object(
  {
    ...deviceFields,
    granularity: Type.Literal('raw', { description: 'The readings themselves.' }),
    interval: Type.Literal('raw', { description: 'The readings themselves.' }),
    ...rangeFields,
    timeSeries: Type.Array(
      Type.Object(
        {
          timestamp: about(LocalTime, 'Time of the reading.', '2026-11-16T09:00:00+00:00'),
          value: Type.Number({ description: 'The value that the device reported.', examples: [18234.71] }),
        },
        {
          title: 'Reading',
          additionalProperties: false,
          description: 'A value of the device at one instant.',
        },
      ),
      { description: 'The readings, oldest first.' },
    ),
    pagination: about(Pagination, 'Where the next page starts.'),
  },
  { title: 'DeviceReadings', additionalProperties: false, description: 'The readings of a device.' },
)

export const DeviceSeries = Type.Union([DeviceWindows, DeviceReadings], {
  title: 'DeviceSeries',
  description: 'Windows, or readings if granularity is raw.',
})

export type DeviceWindows = Static<typeof DeviceWindows>
export type DeviceReadings = Static<typeof DeviceReadings>
