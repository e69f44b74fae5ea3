import { BuildingResponses } from '@portico/wire/v1/building-and-site'
import { RangeQuery } from '@portico/wire/v1/query'
import { estimateOccupancyHistory, occupancyHistory, isInBuilding } from '../place.ts'
import { buildingRoute } from '../route.ts'

export const buildingOccupancyHistory = buildingRoute(
  {
    summary: 'Hourly occupancy of a building',
    description:
      'The mean of each hour in the site’s local time. Default: the last 30 days; at most 31 days.',
    query: RangeQuery,
    answer: BuildingResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInBuilding(call.building)),
  },
  async (call) => ({
    buildingId: call.building.legacyId,
    ...(await occupancyHistory(call, isInBuilding(call.building))),
  }),
)
