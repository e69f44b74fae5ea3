import type { OpenEndedSpan } from '../../../calendar/interval.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Placement } from './placement.ts'
import type { StoredDevice } from './store.ts'

/** A placement with the placements of the meters above it that measure the same metric. */
export interface PlacedBelow {
  placement: Placement
  above: readonly Placement[]
}

/**
 * The parts of a placement in which the device counts in a sum over some spaces: those in which no meter above it is
 * placed in one of them, because that meter already includes what the device measures.
 */
export function countedParts(
  { placement, above }: PlacedBelow,
  isInSum: (spaceUuid: string) => boolean,
): Placement[] {
  let parts = [placement]
  for (const covering of above)
    if (isInSum(covering.spaceUuid)) parts = parts.flatMap((part) => subtract(part, covering))
  return parts
}

/** The parts of a placement before and after a span; the same object if they do not overlap. */
function subtract(part: Placement, { from, to }: OpenEndedSpan): Placement[] {
  const end = part.to ?? Number.POSITIVE_INFINITY
  const spanEnd = to ?? Number.POSITIVE_INFINITY
  if (spanEnd <= part.from || from >= end) return [part]
  return [
    ...(from > part.from ? [{ ...part, to: from }] : []),
    ...(to !== null && to < end ? [{ ...part, from: to }] : []),
  ]
}

/** For each device that is a sub-meter, the devices above it, from its own meter upwards. */
export function findMetersAbove(devices: readonly StoredDevice[]): Map<StoredDevice, StoredDevice[]> {
  const byUuid = new Map(devices.map((device) => [device.record.deviceUuid, device]))
  const result = new Map<StoredDevice, StoredDevice[]>()
  for (const device of devices) {
    const above: StoredDevice[] = []
    for (let next = findParent(byUuid, device); next; next = findParent(byUuid, next)) {
      // The devices of a document form no cycle, but archived ones are not part of it.
      if (next === device || above.includes(next)) break
      above.push(next)
    }
    if (above.length > 0) result.set(device, above)
  }
  return result
}

const findParent = (
  byUuid: ReadonlyMap<string, StoredDevice>,
  { record: { submeterOf } }: StoredDevice,
): StoredDevice | undefined => (submeterOf === undefined ? undefined : byUuid.get(submeterOf))

/** The placements of those devices that measure a metric. */
export const placementsMeasuring = (
  devices: readonly StoredDevice[],
  metric: MeasuredMetric,
): readonly Placement[] =>
  devices.flatMap(({ record, placements }) => (record.metrics[metric] ? placements : []))
