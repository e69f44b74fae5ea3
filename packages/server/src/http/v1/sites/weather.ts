import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { weather } from '../place.ts'
import { siteRoute } from '../route.ts'

export const siteWeather = siteRoute(
  {
    summary: 'Current weather at a site',
    description: 'Temperature in degC, humidity in %, wind in m/s, precipitation in mm.',
    answer: SiteResponses.Weather,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await weather(call)) }),
)
