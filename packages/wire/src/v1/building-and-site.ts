import { type TSchema, Type } from 'typebox'
import { LegacyId, LocalTime, NullableNumber, NullableTime } from './common.ts'

const closed = { additionalProperties: false }

const occupancyFields = {
  occupied: NullableNumber,
  capacity: NullableNumber,
  percentage: NullableNumber,
}

const sourceFields = {
  isSynthetic: Type.Boolean({ description: 'The value is synthetic, because no source is configured.' }),
  isStale: Type.Boolean({ description: 'The source is unavailable: this is its last value.' }),
}

const weatherFields = {
  temperature: NullableNumber,
  humidity: NullableNumber,
  windSpeed: NullableNumber,
  precipitation: NullableNumber,
  condition: Type.Union([Type.String(), Type.Null()]),
  timestamp: NullableTime,
  ...sourceFields,
}

const intensityFields = {
  from: LocalTime,
  to: LocalTime,
  intensity: NullableNumber,
  unit: Type.String(),
  index: Type.Union([Type.String(), Type.Null()]),
  isForecast: Type.Boolean(),
  ...sourceFields,
}

const mixFields = {
  timestamp: LocalTime,
  generationMix: Type.Array(
    Type.Object({ fuel: Type.String(), percentage: Type.Number() }, { title: 'FuelShare', ...closed }),
  ),
  ...sourceFields,
}

/** The responses for a building and for a site differ only in the name of the identifier. */
const forPlace = <N extends string>(prefix: string, idName: N) => {
  const named = <F extends Record<string, TSchema>>(title: string, fields: F) =>
    Type.Object({ [idName]: LegacyId, ...fields }, { title: `${prefix}${title}`, ...closed })
  return {
    Occupancy: named('Occupancy', { ...occupancyFields, timestamp: NullableTime }),
    OccupancyHistory: named('OccupancyHistory', {
      data: Type.Array(Type.Object({ timestamp: LocalTime, ...occupancyFields }, closed)),
    }),
    Weather: named('Weather', weatherFields),
    CarbonIntensity: named('CarbonIntensity', intensityFields),
    CarbonGenerationMix: named('CarbonGenerationMix', mixFields),
  }
}

export const BuildingResponses = forPlace('Building', 'buildingId')
export const SiteResponses = forPlace('Site', 'siteId')
