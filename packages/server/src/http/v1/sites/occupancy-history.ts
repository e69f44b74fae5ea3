import { RangeQuery } from '@portico/wire/v1/query'
import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { estimateOccupancyHistory, occupancyHistory, isInSite } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteOccupancyHistory = siteRoute(
  {
    summary: 'The people in a site, hour by hour',
    description:
      'The mean of each hour of the site’s wall clock, the last 30 days by default; at most 31 days.',
    query: RangeQuery,
    answer: SiteResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInSite),
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancyHistory(call, isInSite)),
  }),
)
