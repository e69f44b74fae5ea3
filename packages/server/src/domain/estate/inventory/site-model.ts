import { type Zone, getZone } from '../../../calendar/zone.ts'
import { getMaxPerHour, type MeasuredMetric, type MetricName } from '../../metric/catalogue.ts'
import {
  type BuildingRecord,
  DEFAULT_POLICY,
  type DeviceRecord,
  type MetricSpec,
  type SitePolicy,
  type SiteRecord,
  type SpaceRecord,
} from './inventory.ts'
import type { Placement } from './placement.ts'
import type { StoredDevice, StoredInventory } from './store.ts'

/** A device placement with one of its metrics. The series of a space is computed from them. */
export interface PlacedSeries {
  seriesId: number
  deviceUuid: string
  spec: MetricSpec
  placement: Placement
}

export interface Device {
  record: DeviceRecord
  space: SpaceRecord
  series: Partial<Record<MeasuredMetric, number>>
}

/** In-memory model of one site. Archived records cannot be found by their identifiers. */
export interface SiteModel {
  version: number
  site: SiteRecord
  zone: Zone
  policy: SitePolicy
  buildings: ReadonlyMap<string, BuildingRecord>
  /** Ordered by name. */
  spaces: ReadonlyMap<string, SpaceRecord>
  devices: ReadonlyMap<string, Device>
  /** By their ids in version 1. */
  byLegacyId: {
    buildings: ReadonlyMap<number, BuildingRecord>
    spaces: ReadonlyMap<number, SpaceRecord>
  }
  devicesIn(spaceUuid: string): readonly Device[]
  spacesIn(clusterUuid: string): readonly SpaceRecord[]
  /** Metrics that devices in the space measure now. */
  listMetrics(spaceUuid: string): readonly MetricName[]
  /** Metrics that devices in the space measure now or have measured. */
  everMeasuredIn(spaceUuid: string): readonly MetricName[]
  /** The history of archived spaces counts towards the series of buildings and sites. */
  archivedSpaces: readonly SpaceRecord[]
  /** All placements in the space of devices, including archived ones, that measure the metric. */
  placedSeries(spaceUuid: string, metric: MeasuredMetric): readonly PlacedSeries[]
  /** The id of the combined series of a space's devices. */
  spaceSeries(spaceUuid: string, metric: MeasuredMetric): number | undefined
}

/** The rules for readings of a metric: those that the inventory declares, and defaults. */
export const resolveSpec = (metric: MeasuredMetric, spec: MetricSpec): MetricSpec =>
  spec.kind === 'gauge' || spec.maxPerHour !== null ? spec : { ...spec, maxPerHour: getMaxPerHour(metric) }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function createSiteModel(stored: StoredInventory, metricOrder: readonly MetricName[]): SiteModel {
  const zone = getZone(stored.site.timeZone)
  const site = { ...stored.site, timeZone: zone.name }
  const active = <T extends { isArchived: boolean }>(items: readonly T[]): T[] =>
    items.filter((item) => !item.isArchived)
  const spaceList = active(stored.spaces)
    .map(({ record }) => record)
    .toSorted((a, b) => byText(a.spaceName, b.spaceName) || byText(a.spaceUuid, b.spaceUuid))
  const spaces = new Map(spaceList.map((space) => [space.spaceUuid, space]))
  const devices = new Map<string, Device>()
  for (const { record, series } of active(stored.devices).toSorted((a, b) => byDeviceName(a, b))) {
    const space = spaces.get(record.spaceUuid)
    if (space) devices.set(record.deviceUuid, { record, space, series })
  }
  const devicesBySpace = Map.groupBy(devices.values(), ({ record }) => record.spaceUuid)
  const clusters = Map.groupBy(spaceList, ({ clusterUuid }) => clusterUuid)
  const placed = placedBySpaceAndMetric(stored.devices)
  const buildingList = active(stored.buildings).map(({ record }) => record)
  const seriesOfSpace = new Map(stored.spaces.map(({ record, series }) => [record.spaceUuid, series]))

  return {
    version: stored.version,
    site,
    zone,
    policy: { ...DEFAULT_POLICY, ...site.policy },
    buildings: new Map(buildingList.map((building) => [building.buildingUuid, building])),
    spaces,
    devices,
    byLegacyId: { buildings: byLegacyId(buildingList), spaces: byLegacyId(spaceList) },
    devicesIn: (spaceUuid) => devicesBySpace.get(spaceUuid) ?? [],
    spacesIn: (clusterUuid) => clusters.get(clusterUuid) ?? [],
    listMetrics(spaceUuid) {
      const measured = new Set(
        (devicesBySpace.get(spaceUuid) ?? []).flatMap(({ record }) => Object.keys(record.metrics)),
      )
      return metricOrder.filter((metric) => measured.has(metric))
    },
    everMeasuredIn: (spaceUuid) => metricOrder.filter((metric) => placed.get(spaceUuid)?.has(metric)),
    archivedSpaces: stored.spaces.filter(({ isArchived }) => isArchived).map(({ record }) => record),
    placedSeries: (spaceUuid, metric) => placed.get(spaceUuid)?.get(metric) ?? NONE_PLACED,
    spaceSeries: (spaceUuid, metric) => seriesOfSpace.get(spaceUuid)?.[metric],
  }
}

const byLegacyId = <T extends { legacyId: number | null }>(records: readonly T[]): Map<number, T> =>
  new Map(records.flatMap((record) => (record.legacyId === null ? [] : [[record.legacyId, record]])))

const byDeviceName = (a: StoredDevice, b: StoredDevice): number =>
  byText(a.record.deviceName, b.record.deviceName) || byText(a.record.deviceUuid, b.record.deviceUuid)

const NONE_PLACED: readonly PlacedSeries[] = []

function placedBySpaceAndMetric(devices: readonly StoredDevice[]): Map<string, Map<string, PlacedSeries[]>> {
  const placed = new Map<string, Map<string, PlacedSeries[]>>()
  for (const { record, placements, series } of devices) {
    for (const [metric, declared] of Object.entries(record.metrics)) {
      const seriesId = series[metric as MeasuredMetric]
      if (seriesId === undefined) continue
      const spec = resolveSpec(metric as MeasuredMetric, declared)
      for (const placement of placements) {
        let ofSpace = placed.get(placement.spaceUuid)
        if (!ofSpace) placed.set(placement.spaceUuid, (ofSpace = new Map()))
        let ofMetric = ofSpace.get(metric)
        if (!ofMetric) ofSpace.set(metric, (ofMetric = []))
        ofMetric.push({ seriesId, deviceUuid: record.deviceUuid, spec, placement })
      }
    }
  }
  return placed
}
