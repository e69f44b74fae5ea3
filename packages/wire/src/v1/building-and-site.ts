import { type TSchema, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { LegacyId, LocalTime, NullableNumber, NullableString, NullableTime, unit } from './common.ts'

const closed = { additionalProperties: false }

const occupancyFields = {
  occupied: about(NullableNumber, 'People present; null without data.', 57),
  capacity: about(NullableNumber, 'Capacity of the spaces with data; null if unknown.', 83),
  percentage: about(NullableNumber, 'Share of the capacity in percent; null without data.', 68.7),
}

const sourceFields = {
  isSynthetic: Type.Boolean({
    description: 'The value is synthetic, because no source is configured.',
    examples: [false],
  }),
  isStale: Type.Boolean({
    description: 'The source is unavailable: this is its last value.',
    examples: [false],
  }),
}

const weatherFields = {
  temperature: about(NullableNumber, 'Air temperature in degrees Celsius.', 9.4),
  humidity: about(NullableNumber, 'Relative humidity in percent.', 81),
  windSpeed: about(NullableNumber, 'Wind speed in metres per second.', 4.2),
  precipitation: about(NullableNumber, 'Precipitation of the last quarter hour in millimetres.', 0),
  condition: about(NullableString, 'The weather in one word.', 'cloudy'),
  timestamp: about(NullableTime, 'Local time of the weather.', '2026-11-16T09:00:00+00:00'),
  ...sourceFields,
}

const intensityFields = {
  from: about(LocalTime, 'Start of the half hour.', '2026-11-16T09:00:00+00:00'),
  to: about(LocalTime, 'End of the half hour.', '2026-11-16T09:30:00+00:00'),
  intensity: about(NullableNumber, 'Emissions per kWh of electricity from the grid.', 163),
  unit: unit('gCO2/kWh'),
  index: about(NullableString, 'The intensity in words.', 'moderate'),
  isForecast: Type.Boolean({
    description: 'Whether it is a forecast: there is no measured value yet.',
    examples: [false],
  }),
  ...sourceFields,
}

const mixFields = {
  timestamp: about(LocalTime, 'Local time of the mix.', '2026-11-16T09:00:00+00:00'),
  generationMix: Type.Array(
    Type.Object(
      {
        fuel: Type.String({ description: 'The source of the electricity.', examples: ['wind'] }),
        percentage: Type.Number({ description: 'Its share in percent.', examples: [38.2] }),
      },
      {
        title: 'FuelShare',
        ...closed,
        description: 'The share of one source in the generation of electricity.',
      },
    ),
    { description: 'The shares, which add up to 100.' },
  ),
  ...sourceFields,
}

/** The responses for a building and for a site differ only in the name of the identifier. */
const forPlace = <N extends string>(prefix: string, idName: N, id: number) => {
  const named = <F extends Record<string, TSchema>>(title: string, description: string, fields: F) =>
    Type.Object(
      { [idName]: about(LegacyId, `The identifier of the ${prefix.toLowerCase()}.`, id), ...fields },
      { title: `${prefix}${title}`, ...closed, description: `${description} ${prefix.toLowerCase()}.` },
    )
  return {
    Occupancy: named('Occupancy', 'The number of people in the', {
      ...occupancyFields,
      timestamp: about(
        NullableTime,
        'Local time of the value; null without data.',
        '2026-11-16T09:00:00+00:00',
      ),
    }),
    OccupancyHistory: named('OccupancyHistory', 'The number of people by hour in the', {
      data: Type.Array(
        Type.Object(
          {
            timestamp: about(LocalTime, 'Start of the hour.', '2026-11-16T09:00:00+00:00'),
            ...occupancyFields,
          },
          { title: 'OccupancyHour', ...closed, description: 'The occupancy in one hour.' },
        ),
        { description: 'Every hour of the range.' },
      ),
    }),
    Weather: named('Weather', 'The current weather of the', weatherFields),
    CarbonIntensity: named(
      'CarbonIntensity',
      'The carbon intensity of the grid in the current half hour, in the region of the',
      intensityFields,
    ),
    CarbonGenerationMix: named(
      'CarbonGenerationMix',
      'The sources of the electricity of the grid, in the region of the',
      mixFields,
    ),
  }
}

export const BuildingResponses = forPlace('Building', 'buildingId', EXAMPLE.buildingId)
export const SiteResponses = forPlace('Site', 'siteId', EXAMPLE.siteId)
