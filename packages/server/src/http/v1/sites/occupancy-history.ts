import { RangeQuery } from '@portico/wire/v1/query'
import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { estimateOccupancyHistory, occupancyHistory, isInSite } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteOccupancyHistory = siteRoute(
  {
    summary: 'Hourly occupancy of a site',
    description:
      'The mean of each hour in the site’s local time. Default: the last 30 days; at most 31 days.',
    query: RangeQuery,
    answer: SiteResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInSite),
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancyHistory(call, isInSite)),
  }),
)
