import { type Static, type TSchema, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import {
  Day,
  Figure,
  LegacyId,
  Month,
  NullableInteger,
  NullableNumber,
  NullableString,
  NullableTime,
  perMetric,
  unit,
  V1_ENVIRONMENT,
  V1_UTILITIES,
} from './common.ts'

const closed = { additionalProperties: false }

const spaceId = about(LegacyId, 'The identifier of the space.', EXAMPLE.spaceId)

const NOON = '2026-11-16T12:00:00+00:00'

export const SpaceDetails = Type.Object(
  {
    spaceId,
    spaceName: Type.String({ description: 'The name of the space.', examples: ['S001'] }),
    spaceType: Type.String({ description: 'What the space is used for.', examples: ['studio'] }),
    siteId: about(LegacyId, 'The identifier of the site.', EXAMPLE.siteId),
    siteName: Type.String({ description: 'The name of the site.', examples: ['Aldgate Court'] }),
    buildingId: about(LegacyId, 'The identifier of the building.', EXAMPLE.buildingId),
    buildingName: Type.String({ description: 'The name of the building.', examples: ['Saddler House'] }),
    floorNumber: about(NullableInteger, 'The floor; null if unknown.', 0),
    clusterName: about(NullableString, 'The flat or other cluster of the space; null without one.', null),
    areaM2: about(NullableNumber, 'The floor area in square metres; null if unknown.', 21),
    capacity: about(
      NullableInteger,
      'The number of people that the space is designed for; null if unknown.',
      1,
    ),
    timeZone: Type.String({ description: 'IANA name of the site’s time zone.', examples: ['Europe/London'] }),
    metricTypes: Type.Array(Type.String(), {
      description: 'What is measured in the space.',
      examples: [['electricity', 'water', 'temperature']],
    }),
    deviceCount: Type.Integer({ description: 'Number of devices in the space.', examples: [4] }),
    occupancy: about(NullableNumber, 'People present now; null if it is not measured.', 1),
  },
  { title: 'SpaceDetails', ...closed, description: 'A space with its names and properties.' },
)
export type SpaceDetails = Static<typeof SpaceDetails>

const utilityFigures = perMetric(V1_UTILITIES, Figure, { value: 0.34, unit: 'kWh' })

/** A list with an entry for every day or month of the range. */
const history = <F extends Record<string, TSchema>>(
  title: string,
  what: string,
  period: 'day' | 'month',
  fields: F,
) =>
  Type.Array(Type.Object(fields, { title, ...closed, description: `${what} of one ${period}.` }), {
    description: `Every ${period} of the range.`,
  })

export const SpaceUtilities = Type.Object(
  {
    spaceId,
    timestamp: about(NullableTime, 'Start of the hour; null if there is no data.', NOON),
    ...utilityFigures,
  },
  {
    title: 'SpaceUtilities',
    ...closed,
    description: 'The consumption of a space in the latest full hour with data.',
  },
)

export const SpaceUtilitiesHistory = Type.Object(
  { spaceId, data: history('UtilitiesDay', 'The consumption', 'day', { date: Day, ...utilityFigures }) },
  { title: 'SpaceUtilitiesHistory', ...closed, description: 'The consumption of a space by day.' },
)

export const SpaceUtilitiesMonthly = Type.Object(
  {
    spaceId,
    data: history('UtilitiesMonth', 'The consumption', 'month', { month: Month, ...utilityFigures }),
  },
  { title: 'SpaceUtilitiesMonthly', ...closed, description: 'The consumption of a space by month.' },
)

const Sensed = Type.Object(
  {
    value: about(NullableNumber, 'The mean of the hour; null without data.', 20.4),
    unit: unit('degC'),
    timestamp: about(NullableTime, 'Start of the hour; null without data.', NOON),
  },
  { title: 'Sensed', ...closed, description: 'A climate value with the time at which it was measured.' },
)

export const SpaceMultiSensor = Type.Object(
  {
    spaceId,
    timestamp: about(NullableTime, 'The newest of the timestamps below; null without data.', NOON),
    ...perMetric(V1_ENVIRONMENT, Sensed, { value: 20.4, unit: 'degC', timestamp: NOON }),
  },
  {
    title: 'SpaceMultiSensor',
    ...closed,
    description: 'The climate of a space, each metric in its latest hour with data.',
  },
)

const SensedDay = Type.Object(
  {
    value: about(NullableNumber, 'The mean of the day; null without data.', 20.1),
    min: about(NullableNumber, 'The lowest reading; null without data.', 17.9),
    max: about(NullableNumber, 'The highest reading; null without data.', 21.6),
    unit: unit('degC'),
  },
  {
    title: 'SensedDay',
    ...closed,
    description: 'The mean of a climate metric over a day, with minimum and maximum.',
  },
)

export const SpaceMultiSensorHistory = Type.Object(
  {
    spaceId,
    data: history('MultiSensorDay', 'The climate', 'day', {
      date: Day,
      ...perMetric(V1_ENVIRONMENT, SensedDay, { value: 20.1, min: 17.9, max: 21.6, unit: 'degC' }),
    }),
  },
  { title: 'SpaceMultiSensorHistory', ...closed, description: 'The climate of a space by day.' },
)

const score = { value: 62, unit: 'score' }

export const SpacePerformance = Type.Object(
  {
    spaceId,
    month: Month,
    performance: about(Figure, 'The score: 50 is as much as peers, 100 is no consumption.', score),
  },
  { title: 'SpacePerformance', ...closed, description: 'The score of a space for the current month.' },
)

export const SpaceUtilitiesPerformance = Type.Object(
  { spaceId, month: Month, ...perMetric(V1_UTILITIES, Figure, score) },
  {
    title: 'SpaceUtilitiesPerformance',
    ...closed,
    description: 'The score of a space for each utility in the current month.',
  },
)

const rankFields = {
  position: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Position by consumption; 1 is the lowest.',
    examples: [7],
  }),
  percentile: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'Share of the compared spaces that used as much or less.',
    examples: [23.3],
  }),
  peers: Type.Integer({ description: 'Number of compared spaces, including this one.', examples: [30] }),
}

