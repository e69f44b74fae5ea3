import { BuildingAnswers } from '@portico/wire/v1/place'
import { occupancy, spacesOfBuilding } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingOccupancy = buildingRoute(
  {
    summary: 'The people in a building now',
    description:
      'Counts of the last two hours, added over the spaces that count people; `capacity` is of the same spaces.',
    answer: BuildingAnswers.Occupancy,
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancy(call, spacesOfBuilding(call.model, call.building))),
  }),
)
