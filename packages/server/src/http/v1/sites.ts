import { SiteResponses } from '@portico/wire/v1/building-and-site'
import { RangeQuery } from '@portico/wire/v1/query'
import {
  occupancy,
  isInSite,
  estimateOccupancyHistory,
  occupancyHistory,
  weather,
  carbonIntensity,
  generationMix,
} from './building-and-site.ts'
import { siteRoute } from './route.ts'

export const siteOccupancy = siteRoute(
  {
    summary: 'Current occupancy of a site',
    description:
      'Sum of the latest counts, at most two hours old, over the spaces that count people. `capacity` covers the same spaces, `percentage` those whose capacity is known.',
    response: SiteResponses.Occupancy,
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancy(call, isInSite)),
  }),
)

export const siteOccupancyHistory = siteRoute(
  {
    summary: 'Hourly occupancy of a site',
    description:
      'The mean of each hour in the site’s local time. Default: the last 30 days; at most 31 days.',
    query: RangeQuery,
    response: SiteResponses.OccupancyHistory,
    estimateCost: (call) => estimateOccupancyHistory(call, isInSite),
  },
  async (call) => ({
    siteId: call.model.site.legacyId,
    ...(await occupancyHistory(call, isInSite)),
  }),
)

export const siteWeather = siteRoute(
  {
    summary: 'Current weather at a site',
    description: 'Temperature in degC, humidity in %, wind in m/s, precipitation in mm.',
    response: SiteResponses.Weather,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await weather(call)) }),
)

export const siteCarbonIntensity = siteRoute(
  {
    summary: 'Carbon intensity of the grid at a site',
    description: 'The value of the current half hour.',
    response: SiteResponses.CarbonIntensity,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await carbonIntensity(call)) }),
)

export const siteCarbonGenerationMix = siteRoute(
  {
    summary: 'Generation mix of the electricity at a site',
    description: 'Share of each fuel in percent.',
    response: SiteResponses.CarbonGenerationMix,
  },
  async (call) => ({ siteId: call.model.site.legacyId, ...(await generationMix(call)) }),
)