const UtilityRank = Type.Object(
  {
    ...rankFields,
    value: about(NullableNumber, 'Consumption of the month so far, without suspect days.', 88.3),
    unit: unit('kWh'),
  },
  { title: 'UtilityRank', ...closed, description: 'The rank of a space by its consumption of one utility.' },
)

export const SpaceRank = Type.Object(
  {
    spaceId,
    month: Month,
    ...rankFields,
    ...perMetric(V1_UTILITIES, UtilityRank, {
      position: 7,
      percentile: 23.3,
      peers: 30,
      value: 88.3,
      unit: 'kWh',
    }),
  },
  {
    title: 'SpaceRank',
    ...closed,
    description: 'The rank of a space among the spaces of its type, by consumption in the current month.',
  },
)

export const SpaceTip = Type.Object(
  {
    spaceId,
    tip: Type.String({
      description: 'A hint for the resident.',
      examples: ['Electricity use was 18 % above that of similar rooms this month.'],
    }),
    metricType: about(NullableString, 'The metric that the tip is about; null if none.', 'electricity'),
    value: about(NullableNumber, 'The value that the tip is about; null if none.', 88.3),
    unit: about(NullableString, 'The unit of the value; null if there is none.', 'kWh'),
    timestamp: about(NullableTime, 'Local time of the value; null if there is none.', NOON),
  },
  { title: 'SpaceTip', ...closed, description: 'A hint for the resident of a space.' },
)

export const SpaceCarbonEmissions = Type.Object(
  {
    spaceId,
    unit: unit('kgCO2e'),
    total: about(NullableNumber, 'Emissions of the range; null without data.', 14.2),
    data: history('EmissionsDay', 'The emissions', 'day', {
      date: Day,
      value: about(NullableNumber, 'Emissions of the day; null without data.', 0.95),
    }),
    isSynthetic: Type.Boolean({
      description: 'Whether some of the carbon intensity is synthetic, because no source was available.',
      examples: [false],
    }),
  },
  { title: 'SpaceCarbonEmissions', ...closed, description: 'The emissions of a space by day.' },
)
