import { type Zone, getZone } from '../../../calendar/zone.ts'
import { getCellKind, getMaxPerHour, type MeasuredMetric, type MetricName } from '../../metric/catalogue.ts'
import { countedParts, findMetersAbove, placementsMeasuring } from './counted-placements.ts'
import {
  type BuildingRecord,
  countsInSpace,
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
  /** Oldest first; the last one is in `space`. */
  placements: readonly Placement[]
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
  /** Metrics of the space that its devices measure now: utilities, and the climate of its air. */
  listMetrics(spaceUuid: string): readonly MetricName[]
  /** Metrics of the space that its devices measure now or have measured. */
  everMeasuredIn(spaceUuid: string): readonly MetricName[]
  /** The history of archived spaces counts towards the series of buildings and sites. */
  archivedSpaces: readonly SpaceRecord[]
  /**
   * The placements in the space, including those of archived devices, from which its series of the metric is computed.
   * Gauges of a medium other than air do not count, nor do sub-meters while a meter above them is in the space as well.
   */
  placedSeries(spaceUuid: string, metric: MeasuredMetric): readonly PlacedSeries[]
  /**
   * For each of several spaces, the placements that count in the sum over all of them: without sub-meters while a meter
   * above them is in any of the spaces. Returns the list of `placedSeries` itself if it is the same.
   */
  placedInSum(spaceUuids: readonly string[], metric: MeasuredMetric): readonly (readonly PlacedSeries[])[]
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
  for (const { record, placements, series } of active(stored.devices).toSorted((a, b) =>
    byDeviceName(a, b),
  )) {
    const space = spaces.get(record.spaceUuid)
    if (space) devices.set(record.deviceUuid, { record, space, placements, series })
  }
  const devicesBySpace = Map.groupBy(devices.values(), ({ record }) => record.spaceUuid)
  const clusters = Map.groupBy(spaceList, ({ clusterUuid }) => clusterUuid)
  const placed = placedBySpaceAndMetric(stored.devices)
  const counted = countedPlacements(placed)
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
        (devicesBySpace.get(spaceUuid) ?? []).flatMap(({ record: { deviceType, metrics } }) =>
          Object.entries(metrics).flatMap(([metric, spec]) =>
            countsInSpace(deviceType, spec) ? metric : [],
          ),
        ),
      )
      return metricOrder.filter((metric) => measured.has(metric))
    },
    everMeasuredIn: (spaceUuid) => metricOrder.filter((metric) => placed.get(spaceUuid)?.has(metric)),
    archivedSpaces: stored.spaces.filter(({ isArchived }) => isArchived).map(({ record }) => record),
    placedSeries: counted.inSpace,
    placedInSum: counted.inSum,
    spaceSeries: (spaceUuid, metric) => seriesOfSpace.get(spaceUuid)?.[metric],
  }
}

const byLegacyId = <T extends { legacyId: number | null }>(records: readonly T[]): Map<number, T> =>
  new Map(records.flatMap((record) => (record.legacyId === null ? [] : [[record.legacyId, record]])))

const byDeviceName = (a: StoredDevice, b: StoredDevice): number =>
  byText(a.record.deviceName, b.record.deviceName) || byText(a.record.deviceUuid, b.record.deviceUuid)

/** A placement, with those of the meters above the device if it is a sub-meter. */
interface Placed extends PlacedSeries {
  above: readonly Placement[]
}

type PlacedBySpace = ReadonlyMap<string, ReadonlyMap<string, readonly Placed[]>>

function placedBySpaceAndMetric(devices: readonly StoredDevice[]): PlacedBySpace {
  const metersAbove = findMetersAbove(devices)
  const placed = new Map<string, Map<string, Placed[]>>()
  for (const device of devices) {
    const { record, placements, series } = device
    for (const [name, declared] of Object.entries(record.metrics)) {
      const metric = name as MeasuredMetric
      const seriesId = series[metric]
      if (seriesId === undefined || !countsInSpace(record.deviceType, declared)) continue
      const spec = resolveSpec(metric, declared)
      const meters = getCellKind(metric) === 'meter' ? metersAbove.get(device) : undefined
      const above = meters ? placementsMeasuring(meters, metric) : NONE_ABOVE
      for (const placement of placements) {
        let ofSpace = placed.get(placement.spaceUuid)
        if (!ofSpace) placed.set(placement.spaceUuid, (ofSpace = new Map()))
        let ofMetric = ofSpace.get(metric)
        if (!ofMetric) ofSpace.set(metric, (ofMetric = []))
        ofMetric.push({ seriesId, deviceUuid: record.deviceUuid, spec, placement, above })
      }
    }
  }
  return placed
}

const NONE_ABOVE: readonly Placement[] = []

/** The placements that count. Those of a single space are computed once, because caches are keyed by the objects. */
function countedPlacements(placed: PlacedBySpace): {
  inSpace: SiteModel['placedSeries']
  inSum: SiteModel['placedInSum']
} {
  const alone = new Map<string, readonly PlacedSeries[]>()
  const find = (spaceUuid: string, metric: MeasuredMetric): readonly Placed[] =>
    placed.get(spaceUuid)?.get(metric) ?? NONE_BELOW
  const inSpace: SiteModel['placedSeries'] = (spaceUuid, metric) => {
    const all = find(spaceUuid, metric)
    if (!all.some(isBelow)) return all
    const key = `${spaceUuid} ${metric}`
    let counted = alone.get(key)
    if (!counted) alone.set(key, (counted = cutToCounted(all, (other) => other === spaceUuid)))
    return counted
  }
  return {
    inSpace,
    inSum(spaceUuids, metric) {
      const spaces = new Set(spaceUuids)
      return spaceUuids.map((spaceUuid) => {
        const own = inSpace(spaceUuid, metric)
        const all = find(spaceUuid, metric)
        const isAffected = all.some(({ above }) =>
          above.some((meter) => meter.spaceUuid !== spaceUuid && spaces.has(meter.spaceUuid)),
        )
        return isAffected ? cutToCounted(all, (other) => spaces.has(other)) : own
      })
    },
  }
}

const NONE_BELOW: readonly Placed[] = []

const isBelow = ({ above }: Placed): boolean => above.length > 0

const cutToCounted = (all: readonly Placed[], isInSum: (spaceUuid: string) => boolean): PlacedSeries[] =>
  all.flatMap((placed) =>
    countedParts(placed, isInSum).map((placement) =>
      placement === placed.placement ? placed : { ...placed, placement },
    ),
  )
