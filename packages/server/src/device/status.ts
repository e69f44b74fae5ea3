import type { Device } from '../inventory/site-model.ts'
import type { LatestReading } from '../reading/store.ts'

export const DEVICE_STATUSES = ['online', 'offline', 'unknown'] as const

export type DeviceStatus = (typeof DEVICE_STATUSES)[number]

/** A device that was heard within this is online. */
const ONLINE_WITHIN_MS = 2 * 3_600_000

export interface DeviceState {
  status: DeviceStatus
  lastSeenAt: number | null
  batteryPercent: number | null
}

export type Latest = ReadonlyMap<number, LatestReading>

export function stateOf({ series }: Device, latest: Latest, now: number): DeviceState {
  const times = Object.values(series).flatMap((seriesId) => latest.get(seriesId)?.at ?? [])
  const battery = latest.get(series.battery ?? -1)?.value
  const batteryPercent = battery === undefined ? null : Math.min(100, Math.max(0, battery))
  if (times.length === 0) return { status: 'unknown', lastSeenAt: null, batteryPercent }
  const lastSeenAt = Math.max(...times)
  return { status: now - lastSeenAt <= ONLINE_WITHIN_MS ? 'online' : 'offline', lastSeenAt, batteryPercent }
}
