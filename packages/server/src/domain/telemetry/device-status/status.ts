import type { Device } from '../../estate/inventory/site-model.ts'
import type { Presence } from '../../estate/presence.ts'
import type { LatestReading } from '../reading/store.ts'

export const DEVICE_STATUSES = ['online', 'offline', 'unknown'] as const

export type DeviceStatus = (typeof DEVICE_STATUSES)[number]

/** A device with a signal no older than this is online. */
const ONLINE_WITHIN_MS = 2 * 3_600_000

/** A series without a reading for this many of its usual steps is stale. */
export const STALE_AFTER_STEPS = 4

/**
 * Up to this many devices, the data for status and warnings is read from the store each time. For more, results are
 * reused while the latest reading of a series is unchanged.
 */
export const FEW_DEVICES = 50

export interface DeviceState {
  status: DeviceStatus
  /** When the device became offline; null if it is not. */
  offlineSince: number | null
  lastSeenAt: number | null
  batteryPercent: number | null
}

/** The latest readings and presence of a site's devices. */
export interface ReportedSignals {
  /** By series. */
  latest: ReadonlyMap<number, LatestReading>
  /** By device and by gateway. */
  presences: ReadonlyMap<string, Presence>
}

export interface DeviceSignals extends ReportedSignals {
  /** Usual time between readings in milliseconds, by series; see `UsualSteps`. */
  steps: ReadonlyMap<number, number>
}

export function deriveDeviceState(device: Device, signals: DeviceSignals, now: number): DeviceState {
  const { record, series } = device
  const { latest, presences } = signals
  const readAt = findReadAt(device, signals)
  const presence = newer(presences.get(record.deviceUuid), presences.get(record.gatewayUuid ?? ''))
  const battery = latest.get(series.battery ?? -1)?.value
  const offlineSince = findOfflineSince(device, signals, readAt, presence, now)
  const wasSeen = readAt !== undefined || presence !== undefined
  return {
    status: offlineSince !== null ? 'offline' : wasSeen ? 'online' : 'unknown',
    offlineSince,
    lastSeenAt: wasSeen ? Math.max(readAt ?? 0, presence?.at ?? 0) : null,
    batteryPercent: battery === undefined ? null : Math.min(100, Math.max(0, battery)),
  }
}

/** When the newest reading of the device was taken. */
function findReadAt({ series }: Device, { latest }: ReportedSignals): number | undefined {
  const times = Object.values(series).flatMap((seriesId) => latest.get(seriesId)?.at ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Why a device is offline: it reported so itself, its gateway is offline, or it has sent nothing for too long. */
export type OfflineReason = 'presence' | 'gateway' | 'silent'

/** For a device that is offline. */
export function findOfflineReason(device: Device, signals: ReportedSignals): OfflineReason {
  const { deviceUuid, gatewayUuid } = device.record
  const own = signals.presences.get(deviceUuid)
  const presence = newer(own, signals.presences.get(gatewayUuid ?? ''))
  const readAt = findReadAt(device, signals)
  if (!presence || (readAt !== undefined && readAt > presence.at)) return 'silent'
  return presence === own ? 'presence' : 'gateway'
}

/**
 * Whether readings are the only sign of life of a device: it has no gateway, and no presence of it is stored. Such
 * readings arrive in files or over HTTP at any rate, so the status is derived from their usual step.
 */
export const hasReadingsOnly = ({ record }: Device, { presences }: ReportedSignals): boolean =>
  record.gatewayUuid === null && !presences.has(record.deviceUuid)

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

function findOfflineSince(
  device: Device,
  signals: DeviceSignals,
  readAt: number | undefined,
  presence: Presence | undefined,
  now: number,
): number | null {
  if (presence?.isOnline) return null
  if (presence && !(readAt !== undefined && readAt > presence.at)) return presence.at
  if (readAt === undefined) return null
  const until = onlineUntil(device, signals, readAt)
  return now <= until ? null : until
}

const onlineUntil = (device: Device, signals: DeviceSignals, readAt: number): number =>
  hasReadingsOnly(device, signals) ? silentAfter(device, signals) : readAt + ONLINE_WITHIN_MS

/**
 * When the device may become offline unless a reading or presence arrives; undefined if it is offline or never becomes
 * so.
 */
export function findNextSilence(device: Device, signals: DeviceSignals, now: number): number | undefined {
  const readAt = findReadAt(device, signals)
  if (readAt === undefined) return undefined
  const until = onlineUntil(device, signals, readAt)
  return until < now ? undefined : until
}

/** When the last of a device's series will have been silent for too long. */
function silentAfter({ series }: Device, { latest, steps }: DeviceSignals): number {
  const ends = Object.values(series).flatMap((seriesId) => {
    const at = latest.get(seriesId)?.at
    const stepMs = steps.get(seriesId) ?? 0
    return at === undefined ? [] : at + Math.max(ONLINE_WITHIN_MS, STALE_AFTER_STEPS * stepMs)
  })
  return Math.max(...ends)
}
