import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { occupancy, isInBuilding } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingOccupancy = buildingRoute(
  {
    summary: 'The people in a building now',
    description:
      'Counts of the last two hours, added over the spaces that count people; `capacity` is of the same spaces, `percentage` of those whose capacity is known.',
    answer: BuildingResponses.Occupancy,
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancy(call, isInBuilding(call.building))),
  }),
)
