import type { Device } from '../../estate/inventory/site-model.ts'
import type { Presence } from '../../estate/presence.ts'
import type { LatestReading } from '../reading/store.ts'

export const DEVICE_STATUSES = ['online', 'offline', 'unknown'] as const

export type DeviceStatus = (typeof DEVICE_STATUSES)[number]

/** A device with a signal no older than this is online. */
const ONLINE_WITHIN_MS = 2 * 3_600_000

export interface DeviceState {
  status: DeviceStatus
  lastSeenAt: number | null
  batteryPercent: number | null
}

/** The latest readings and presence of a site's devices. */
export interface DeviceSignals {
  /** By series. */
  latest: ReadonlyMap<number, LatestReading>
  /** By device and by gateway. */
  presences: ReadonlyMap<string, Presence>
}

export function deriveDeviceState(
  { record, series }: Device,
  { latest, presences }: DeviceSignals,
  now: number,
): DeviceState {
  const times = Object.values(series).flatMap((seriesId) => latest.get(seriesId)?.at ?? [])
  const readAt = times.length === 0 ? undefined : Math.max(...times)
  const presence = newer(presences.get(record.deviceUuid), presences.get(record.gatewayUuid ?? ''))
  const battery = latest.get(series.battery ?? -1)?.value
  return {
    status: deriveStatus(readAt, presence, now),
    lastSeenAt: readAt === undefined && !presence ? null : Math.max(readAt ?? 0, presence?.at ?? 0),
    batteryPercent: battery === undefined ? null : Math.min(100, Math.max(0, battery)),
  }
}

/**
 * A gateway's presence applies to each of its devices until the device reports another. A broker delivers retained
 * messages within one millisecond; offline then takes precedence, because a gateway that disconnects takes its devices
 * offline, and one that reconnects reports its offline devices afterwards.
 */
function newer(own: Presence | undefined, ofGateway: Presence | undefined): Presence | undefined {
  if (!own || !ofGateway) return own ?? ofGateway
  if (own.at === ofGateway.at) return own.isOnline ? ofGateway : own
  return ofGateway.at > own.at ? ofGateway : own
}

function deriveStatus(readAt: number | undefined, presence: Presence | undefined, now: number): DeviceStatus {
  if (presence?.isOnline) return 'online'
  if (presence && !(readAt !== undefined && readAt > presence.at)) return 'offline'
  if (readAt === undefined) return 'unknown'
  return now - readAt <= ONLINE_WITHIN_MS ? 'online' : 'offline'
}
