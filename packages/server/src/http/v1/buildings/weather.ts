import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { weather } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingWeather = buildingRoute(
  {
    summary: 'Current weather at a building',
    description: 'Temperature in degC, humidity in %, wind in m/s, precipitation in mm.',
    answer: BuildingResponses.Weather,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await weather(call)) }),
)
