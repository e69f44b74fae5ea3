import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { generationMix } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteCarbonGenerationMix = siteRoute(
  {
    summary: 'Generation mix of the electricity at a site',
    description: 'Share of each fuel in per cent.',
    answer: SiteResponses.CarbonGenerationMix,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await generationMix(call)) }),
)
