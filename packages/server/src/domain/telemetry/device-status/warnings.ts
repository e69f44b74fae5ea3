import { isoInstant } from '../../../kernel/clock.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { RollupStore } from '../rollup/store.ts'
import { createLowBatteries, type LowBattery } from './low-batteries.ts'
import { type DeviceSignals, deriveDeviceState, hasReadingsOnly, STALE_AFTER_STEPS } from './status.ts'
import { createSuspectReadings, type SuspectReadings } from './suspect-readings.ts'

export const WARNING_CODES = ['offline', 'low-battery', 'stale', 'rejecting', 'suspect-readings'] as const

export type WarningCode = (typeof WARNING_CODES)[number]

export interface DeviceWarning {
  code: WarningCode
  /** When the state began. */
  since: number
  message: string
}

/** A device's rejection of its last command. */
export interface Rejection {
  at: number
  message: string
}

interface WarningSources {
  readings: Pick<ReadingStore, 'recent' | 'around' | 'within'>
  rollups: RollupStore
  /** The devices whose last command was rejected, by device. */
  loadRejections(model: SiteModel, devices: readonly Device[]): Promise<ReadonlyMap<string, Rejection>>
}

/** Loads the warnings of some devices, by device. Takes a few statements for any number of devices. */
export type LoadWarnings = (
  model: SiteModel,
  devices: readonly Device[],
  signals: DeviceSignals,
  now: number,
) => Promise<ReadonlyMap<string, readonly DeviceWarning[]>>

export function createDeviceWarnings({ readings, rollups, loadRejections }: WarningSources): LoadWarnings {
  const findLowBatteries = createLowBatteries(readings)
  const findSuspectReadings = createSuspectReadings({ readings, rollups })

  return async (model, devices, signals, now) => {
    const batteries = await findLowBatteries(model, devices, signals.latest)
    const rejections = await loadRejections(model, devices)
    const suspects = await findSuspectReadings(model, devices, signals.latest, now)
    return new Map(
      devices.map((device) => {
        const { deviceUuid } = device.record
        const found = [
          findOffline(device, signals, now),
          toLowBattery(batteries.get(deviceUuid)),
          findStale(device, signals, now),
          toRejecting(rejections.get(deviceUuid)),
          toSuspect(model, suspects.get(deviceUuid)),
        ]
        return [deviceUuid, found.filter((warning) => warning !== undefined)]
      }),
    )
  }
}

/** A device that sends readings only is stale instead: whether it is connected is not known. */
function findOffline(device: Device, signals: DeviceSignals, now: number): DeviceWarning | undefined {
  const { offlineSince, lastSeenAt } = deriveDeviceState(device, signals, now)
  if (offlineSince === null) return undefined
  if (hasReadingsOnly(device, signals) && findStale(device, signals, now)) return undefined
  const message = `The device is offline. Its last signal was at ${isoInstant(lastSeenAt ?? offlineSince)}.`
  return { code: 'offline', since: offlineSince, message }
}

const toLowBattery = (battery: LowBattery | undefined): DeviceWarning | undefined =>
  battery && {
    code: 'low-battery',
    since: battery.since,
    message: `The battery is at ${battery.percent} %.`,
  }

/** Of several stale series, the one that has been stale for the longest time. */
function findStale(
  { series }: Device,
  { latest, steps }: DeviceSignals,
  now: number,
): DeviceWarning | undefined {
  let first: { metric: string; at: number; stepMs: number; since: number } | undefined
  for (const [metric, seriesId] of Object.entries(series)) {
    const [at, stepMs] = [latest.get(seriesId)?.at, steps.get(seriesId)]
    if (at === undefined || stepMs === undefined) continue
    const since = at + STALE_AFTER_STEPS * stepMs
    if (now > since && !(first && first.since <= since)) first = { metric, at, stepMs, since }
  }
  if (!first) return undefined
  const { metric, at, stepMs, since } = first
  return {
    code: 'stale',
    since,
    message: `No reading of ${metric} since ${isoInstant(at)}. There usually is one every ${toDuration(stepMs)}.`,
  }
}

const MINUTE_MS = 60_000

function toDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

const toRejecting = (rejection: Rejection | undefined): DeviceWarning | undefined =>
  rejection && {
    code: 'rejecting',
    since: rejection.at,
    message: `The device rejected its last command: ${rejection.message}`,
  }

function toSuspect({ zone }: SiteModel, suspect: SuspectReadings | undefined): DeviceWarning | undefined {
  if (!suspect) return undefined
  const { metric, since } = suspect
  const date = zone.format(since).slice(0, 10)
  return {
    code: 'suspect-readings',
    since,
    message: `Readings of ${metric} on ${date} are implausible: the values of that day are suspect.`,
  }
}
