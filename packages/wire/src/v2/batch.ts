import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { type TSchema, Type } from 'typebox'
import { Pagination } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { MAX_IDENTIFIERS, MAX_METRICS } from './batch-bounds.ts'
import { LocalTime, NullableNumber } from './common.ts'
import { MetricName } from './metric-type.ts'
import { DAILY_SERIES_EXAMPLE, Summary } from './series.ts'

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

export const metricList = (example: string) =>
  Type.String({
    minLength: 1,
    description: `1 to ${MAX_METRICS} metric types, separated by commas.`,
    examples: [example],
  })

export const spaceList = uuidList('The spaces to read, which are all in the response', EXAMPLE.spaceUuid)

export const deviceList = uuidList('The devices to read, which are all in the response', EXAMPLE.meterUuid)

const column = <T extends TSchema>(item: T, description: string, example?: unknown[]) =>
  Type.Array(item, { description, ...(example ? { examples: [example] } : {}) })

const identifier = (description: string, ...examples: string[]) =>
  Type.Optional(about(Uuid, description, ...examples))

const seriesFields = {
  metricType: about(MetricName, 'The metric of the series.', 'electricity'),
  unit: Type.String({ description: 'The unit of the values.', examples: ['kWh'] }),
  aggregation: Type.Enum(['sum', 'mean', 'score'], {
    description: 'How the readings of a window become one value.',
    examples: ['sum'],
  }),
  hasData: Type.Boolean({ description: 'Whether any window has a value.', examples: [true] }),
  isSynthetic: Type.Optional(
    Type.Boolean({ description: 'Carbon only: whether some of the carbon intensity is synthetic.' }),
  ),
  values: column(NullableNumber, 'The value of each window; null without data, never 0.', [0.28, 0.34]),
  min: Type.Optional(column(NullableNumber, 'Climate only: the lowest reading of each window.')),
  max: Type.Optional(column(NullableNumber, 'Climate only: the highest reading of each window.')),
  quality: column(
    Type.Enum(['measured', 'estimated', 'partial', 'suspect', 'missing']),
    'The quality of the value of each window.',
    ['measured', 'measured'],
  ),
  coverage: column(
    Type.Number({ minimum: 0, maximum: 1 }),
    'The share of each window that is covered by data.',
    [1, 1],
  ),
  components: Type.Optional(
    column(
      Type.Union([Type.Record(Type.String(), Type.Number()), Type.Null()]),
      'Performance: the scores of each utility. Carbon: the emissions of each utility that was measured.',
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
    examples: ['2026-11-16T08:00:00+00:00'],
  }),
  toDateTime: Type.String({
    format: 'date-time',
    description: 'The end of the last window.',
    examples: ['2026-11-16T10:00:00+00:00'],
  }),
}

const timestamps = column(LocalTime, 'The start of each window; the columns of every series follow it.', [
  '2026-11-16T08:00:00+00:00',
  '2026-11-16T09:00:00+00:00',
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
          clusterUuid: identifier('The cluster, with groupBy=cluster.'),
          buildingUuid: identifier('The building, with groupBy=building.'),
          siteUuid: identifier('The site, with groupBy=site.'),
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
          deviceUuid: about(Uuid, 'The device.', EXAMPLE.meterUuid),
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

const { timeSeries: DAYS, summary: DAILY_SUMMARY, ...DAILY_RANGE } = DAILY_SERIES_EXAMPLE

/** What an example of daily windows has instead of the fields of hourly ones. */
const toDailyExample = (subject: object) => ({
  ...DAILY_RANGE,
  timestamps: DAYS.map(({ timestamp }) => timestamp),
  series: [
    {
      ...subject,
      metricType: 'electricity',
      unit: 'kWh',
      aggregation: 'sum',
      hasData: true,
      values: DAYS.map(({ value }) => value),
      quality: DAYS.map(({ quality }) => quality),
      coverage: DAYS.map(({ coverage }) => coverage),
      summary: DAILY_SUMMARY,
    },
  ],
})

export const DAILY_SPACES_EXAMPLE = toDailyExample({ spaceUuid: EXAMPLE.spaceUuid })

export const DAILY_DEVICES_EXAMPLE = toDailyExample({ deviceUuid: EXAMPLE.meterUuid })
