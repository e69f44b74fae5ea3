import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { occupancy, isInSite } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteOccupancy = siteRoute(
  {
    summary: 'Current occupancy of a site',
    description:
      'Sum of the latest counts, at most two hours old, over the spaces that count people. `capacity` covers the same spaces, `percentage` those whose capacity is known.',
    answer: SiteResponses.Occupancy,
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancy(call, isInSite)),
  }),
)
