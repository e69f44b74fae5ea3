import { type Static, Type } from 'typebox'
import {
  Day,
  Figure,
  LegacyId,
  Month,
  NullableNumber,
  NullableString,
  NullableTime,
  perMetric,
  V1_ENVIRONMENT,
  V1_UTILITIES,
} from './common.ts'

const closed = { additionalProperties: false }

export const SpaceDetails = Type.Object(
  {
    spaceId: LegacyId,
    spaceName: Type.String(),
    spaceType: Type.String(),
    siteId: LegacyId,
    siteName: Type.String(),
    buildingId: LegacyId,
    buildingName: Type.String(),
    floorNumber: NullableNumber,
    clusterName: NullableString,
    areaM2: NullableNumber,
    capacity: NullableNumber,
    timeZone: Type.String(),
    metricTypes: Type.Array(Type.String()),
    deviceCount: Type.Integer(),
    occupancy: NullableNumber,
  },
  { title: 'SpaceDetails', ...closed },
)
export type SpaceDetails = Static<typeof SpaceDetails>

const utilityFigures = perMetric(V1_UTILITIES, Figure)

export const SpaceUtilities = Type.Object(
  { spaceId: LegacyId, timestamp: NullableTime, ...utilityFigures },
  { title: 'SpaceUtilities', ...closed },
)

export const SpaceUtilitiesHistory = Type.Object(
  { spaceId: LegacyId, data: Type.Array(Type.Object({ date: Day, ...utilityFigures }, closed)) },
  { title: 'SpaceUtilitiesHistory', ...closed },
)

export const SpaceUtilitiesMonthly = Type.Object(
  { spaceId: LegacyId, data: Type.Array(Type.Object({ month: Month, ...utilityFigures }, closed)) },
  { title: 'SpaceUtilitiesMonthly', ...closed },
)

const Sensed = Type.Object(
  { value: NullableNumber, unit: Type.String(), timestamp: NullableTime },
  { title: 'Sensed', ...closed },
)

export const SpaceMultiSensor = Type.Object(
  { spaceId: LegacyId, timestamp: NullableTime, ...perMetric(V1_ENVIRONMENT, Sensed) },
  { title: 'SpaceMultiSensor', ...closed },
)

const SensedDay = Type.Object(
  { value: NullableNumber, min: NullableNumber, max: NullableNumber, unit: Type.String() },
  { title: 'SensedDay', ...closed },
)

export const SpaceMultiSensorHistory = Type.Object(
  {
    spaceId: LegacyId,
    data: Type.Array(Type.Object({ date: Day, ...perMetric(V1_ENVIRONMENT, SensedDay) }, closed)),
  },
  { title: 'SpaceMultiSensorHistory', ...closed },
)

export const SpacePerformance = Type.Object(
  { spaceId: LegacyId, month: Month, performance: Figure },
  { title: 'SpacePerformance', ...closed },
)

export const SpaceUtilitiesPerformance = Type.Object(
  { spaceId: LegacyId, month: Month, ...utilityFigures },
  { title: 'SpaceUtilitiesPerformance', ...closed },
)

const rankFields = {
  position: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Position by consumption; 1 is the lowest.',
  }),
  percentile: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'Share of the compared spaces that used as much or less.',
  }),
  peers: Type.Integer({ description: 'Number of compared spaces, including this one.' }),
}

const UtilityRank = Type.Object(
  { ...rankFields, value: NullableNumber, unit: Type.String() },
  { title: 'UtilityRank', ...closed },
)

export const SpaceRank = Type.Object(
  { spaceId: LegacyId, month: Month, ...rankFields, ...perMetric(V1_UTILITIES, UtilityRank) },
  { title: 'SpaceRank', ...closed },
)

export const SpaceTip = Type.Object(
  {
    spaceId: LegacyId,
    tip: Type.String(),
    metricType: NullableString,
    value: NullableNumber,
    unit: NullableString,
    timestamp: NullableTime,
  },
  { title: 'SpaceTip', ...closed },
)

export const SpaceCarbonEmissions = Type.Object(
  {
    spaceId: LegacyId,
    unit: Type.String(),
    total: NullableNumber,
    data: Type.Array(Type.Object({ date: Day, value: NullableNumber }, closed)),
    isSynthetic: Type.Boolean({
      description: 'Whether some of the carbon intensity is synthetic, because no source was available.',
    }),
  },
  { title: 'SpaceCarbonEmissions', ...closed },
)
