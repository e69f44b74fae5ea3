import type { V1Path } from '../../domain/v1-lifecycle/catalogue.ts'
import { buildingCarbonGenerationMix } from './buildings/carbon-generation-mix.ts'
import { buildingCarbonIntensity } from './buildings/carbon-intensity.ts'
import { buildingImage } from './buildings/image.ts'
import { buildingOccupancyHistory } from './buildings/occupancy-history.ts'
import { buildingOccupancy } from './buildings/occupancy.ts'
import { buildingWeather } from './buildings/weather.ts'
import type { V1Route } from './route.ts'
import { siteCarbonGenerationMix } from './sites/carbon-generation-mix.ts'
import { siteCarbonIntensity } from './sites/carbon-intensity.ts'
import { siteOccupancyHistory } from './sites/occupancy-history.ts'
import { siteOccupancy } from './sites/occupancy.ts'
import { siteWeather } from './sites/weather.ts'
import { spaceCarbonEmissions } from './spaces/carbon-emissions.ts'
import { spaceDetails } from './spaces/details.ts'
import { spaceMultiSensorHistory } from './spaces/multi-sensor-history.ts'
import { spaceMultiSensor } from './spaces/multi-sensor.ts'
import { spacePerformance } from './spaces/performance.ts'
import { spaceRank } from './spaces/rank.ts'
import { spaceTip } from './spaces/tip.ts'
import { spaceUtilitiesHistory } from './spaces/utilities-history.ts'
import { spaceUtilitiesMonthly } from './spaces/utilities-monthly.ts'
import { spaceUtilitiesPerformance } from './spaces/utilities-performance.ts'
import { spaceUtilities } from './spaces/utilities.ts'
import { tenantLogo } from './tenant/logo.ts'

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
