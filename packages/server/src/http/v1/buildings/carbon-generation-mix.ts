import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { generationMix } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingCarbonGenerationMix = buildingRoute(
  {
    summary: 'Generation mix of the electricity at a building',
    description: 'Share of each fuel in per cent.',
    answer: BuildingResponses.CarbonGenerationMix,
  },
  async (call) => ({ buildingId: call.building.legacyId, ...(await generationMix(call)) }),
)
