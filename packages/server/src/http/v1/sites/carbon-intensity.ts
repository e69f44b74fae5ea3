import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { carbonIntensity } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteCarbonIntensity = siteRoute(
  {
    summary: 'Carbon intensity of the grid at a site',
    description: 'The value of the current half hour.',
    answer: SiteResponses.CarbonIntensity,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await carbonIntensity(call)) }),
)
