import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { RangeQuery } from '@portico/wire/v1/query'
import {
  occupancy,
  isInBuilding,
  estimateOccupancyHistory,
  occupancyHistory,
  weather,
  carbonIntensity,
  generationMix,
} from './building-and-site.ts'
import { buildingRoute } from './route.ts'

export const buildingOccupancy = buildingRoute(
  {
    summary: 'Current occupancy of a building',
    description:
      'Sum of the latest counts, at most two hours old, over the spaces that count people. `capacity` covers the same spaces, `percentage` those whose capacity is known.',
    response: BuildingResponses.Occupancy,
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancy(call, isInBuilding(call.building))),
  }),
)

export const buildingOccupancyHistory = buildingRoute(
  {
    summary: 'Hourly occupancy of a building',
    description:
      'The mean of each hour in the site’s local time. Default: the last 30 days; at most 31 days.',
    query: RangeQuery,
    response: BuildingResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInBuilding(call.building)),
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancyHistory(call, isInBuilding(call.building))),
  }),
)

export const buildingWeather = buildingRoute(
  {
    summary: 'Current weather at a building',
    description: 'Temperature in degC, humidity in %, wind in m/s, precipitation in mm.',
    response: BuildingResponses.Weather,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await weather(call)) }),
)

export const buildingCarbonIntensity = buildingRoute(
  {
    summary: 'Carbon intensity of the grid at a building',
    description: 'The value of the current half hour.',
    response: BuildingResponses.CarbonIntensity,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await carbonIntensity(call)) }),
)

export const buildingCarbonGenerationMix = buildingRoute(
  {
    summary: 'Generation mix of the electricity at a building',
    description: 'Share of each fuel in percent.',
    response: BuildingResponses.CarbonGenerationMix,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await generationMix(call)) }),
)
