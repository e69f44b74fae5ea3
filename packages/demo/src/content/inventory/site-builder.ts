import type { Inventory } from '@portico/wire/operator/inventory'
import { uniform, toSeed } from '../model/noise.ts'
import { toDeviceUuid, nameUuid } from '../name-uuid.ts'
import type { Device, Product } from './product.ts'

export type Space = Inventory['spaces'][number]

export interface Building {
  buildingUuid: string
  buildingName: string
}

export interface SpaceDetails extends Pick<Space, 'spaceType' | 'areaM2' | 'capacity'> {
  building: Building
  floorNumber: number
  /** The flat that the space belongs to. */
  cluster?: string
  targets?: NonNullable<Space['targets']>
}

/** Names a device by its space and its role there. */
export interface Role {
  space: string
  role: string
}

export interface SiteBuilder {
  building(name: string): Building
  /** Returns the space's name, by which devices refer to it. */
  space(name: string, details: SpaceDetails): string
  /** `meter`: the device whose meter includes what this one measures. */
  device(space: string, role: string, product: Product, name: string, meter?: Role): void
  inventory(): Inventory
}

const INSTALLED_FROM_MS = Date.UTC(2024, 6, 8, 8)
const INSTALLED_WITHIN_DAYS = 45
const DAY_MS = 86_400_000

/**
 * Builds a site's inventory document. Legacy identifiers are counted from `firstLegacyId`, separately for each type.
 */
export function buildSite(
  site: Inventory['site'],
  { firstLegacyId, gatewayUuid }: { firstLegacyId: number; gatewayUuid?: string },
): SiteBuilder {
  const { siteName } = site
  const buildings: Inventory['buildings'] = []
  const spaces: Space[] = []
  const devices: Device[] = []
  const toSpaceUuid = (space: string): string => nameUuid(`${siteName}/space/${space}`)

  return {
    building(buildingName) {
      const building = { buildingUuid: nameUuid(`${siteName}/building/${buildingName}`), buildingName }
      buildings.push({ ...building, legacyId: firstLegacyId + buildings.length })
      return building
    },
    space(spaceName, { building, cluster, targets, ...details }) {
      spaces.push({
        spaceUuid: toSpaceUuid(spaceName),
        spaceName,
        ...details,
        buildingUuid: building.buildingUuid,
        clusterUuid: cluster === undefined ? null : nameUuid(`${siteName}/cluster/${cluster}`),
        clusterName: cluster ?? null,
        legacyId: firstLegacyId + spaces.length,
        ...(targets && { targets }),
      })
      return spaceName
    },
    device(space, role, product, deviceName, meter) {
      const deviceUuid = toDeviceUuid(siteName, space, role)
      const { serialPrefix, isWireless, metrics, ...shared } = product
      devices.push({
        deviceUuid,
        deviceName,
        spaceUuid: toSpaceUuid(space),
        ...shared,
        ...(isWireless && gatewayUuid !== undefined && { gatewayUuid }),
        serialNumber: toSerialNumber(serialPrefix, deviceUuid),
        installedAt: installedAt(deviceUuid),
        ...(meter && { submeterOf: toDeviceUuid(siteName, meter.space, meter.role) }),
        metrics,
      })
    },
    inventory: () => ({ site, buildings, spaces, devices }),
  }
}

const toSerialNumber = (prefix: string, deviceUuid: string): string =>
  `${prefix}-24${String(Math.floor(1e6 * uniform(toSeed(deviceUuid), 1))).padStart(6, '0')}`

/** A date in the summer before the house opened. */
function installedAt(deviceUuid: string): string {
  const seed = toSeed(deviceUuid)
  const days = Math.floor(INSTALLED_WITHIN_DAYS * uniform(seed, 2))
  const quarterHours = Math.floor(32 * uniform(seed, 3))
  return new Date(INSTALLED_FROM_MS + days * DAY_MS + quarterHours * 900_000).toISOString()
}
