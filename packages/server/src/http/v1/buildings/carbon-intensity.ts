import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { carbonIntensity } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingCarbonIntensity = buildingRoute(
  {
    summary: 'Carbon intensity of the grid at a building',
    description: 'The value of the current half hour.',
    answer: BuildingResponses.CarbonIntensity,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await carbonIntensity(call)) }),
)
