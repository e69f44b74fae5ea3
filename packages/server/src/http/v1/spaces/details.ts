import { SpaceDetails } from '@portico/wire/v1/space'
import { occupancyNow } from '../../../domain/telemetry/insight/overview.ts'
import { spaceRoute } from '../route.ts'

export const spaceDetails = spaceRoute(
  {
    summary: 'A space with its metadata',
    description: 'The space with its type, its location and its current occupancy.',
    response: SpaceDetails,
  },
  async ({ model, space, now, services }): Promise<SpaceDetails> => {
    const { site } = model
    const building = model.buildings.get(space.buildingUuid)
    const latest = await services.readings.latest(site.siteUuid)
    return {
      spaceId: space.legacyId ?? 0,
      spaceName: space.spaceName,
      spaceType: space.spaceType,
      siteId: site.legacyId ?? 0,
      siteName: site.siteName,
      buildingId: building?.legacyId ?? 0,
      buildingName: building?.buildingName ?? '',
      floorNumber: space.floorNumber,
      clusterName: space.clusterName,
      areaM2: space.areaM2,
      capacity: space.capacity,
      timeZone: site.timeZone,
      metricTypes: [...model.listMetrics(space.spaceUuid)],
      deviceCount: model.devicesIn(space.spaceUuid).length,
      occupancy: occupancyNow(model, space, latest, now),
    }
  },
)
