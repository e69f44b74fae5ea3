import { type Static, Type } from 'typebox'
import { Pagination } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { MetricName } from './metric-type.ts'
import { LocalTime, NullableNumber } from './common.ts'

const Point = Type.Object(
  {
    timestamp: LocalTime,
    value: NullableNumber,
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    quality: Type.Enum(['measured', 'estimated', 'partial', 'suspect', 'missing']),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the window that is covered by data.',
    }),
    components: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          'Performance: the score of each utility. Carbon: the emissions of each utility that was measured, which add up to the value.',
      }),
    ),
  },
  { title: 'Point', additionalProperties: false },
)

export const Summary = Type.Object(
  {
    total: Type.Optional(NullableNumber),
    suspectTotal: Type.Optional(
      Type.Number({ description: 'The part of the total that is in suspect windows; absent if it is 0.' }),
    ),
    mean: Type.Optional(NullableNumber),
    min: NullableNumber,
    max: NullableNumber,
    components: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          'Carbon only: the emissions of each utility that was measured, which add up to the total.',
      }),
    ),
    comparison: Type.Optional(
      Type.Object(
        {
          value: NullableNumber,
          changePercent: NullableNumber,
          percentile: Type.Optional(NullableNumber),
          coverage: Type.Number({
            minimum: 0,
            maximum: 1,
            description:
              'Share of the base that is covered by data. Below 0.9, changePercent and percentile are null.',
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'Summary', additionalProperties: false },
)

const Aggregation = Type.Enum(['sum', 'mean', 'score'])

const rangeFields = {
  timeZone: Type.String(),
  fromDateTime: LocalTime,
  toDateTime: LocalTime,
  hasData: Type.Boolean(),
}

const isSynthetic = Type.Optional(
  Type.Boolean({
    description:
      'Carbon only: whether some of the carbon intensity is synthetic, because no source was available.',
  }),
)

export const SpaceSeries = Type.Object(
  {
    spaceUuid: Uuid,
    scope: Type.Enum(['space', 'cluster']),
    metricType: MetricName,
    unit: Type.String(),
    aggregation: Aggregation,
    granularity: Type.Enum(['hourly', 'daily']),
    interval: Type.Enum(['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']),
    ...rangeFields,
    isSynthetic,
    timeSeries: Type.Array(Point, {
      description:
        'Every window of the range; without data, the value is null and the quality missing, never 0.',
    }),
    summary: Summary,
  },
  { title: 'SpaceSeries', additionalProperties: false },
)

export type SpaceSeries = Static<typeof SpaceSeries>

const deviceFields = {
  deviceUuid: Uuid,
  metricType: MetricName,
  unit: Type.String(),
  aggregation: Aggregation,
}

const DeviceWindows = Type.Object(
  {
    ...deviceFields,
    granularity: Type.Enum(['hourly', 'daily']),
    interval: Type.Enum(['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']),
    ...rangeFields,
    isSynthetic,
    timeSeries: Type.Array(Point),
    summary: Summary,
  },
  { title: 'DeviceWindows', additionalProperties: false },
)

const DeviceReadings = Type.Object(
  {
    ...deviceFields,
    granularity: Type.Literal('raw'),
    interval: Type.Literal('raw'),
    ...rangeFields,
    timeSeries: Type.Array(
      Type.Object({ timestamp: LocalTime, value: Type.Number() }, { additionalProperties: false }),
    ),
    pagination: Pagination,
  },
  { title: 'DeviceReadings', additionalProperties: false },
)

export const DeviceSeries = Type.Union([DeviceWindows, DeviceReadings])

export type DeviceWindows = Static<typeof DeviceWindows>
export type DeviceReadings = Static<typeof DeviceReadings>
