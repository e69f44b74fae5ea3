import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { type TSchema, Type } from 'typebox'
import { Pagination } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { MAX_IDENTIFIERS, MAX_METRICS } from './batch-bounds.ts'
import { LocalTime, NullableNumber } from './common.ts'
import { MetricName } from './metric-type.ts'
import { Summary } from './series.ts'

export const GROUPS = ['space', 'cluster', 'building', 'site'] as const

/** A comma-separated list of identifiers. */
const uuidList = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      description: `${description}: 1 to ${MAX_IDENTIFIERS} UUIDs, separated by commas.`,
      examples: [example],
    }),
  )

export const metricList = Type.String({
  minLength: 1,
  description: `1 to ${MAX_METRICS} metric types, separated by commas.`,
  examples: ['electricity,temperature'],
})

export const spaceList = uuidList('The spaces to read, which are all in the response', EXAMPLE.spaceUuid)

export const deviceList = uuidList('The devices to read, which are all in the response', EXAMPLE.meterUuid)

const column = <T extends TSchema>(item: T, description: string, examples: unknown[]) =>
  Type.Array(item, { description, examples: [examples] })

const uuid = (description: string, example: string) => about(Uuid, description, example)

const identifier = (description: string, example: string) => Type.Optional(uuid(description, example))

const seriesFields = {
  metricType: about(MetricName, 'The metric of the series.', 'temperature'),
  unit: Type.String({ description: 'The unit of the values.', examples: ['degC'] }),
  aggregation: Type.Enum(['sum', 'mean', 'score'], {
    description: 'How the readings of a window become one value.',
    examples: ['mean'],
  }),
  hasData: Type.Boolean({ description: 'Whether any window has a value.', examples: [true] }),
  isSynthetic: Type.Optional(
    Type.Boolean({
      description: 'Carbon only: whether some of the carbon intensity is synthetic.',
      examples: [false],
    }),
  ),
  values: column(NullableNumber, 'The value of each window; null without data, never 0.', [20.1, null]),
  min: Type.Optional(
    column(NullableNumber, 'Climate only: the lowest reading of each window.', [19.8, null]),
  ),
  max: Type.Optional(
    column(NullableNumber, 'Climate only: the highest reading of each window.', [20.4, null]),
  ),
  quality: column(
    Type.Enum(['measured', 'estimated', 'partial', 'suspect', 'missing']),
    'The quality of the value of each window.',
    ['measured', 'missing'],
  ),
  coverage: column(
    Type.Number({ minimum: 0, maximum: 1 }),
    'The share of each window that is covered by data.',
    [1, 0],
  ),
  components: Type.Optional(
    column(
      Type.Union([Type.Record(Type.String(), Type.Number()), Type.Null()]),
      'Performance: the scores of each utility. Carbon: the emissions of each utility that was measured.',
      [{ electricity: 1.2, heating: 0.4 }, null],
    ),
  ),
  summary: about(Summary, 'The range as a whole.'),
}

const responseFields = {
  granularity: Type.Enum(['hourly', 'daily'], {
    description: 'hourly: windows of up to an hour; daily: of days, weeks or months.',
    examples: ['hourly'],
  }),
  interval: Type.Enum(['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M'], {
    description: 'The length of the windows.',
    examples: ['PT1H'],
  }),
  timeZone: Type.String({ description: 'The time zone of the site.', examples: ['Europe/London'] }),
  fromDateTime: Type.String({
    format: 'date-time',
    description: 'The start of the first window.',
    examples: ['2026-11-14T00:00:00+00:00'],
  }),
  toDateTime: Type.String({
    format: 'date-time',
    description: 'The end of the last window.',
    examples: ['2026-11-15T00:00:00+00:00'],
  }),
}

const timestamps = column(LocalTime, 'The start of each window; the columns of every series follow it.', [
  '2026-11-14T00:00:00+00:00',
  '2026-11-14T01:00:00+00:00',
])

export const SpaceSeriesBatch = Type.Object(
  {
    ...responseFields,
    groupBy: Type.Enum([...GROUPS], { description: 'What each series is for.', examples: ['space'] }),
    timestamps,
    series: Type.Array(
      Type.Object(
        {
          spaceUuid: identifier('The space, with groupBy=space.', EXAMPLE.spaceUuid),
          clusterUuid: identifier('The cluster, with groupBy=cluster.', EXAMPLE.clusterUuid),
          buildingUuid: identifier('The building, with groupBy=building.', EXAMPLE.buildingUuid),
          siteUuid: identifier('The site, with groupBy=site.', EXAMPLE.siteUuid),
          ...seriesFields,
        },
        {
          title: 'SpaceColumns',
          additionalProperties: false,
          description: 'A series of a space, cluster, building or site, one array per quantity.',
        },
      ),
      { description: 'By identifier, then in the order of metricTypes.' },
    ),
    pagination: about(Pagination, 'Where the next page starts.'),
  },
  {
    title: 'SpaceSeriesBatch',
    additionalProperties: false,
    description: 'Many series over the same windows.',
  },
)

export const DeviceSeriesBatch = Type.Object(
  {
    ...responseFields,
    timestamps,
    series: Type.Array(
      Type.Object(
        {
          deviceUuid: uuid('The device.', EXAMPLE.meterUuid),
          ...seriesFields,
        },
        {
          title: 'DeviceColumns',
          additionalProperties: false,
          description: 'A series of a device, one array per quantity.',
        },
      ),
      { description: 'By device, then in the order of metricTypes.' },
    ),
    pagination: about(Pagination, 'Where the next page starts.'),
  },
  {
    title: 'DeviceSeriesBatch',
    additionalProperties: false,
    description: 'Many series over the same windows.',
  },
)
