import type { V1Path } from '../../domain/v1-lifecycle/catalogue.ts'
import {
  buildingCarbonGenerationMix,
  buildingCarbonIntensity,
  buildingOccupancyHistory,
  buildingOccupancy,
  buildingWeather,
} from './buildings.ts'
import { buildingImage, tenantLogo } from './images.ts'
import type { V1Route } from './route.ts'
import {
  siteCarbonGenerationMix,
  siteCarbonIntensity,
  siteOccupancyHistory,
  siteOccupancy,
  siteWeather,
} from './sites.ts'
import { spaceCarbonEmissions } from './spaces/carbon-emissions.ts'
import { spaceDetails } from './spaces/details.ts'
import { spaceMultiSensorHistory, spaceMultiSensor } from './spaces/multi-sensor.ts'
import { spacePerformance, spaceUtilitiesPerformance } from './spaces/performance.ts'
import { spaceRank } from './spaces/rank.ts'
import { spaceTip } from './spaces/tip.ts'
import { spaceUtilitiesHistory, spaceUtilities, spaceUtilitiesMonthly } from './spaces/utilities.ts'

/** The route of each endpoint in the catalogue. */
export const V1_ROUTES: Record<V1Path, V1Route> = {
  '/spaces/details/{spaceId}': spaceDetails,
  '/spaces/utilities/{spaceId}': spaceUtilities,
  '/spaces/utilities/{spaceId}/history': spaceUtilitiesHistory,
  '/spaces/utilities/{spaceId}/monthly': spaceUtilitiesMonthly,
  '/spaces/multiSensor/{spaceId}': spaceMultiSensor,
  '/spaces/multiSensor/{spaceId}/history': spaceMultiSensorHistory,
  '/spaces/performance/{spaceId}': spacePerformance,
  '/spaces/utilities/performance/{spaceId}': spaceUtilitiesPerformance,
  '/buildings/occupancy/{buildingId}': buildingOccupancy,
  '/buildings/occupancy/{buildingId}/history': buildingOccupancyHistory,
  '/sites/occupancy/{siteId}': siteOccupancy,
  '/sites/occupancy/{siteId}/history': siteOccupancyHistory,
  '/spaces/utilities/rank/{spaceId}': spaceRank,
  '/spaces/tip/{spaceId}': spaceTip,
  '/tenant/logo': tenantLogo,
  '/building/image/{buildingId}': buildingImage,
  '/buildings/weather/{buildingId}': buildingWeather,
  '/sites/weather/{siteId}': siteWeather,
  '/buildings/carbonIntensity/{buildingId}': buildingCarbonIntensity,
  '/buildings/carbonIntensity/{buildingId}/carbonGenerationMix': buildingCarbonGenerationMix,
  '/sites/carbonIntensity/{siteId}': siteCarbonIntensity,
  '/sites/carbonIntensity/{siteId}/carbonGenerationMix': siteCarbonGenerationMix,
  '/spaces/carbonEmissions/{spaceId}': spaceCarbonEmissions,
}
