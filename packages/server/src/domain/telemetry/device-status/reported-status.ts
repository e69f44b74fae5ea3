import type { NewEvent } from '../../event/event.ts'
import { newOrderedUuid } from '../../../kernel/ids.ts'
import { isLowBattery } from './low-batteries.ts'
import type { DeviceStatus, OfflineReason } from './status.ts'

/** How long a status must last before an event reports it: a flapping device causes at most two events a minute. */
export const HOLD_MS = 30_000

/** A low battery is reported again once it has been above this percentage. */
const RECOVERED_PERCENT = 25

/** The status of a device as `GET /devices` shows it, and the data for its event. */
export interface ObservedStatus {
  deviceUuid: string
  deviceName: string
  deviceType: string
  spaceUuid: string
  spaceName: string
  gatewayUuid: string | null
  status: DeviceStatus
  /** When the device became offline; null if it is not. */
  offlineSince: number | null
  reason: OfflineReason | null
  /** The newest reading of its battery; null if it has none. */
  battery: { percent: number; at: number } | null
}

/** The status reported last, and another one that has not lasted long enough to be reported. */
export interface ReportedStatus {
  status: DeviceStatus
  since: number
  pending: DeviceStatus | null
  pendingSince: number | null
  /** Whether a low battery was reported; null for a row written before such events existed. */
  isBatteryLow: boolean | null
}

export interface StatusDecision {
  /** Rows to write, by device. */
  written: ReadonlyMap<string, ReportedStatus>
  events: NewEvent[]
}

/**
 * Decides what to store and report about observed devices. A device that is `unknown` keeps the status reported last. A
 * device that is not stored yet was `unknown`, except in the first observation of a site that is older than its log
 * (`isFirst`), which reports nothing.
 */
export function decideStatuses(
  stored: ReadonlyMap<string, ReportedStatus>,
  observed: readonly ObservedStatus[],
  now: number,
  isFirst: boolean,
): StatusDecision {
  const written = new Map<string, ReportedStatus>()
  const events: NewEvent[] = []
  for (const device of observed) {
    const known = stored.get(device.deviceUuid)
    const status = nextStatus(known, device, now, isFirst)
    const isBatteryLow = nextBattery(known?.isBatteryLow ?? false, device)
    if (status === known && isBatteryLow === known.isBatteryLow) continue
    written.set(device.deviceUuid, { ...status, isBatteryLow })
    const isReported = known !== undefined && status.status !== known.status
    if (isReported) events.push(toEvent(device, status, now))
    // For a row written before this type of event existed, the battery may have been low for a long time.
    const wasBatteryHigh = known ? known.isBatteryLow === false : !isFirst
    if (isBatteryLow && wasBatteryHigh) events.push(toBatteryEvent(device, now))
  }
  return { written, events }
}

/** Whether the battery counts as low: from below the first bound until above the second. */
function nextBattery(isLow: boolean, { battery }: ObservedStatus): boolean {
  if (!battery) return isLow
  return isLow ? battery.percent <= RECOVERED_PERCENT : isLowBattery(battery.percent)
}

type KnownStatus = Omit<ReportedStatus, 'isBatteryLow'>

/** Returns `known` itself if nothing changes. */
function nextStatus(
  known: KnownStatus | undefined,
  { status, offlineSince }: ObservedStatus,
  now: number,
  isFirst: boolean,
): KnownStatus {
  if (!known)
    return isFirst || status === 'unknown'
      ? { status, since: offlineSince ?? now, pending: null, pendingSince: null }
      : { status: 'unknown', since: now, pending: status, pendingSince: now }
  if (status === 'unknown' || status === known.status)
    return known.pending === null ? known : { ...known, pending: null, pendingSince: null }
  const { pending, pendingSince } = known
  // A time in the future was written while the clock was ahead.
  if (pending !== status || pendingSince === null || pendingSince > now)
    return { ...known, pending: status, pendingSince: now }
  // If the device was online in between without being observed, it has been offline only since then.
  const heldSince = Math.max(pendingSince, offlineSince ?? pendingSince)
  if (now - heldSince >= HOLD_MS)
    return { status, since: offlineSince ?? pendingSince, pending: null, pendingSince: null }
  return heldSince === pendingSince ? known : { ...known, pendingSince: heldSince }
}

/** When the pending status will have lasted long enough; undefined if none is pending. */
export const dueAt = ({ pendingSince }: ReportedStatus): number | undefined =>
  pendingSince === null ? undefined : pendingSince + HOLD_MS

const toEvent = (device: ObservedStatus, { status, since }: KnownStatus, now: number): NewEvent => ({
  eventUuid: newOrderedUuid(now),
  type: status === 'offline' ? 'device.offline' : 'device.online',
  at: since,
  recordedAt: now,
  deviceUuid: device.deviceUuid,
  spaceUuid: device.spaceUuid,
  data: {
    deviceName: device.deviceName,
    deviceType: device.deviceType,
    spaceName: device.spaceName,
    status,
    since: new Date(since).toISOString(),
    reason: device.reason,
    gatewayUuid: device.gatewayUuid,
  },
})

const toBatteryEvent = (device: ObservedStatus, now: number): NewEvent => ({
  eventUuid: newOrderedUuid(now),
  type: 'device.battery_low',
  at: device.battery?.at ?? now,
  recordedAt: now,
  deviceUuid: device.deviceUuid,
  spaceUuid: device.spaceUuid,
  data: {
    deviceName: device.deviceName,
    deviceType: device.deviceType,
    spaceName: device.spaceName,
    percent: Math.max(0, device.battery?.percent ?? 0),
    since: new Date(device.battery?.at ?? now).toISOString(),
    gatewayUuid: device.gatewayUuid,
  },
})
