import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { matchesFilter } from '../matches-filter.ts'

/** Which devices a request is about. */
export interface DeviceFilters {
  deviceUuids?: string | undefined
  deviceType?: string | undefined
  spaceUuid?: string | undefined
  buildingUuid?: string | undefined
  clusterUuid?: string | undefined
}

/** The devices that match all filters, by identifier. */
export const selectDevices = (
  devices: readonly Device[],
  { deviceType, spaceUuid, buildingUuid, clusterUuid }: DeviceFilters,
): ReadonlyMap<string, Device> =>
  new Map(
    devices
      .filter(
        ({ record, space }) =>
          (deviceType === undefined || record.deviceType === deviceType) &&
          matchesFilter(spaceUuid, space.spaceUuid) &&
          matchesFilter(buildingUuid, space.buildingUuid) &&
          matchesFilter(clusterUuid, space.clusterUuid),
      )
      .map((device) => [device.record.deviceUuid, device]),
  )
