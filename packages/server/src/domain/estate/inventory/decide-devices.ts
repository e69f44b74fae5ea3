import { isDeepStrictEqual } from 'node:util'
import type { DeviceRecord, InventoryChanges, InventoryDevice } from './inventory.ts'
import { type Placement, placeDevice, removeDevice } from './placement.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'

/** The row of a device as it is stored. */
export interface StoredDeviceRow {
  record: string
  placements: readonly Placement[]
  isArchived: boolean
}

export interface WrittenDevice {
  record: string
  placements: readonly Placement[]
  archivedAt: number | null
}

/** A device whose rollups, and those of its spaces, have to be made again. */
export interface MovedDevice {
  deviceUuid: string
  /** Where it is, or was before. */
  placements: readonly Placement[]
}

/** What a store writes of the devices of a document. */
export interface DeviceDecision {
  written: Map<string, WrittenDevice>
  /** Series that have to exist: for each metric of a device, and of every space it is or was in. */
  series: { subject: string; metric: string }[]
  moved: MovedDevice[]
  changes: InventoryChanges
}

export function decideDevices(
  devices: readonly InventoryDevice[],
  stored: ReadonlyMap<string, StoredDeviceRow>,
  now: number,
): DeviceDecision {
  const changes: InventoryChanges = { created: 0, updated: 0, archived: 0, unchanged: 0 }
  const decision: DeviceDecision = { written: new Map(), series: [], moved: [], changes }
  const rest = new Map(stored)
  for (const { since, ...given } of devices) {
    const { deviceUuid } = given
    const before = stored.get(deviceUuid)
    rest.delete(deviceUuid)
    const record = JSON.stringify(given)
    const placed = before?.placements ?? []
    const placements = placeDevice(placed, given.spaceUuid, since, now)
    if (before?.record === record && placements === placed && !before.isArchived) {
      changes.unchanged += 1
      continue
    }
    decision.written.set(deviceUuid, { record, placements, archivedAt: null })
    decision.series.push(...toSeries(given, placements))
    if (before && isMeasuredAnew(before, given, placements))
      decision.moved.push({ deviceUuid, placements: [...placed, ...placements] })
    changes[before ? 'updated' : 'created'] += 1
  }
  for (const [deviceUuid, { record, placements, isArchived }] of rest) {
    if (isArchived) continue
    decision.written.set(deviceUuid, { record, placements: removeDevice(placements, now), archivedAt: now })
    decision.moved.push({ deviceUuid, placements })
    changes.archived += 1
  }
  return decision
}

const toSeries = (
  { deviceUuid, metrics }: DeviceRecord,
  placements: readonly Placement[],
): DeviceDecision['series'] =>
  [...new Set([deviceUuid, ...placements.map(({ spaceUuid }) => spaceUuid)])].flatMap((subject) =>
    Object.keys(metrics).map((metric) => ({ subject, metric })),
  )

/** Rollups depend on where a device was and on what its readings mean: when that changes, they are made anew. */
const isMeasuredAnew = (
  stored: StoredDeviceRow,
  { metrics }: DeviceRecord,
  placements: readonly Placement[],
): boolean =>
  !isDeepStrictEqual(stored.placements, placements) || !isDeepStrictEqual(parseMetrics(stored), metrics)

const parseMetrics = ({ record }: StoredDeviceRow): DeviceRecord['metrics'] =>
  (JSON.parse(record) as DeviceRecord).metrics

/** A metric whose readings would get another meaning. */
export interface ChangedKind {
  deviceUuid: string
  metric: MeasuredMetric
  field: string
}

/** Metrics whose kind the document changes: readings of a register are not deltas. */
export const findChangedKinds = (
  devices: readonly InventoryDevice[],
  stored: ReadonlyMap<string, StoredDeviceRow>,
): ChangedKind[] =>
  devices.flatMap((device, index) => {
    const { since: _, ...given } = device
    const { deviceUuid, metrics } = given
    const before = stored.get(deviceUuid)
    // Nearly all devices of a document are as they were: most records need not be parsed.
    if (!before || before.record === JSON.stringify(given)) return []
    const known = parseMetrics(before)
    return Object.entries(metrics).flatMap(([name, { kind }]) => {
      const metric = name as MeasuredMetric
      const isChanged = known[metric] !== undefined && known[metric].kind !== kind
      return isChanged ? [{ deviceUuid, metric, field: `devices.${index}.metrics.${metric}.kind` }] : []
    })
  })
