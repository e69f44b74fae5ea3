import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { RangeQuery } from '@portico/wire/v1/query'
import { estimateOccupancyHistory, occupancyHistory, isInBuilding } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingOccupancyHistory = buildingRoute(
  {
    summary: 'The people in a building, hour by hour',
    description:
      'The mean of each hour of the site’s wall clock, the last 30 days by default; at most 31 days.',
    query: RangeQuery,
    answer: BuildingResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInBuilding(call.building)),
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancyHistory(call, isInBuilding(call.building))),
  }),
)
