import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { occupancy, isInSite } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteOccupancy = siteRoute(
  {
    summary: 'The people in a site now',
    description:
      'Counts of the last two hours, added over the spaces that count people; `capacity` is of the same spaces, `percentage` of those whose capacity is known.',
    answer: SiteResponses.Occupancy,
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancy(call, isInSite)),
  }),
)
