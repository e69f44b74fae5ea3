import type {
  InventoryDevice,
  InventoryDocument,
  MetricSpec,
} from '../../src/domain/estate/inventory/inventory.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { MeasuredMetric } from '../../src/domain/metric/catalogue.ts'
import { newInventory } from './seed.ts'

export const REGISTER: MetricSpec = { kind: 'register', registerSize: null, maxPerHour: null }
export const DELTA: MetricSpec = { kind: 'delta', registerSize: null, maxPerHour: null }
export const GAUGE: MetricSpec = { kind: 'gauge', registerSize: null, maxPerHour: null }

/** A site with some spaces in one building, and devices in them by the index of the space. */
export function makeSmallSite(
  timeZone: string,
  spaceCount: number,
  devices: readonly { space: number; metrics: Partial<Record<MeasuredMetric, MetricSpec>> }[],
): InventoryDocument {
  const buildingUuid = newUuid()
  const spaces = Array.from({ length: spaceCount }, (_, index) => ({
    spaceUuid: newUuid(),
    spaceName: `Room ${index}`,
    spaceType: 'bedroom' as const,
    buildingUuid,
    floorNumber: 1,
    clusterUuid: null,
    clusterName: null,
    areaM2: null,
    capacity: 1,
    legacyId: null,
    targets: {},
  }))
  return {
    ...newInventory({ timeZone }),
    buildings: [{ buildingUuid, buildingName: 'One', legacyId: null }],
    spaces,
    devices: devices.map(
      ({ space, metrics }, index): InventoryDevice => ({
        deviceUuid: newUuid(),
        deviceName: `Device ${index}`,
        deviceType: 'electricityMeter',
        spaceUuid: spaces[space]?.spaceUuid ?? '',
        since: null,
        gatewayUuid: null,
        manufacturer: null,
        model: null,
        serialNumber: null,
        firmwareVersion: null,
        installedAt: null,
        metrics,
        capabilities: {},
      }),
    ),
  }
}
