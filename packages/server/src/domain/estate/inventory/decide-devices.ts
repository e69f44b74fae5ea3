import { isDeepStrictEqual } from 'node:util'
import {
  type DeviceRecord,
  getDefaultMedium,
  type InventoryChanges,
  type InventoryDevice,
} from './inventory.ts'
import { ALWAYS, findFirstDifference, type Placement, placeDevice, removeDevice } from './placement.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'

/** The stored row of a device. */
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

/** A device whose rollups, and those of its spaces, must be recomputed. */
export interface MovedDevice {
  deviceUuid: string
  /** Its placements before and after the change. */
  placements: readonly Placement[]
  /** Values of its spaces before this instant do not change. */
  changedFrom: number
}

/** Everything that a store writes for the devices of a document. */
export interface DeviceDecision {
  written: Map<string, WrittenDevice>
  /** Series that must exist: for each metric of a device, one of the device and one of every space it is or was in. */
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
  const changed = new Map<string, number>()
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
    const changedFrom = before && findChange(before, given, placements)
    if (changedFrom !== undefined) changed.set(deviceUuid, changedFrom)
    changes[before ? 'updated' : 'created'] += 1
  }
  for (const [deviceUuid, { record, placements, isArchived }] of rest) {
    if (isArchived) continue
    decision.written.set(deviceUuid, { record, placements: removeDevice(placements, now), archivedAt: now })
    changed.set(deviceUuid, now)
    changes.archived += 1
  }
  // Whether a sub-meter counts in a space depends on where the meters above it are and what they measure.
  for (const [deviceUuid, changedFrom] of withSubmeters(changed, devices, stored)) {
    const placements = [
      ...(stored.get(deviceUuid)?.placements ?? []),
      ...(decision.written.get(deviceUuid)?.placements ?? []),
    ]
    decision.moved.push({ deviceUuid, placements, changedFrom })
  }
  return decision
}

/** The devices and all sub-meters below them, in the document or as stored, each with the start of its change. */
function withSubmeters(
  changed: ReadonlyMap<string, number>,
  devices: readonly InventoryDevice[],
  stored: ReadonlyMap<string, StoredDeviceRow>,
): Map<string, number> {
  const all = new Map(changed)
  if (all.size === 0) return all
  const below = new Map<string, string[]>()
  const add = ({ deviceUuid, submeterOf }: DeviceRecord): void => {
    if (submeterOf === undefined) return
    const list = below.get(submeterOf)
    if (list) list.push(deviceUuid)
    else below.set(submeterOf, [deviceUuid])
  }
  for (const device of devices) add(device)
  // Parsing all records of a site takes long, and few of them are sub-meters.
  for (const { record } of stored.values())
    if (record.includes('"submeterOf"')) add(JSON.parse(record) as DeviceRecord)
  for (const [deviceUuid, changedFrom] of all)
    for (const submeter of below.get(deviceUuid) ?? []) {
      if (!stored.has(submeter) || (all.get(submeter) ?? Number.NaN) <= changedFrom) continue
      // Added again at the end, so that those below it get the earlier change too.
      all.delete(submeter)
      all.set(submeter, changedFrom)
    }
  return all
}

const toSeries = (
  { deviceUuid, metrics }: DeviceRecord,
  placements: readonly Placement[],
): DeviceDecision['series'] =>
  [...new Set([deviceUuid, ...placements.map(({ spaceUuid }) => spaceUuid)])].flatMap((subject) =>
    Object.keys(metrics).map((metric) => ({ subject, metric })),
  )

/**
 * The instant from which values change: they depend on the placements of a device, its metrics and their medium, and
 * the meter above it. Undefined if none of these change.
 */
function findChange(
  stored: StoredDeviceRow,
  { deviceType, metrics, submeterOf }: DeviceRecord,
  placements: readonly Placement[],
): number | undefined {
  const before = JSON.parse(stored.record) as DeviceRecord
  const isMeasuredAlike =
    isDeepStrictEqual(before.metrics, metrics) &&
    before.submeterOf === submeterOf &&
    getDefaultMedium(before.deviceType) === getDefaultMedium(deviceType)
  if (!isMeasuredAlike) return ALWAYS
  return isDeepStrictEqual(stored.placements, placements)
    ? undefined
    : findFirstDifference(stored.placements, placements)
}

const parseMetrics = ({ record }: StoredDeviceRow): DeviceRecord['metrics'] =>
  (JSON.parse(record) as DeviceRecord).metrics

/** A metric whose kind a document changes, which would change the meaning of its readings. */
export interface ChangedKind {
  deviceUuid: string
  metric: MeasuredMetric
  field: string
}

/** Metrics whose kind the document changes, such as from register to delta. */
export const findChangedKinds = (
  devices: readonly InventoryDevice[],
  stored: ReadonlyMap<string, StoredDeviceRow>,
): ChangedKind[] =>
  devices.flatMap((device, index) => {
    const { since: _, ...given } = device
    const { deviceUuid, metrics } = given
    const before = stored.get(deviceUuid)
    // Nearly all devices of a document are unchanged: comparing the text avoids parsing their records.
    if (!before || before.record === JSON.stringify(given)) return []
    const metricsBefore = parseMetrics(before)
    return Object.entries(metrics).flatMap(([name, { kind }]) => {
      const metric = name as MeasuredMetric
      const kindBefore = metricsBefore[metric]?.kind
      const isChanged = kindBefore !== undefined && kindBefore !== kind
      return isChanged ? [{ deviceUuid, metric, field: `devices.${index}.metrics.${metric}.kind` }] : []
    })
  })
