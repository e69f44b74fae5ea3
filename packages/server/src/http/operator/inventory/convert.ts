import type { Static } from 'typebox'
import type { Inventory, InventoryChanges, InventoryMetric } from '@portico/wire/operator/inventory'
import { AppError } from '../../../kernel/errors.ts'
import type {
  InventoryDevice,
  InventoryDocument,
  MetricSpec,
} from '../../../domain/estate/inventory/inventory.ts'
import type { InventoryPlan } from '../../../domain/estate/inventory/service.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { parseZoneName } from '../../../calendar/zone.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'

/**
 * Converts the document to the domain's form: nothing optional, identifiers in lower case, times as instants, the time
 * zone in the IANA database's spelling.
 */
export const fromWireInventory = (wire: Inventory): InventoryDocument => ({
  site: {
    siteUuid: wire.site.siteUuid.toLowerCase(),
    siteName: wire.site.siteName,
    timeZone: parseZoneName(wire.site.timeZone) ?? wire.site.timeZone,
    legacyId: wire.site.legacyId ?? null,
    latitude: wire.site.latitude ?? null,
    longitude: wire.site.longitude ?? null,
    postcode: wire.site.postcode ?? null,
    sandbox: wire.site.sandbox ?? false,
    policy: wire.site.policy ?? {},
  },
  buildings: wire.buildings.map((building) => ({
    buildingUuid: building.buildingUuid.toLowerCase(),
    buildingName: building.buildingName,
    legacyId: building.legacyId ?? null,
  })),
  spaces: wire.spaces.map((space) => ({
    spaceUuid: space.spaceUuid.toLowerCase(),
    spaceName: space.spaceName,
    spaceType: space.spaceType,
    buildingUuid: space.buildingUuid.toLowerCase(),
    floorNumber: space.floorNumber ?? null,
    clusterUuid: space.clusterUuid?.toLowerCase() ?? null,
    clusterName: space.clusterName ?? null,
    areaM2: space.areaM2 ?? null,
    capacity: space.capacity ?? null,
    legacyId: space.legacyId ?? null,
    targets: space.targets ?? {},
  })),
  devices: wire.devices.map((device, index) => fromWireDevice(device, `devices.${index}`)),
})

const fromWireDevice = (device: Inventory['devices'][number], field: string): InventoryDevice => ({
  deviceUuid: device.deviceUuid.toLowerCase(),
  deviceName: device.deviceName,
  deviceType: device.deviceType,
  spaceUuid: device.spaceUuid.toLowerCase(),
  since: parseInstant(device.since, `${field}.since`),
  gatewayUuid: device.gatewayUuid?.toLowerCase() ?? null,
  manufacturer: device.manufacturer ?? null,
  model: device.model ?? null,
  serialNumber: device.serialNumber ?? null,
  firmwareVersion: device.firmwareVersion ?? null,
  installedAt: parseInstant(device.installedAt, `${field}.installedAt`),
  ...(device.submeterOf ? { submeterOf: device.submeterOf.toLowerCase() } : {}),
  metrics: Object.fromEntries(
    Object.entries(device.metrics ?? {}).map(([metric, spec]): [string, MetricSpec] => [
      metric,
      fromWireMetric(spec),
    ]),
  ),
  capabilities: device.capabilities ?? {},
})

/** Always in the same order, so that equal records have the same text. */
const fromWireMetric = ({
  kind,
  registerSize,
  maxPerHour,
  maxGapMinutes,
  of,
  stamp,
  stepMinutes,
}: Metric): MetricSpec => ({
  kind,
  registerSize: registerSize ?? null,
  maxPerHour: maxPerHour ?? null,
  ...(maxGapMinutes === undefined ? {} : { maxGapMinutes }),
  ...(of === undefined ? {} : { of }),
  ...(stamp === undefined ? {} : { stamp }),
  ...(stepMinutes === undefined ? {} : { stepMinutes }),
})

function parseInstant(text: string | null | undefined, field: string): number | null {
  if (text === null || text === undefined) return null
  const at = Date.parse(text)
  if (Number.isNaN(at)) {
    const message = 'must be a time that exists'
    throw new AppError('validation-error', `${field} ${message}.`, {
      errors: [{ field, code: 'malformed', message }],
    })
  }
  return at
}

const MAX_LISTED_ARCHIVED = 1_000

export const toWirePlan = ({ changes, archived, records }: InventoryPlan): InventoryChanges => ({
  ...changes,
  archivedRecords: archived.slice(0, MAX_LISTED_ARCHIVED),
  changes: [...records],
})

export const toWireInventory = (document: InventoryDocument): Inventory => ({
  site: { ...document.site, legacyId: document.site.legacyId ?? 1 },
  buildings: document.buildings.map((building) => ({ ...building, legacyId: building.legacyId ?? 1 })),
  spaces: document.spaces.map((space) => ({ ...space, legacyId: space.legacyId ?? 1 })),
  devices: document.devices.map(({ since, installedAt, metrics, ...device }) => ({
    ...device,
    ...(since === null ? {} : { since: isoInstant(since) }),
    installedAt: installedAt === null ? null : isoInstant(installedAt),
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([metric, spec]): [MeasuredMetric, Metric] => [
        metric as MeasuredMetric,
        toWireMetric(spec),
      ]),
    ) as NonNullable<Inventory['devices'][number]['metrics']>,
  })),
})

type Metric = Static<typeof InventoryMetric>

const toWireMetric = ({ registerSize, maxPerHour, ...spec }: MetricSpec): Metric => ({
  ...spec,
  ...(registerSize === null ? {} : { registerSize }),
  ...(maxPerHour === null ? {} : { maxPerHour }),
})
