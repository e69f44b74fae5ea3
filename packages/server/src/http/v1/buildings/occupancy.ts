import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { occupancy, isInBuilding } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingOccupancy = buildingRoute(
  {
    summary: 'Current occupancy of a building',
    description:
      'Sum of the latest counts, at most two hours old, over the spaces that count people. `capacity` covers the same spaces, `percentage` those whose capacity is known.',
    answer: BuildingResponses.Occupancy,
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancy(call, isInBuilding(call.building))),
  }),
)
