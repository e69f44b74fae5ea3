import type { Space } from '@portico/wire/v2/space'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'

export const SPACE_COLUMNS = [
  'spaceUuid',
  'spaceName',
  'spaceType',
  'siteUuid',
  'buildingUuid',
  'buildingName',
  'floorNumber',
  'clusterUuid',
  'clusterName',
  'areaM2',
  'capacity',
  'timeZone',
  'metricTypes',
  'deviceCount',
] as const

export const toWireSpace = (model: SiteModel, space: SpaceRecord): Space => ({
  spaceUuid: space.spaceUuid,
  spaceName: space.spaceName,
  spaceType: space.spaceType,
  siteUuid: model.site.siteUuid,
  buildingUuid: space.buildingUuid,
  buildingName: model.buildings.get(space.buildingUuid)?.buildingName ?? '',
  floorNumber: space.floorNumber,
  clusterUuid: space.clusterUuid,
  clusterName: space.clusterName,
  areaM2: space.areaM2,
  capacity: space.capacity,
  timeZone: model.site.timeZone,
  metricTypes: [...model.listMetrics(space.spaceUuid)],
  deviceCount: model.devicesIn(space.spaceUuid).length,
})
