import { runAsLeader, type Leases } from '../../coordination/leases.ts'
import type { EventStore } from '../../event/store.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { Device } from '../../estate/inventory/site-model.ts'
import type { SiteStore } from '../../estate/inventory/store.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { decideStatuses, dueAt, type ObservedStatus } from './reported-status.ts'
import { loadSignals, type SignalStores, withUsualSteps } from './signals.ts'
import { deriveDeviceState, type DeviceSignals, findOfflineReason } from './status.ts'
import type { DeviceStatusStore } from './store.ts'
import type { UsualSteps } from './usual-steps.ts'

/** How often due observations are looked for. */
const TICK_MS = 1_000
/** How often every site is observed: devices that fall silent send nothing that would trigger it. */
const SWEEP_MS = 60_000
const SITES_PER_PAGE = 500

const LEASE = 'device-statuses'

/** Reports changes of device statuses as events. */
export interface StatusWatcher {
  /** To be called when the presence of a device or gateway of the site may have changed. */
  observe(siteUuid: string): void
  close(): Promise<void>
}

interface WatcherDeps extends SignalStores {
  store: DeviceStatusStore
  events: Pick<EventStore, 'list'>
  sites: Pick<SiteStore, 'listAll'>
  siteDirectory: SiteDirectory
  usualSteps: UsualSteps
  clock: Clock
  /** Of several instances, one observes all sites regularly; undefined if there is only one. */
  leases: Leases | undefined
  onError(error: unknown): void
}

export function startStatusWatcher(deps: WatcherDeps): StatusWatcher {
  const { sites, clock, leases, onError } = deps
  /** When to observe sites next, because a status is pending or something was reported. */
  const due = new Map<string, number>()
  let isLeader = leases === undefined
  let nextSweepAt = Number.NEGATIVE_INFINITY

  const observeSite = async (siteUuid: string): Promise<void> => {
    due.delete(siteUuid)
    const nextAt = await observeStatuses(deps, siteUuid)
    if (nextAt !== undefined) due.set(siteUuid, Math.min(nextAt, due.get(siteUuid) ?? nextAt))
  }

  const sweep = async (): Promise<void> => {
    for (let after: { siteName: string; siteUuid: string } | undefined; ; ) {
      const page = await sites.listAll({ after, limit: SITES_PER_PAGE })
      for (const { siteUuid } of page) await observeSite(siteUuid)
      after = page.at(-1)
      if (page.length < SITES_PER_PAGE) return
    }
  }

  const tick = async (): Promise<void> => {
    const now = clock.now()
    // A time further ahead was set before the clock was moved back.
    if (isLeader && (nextSweepAt <= now || nextSweepAt > now + SWEEP_MS)) {
      nextSweepAt = now + SWEEP_MS
      await sweep()
    }
    for (const [siteUuid, at] of due) if (at <= now || at > now + SWEEP_MS) await observeSite(siteUuid)
  }

  const ticks = repeatEvery(TICK_MS, tick, onError)
  const leading =
    leases &&
    runAsLeader(
      leases,
      LEASE,
      async () => {
        isLeader = true
        return async () => {
          isLeader = false
        }
      },
      onError,
    )
  return {
    observe(siteUuid) {
      due.set(siteUuid, clock.now())
    },
    async close() {
      await leading?.stop()
      await ticks.stop()
    },
  }
}

/**
 * Compares the statuses that `GET /devices` shows with the reported ones, and stores and reports what has changed.
 * Returns when to do so again, because a status has not held for long enough yet.
 */
export async function observeStatuses(
  deps: Omit<WatcherDeps, 'sites' | 'leases' | 'onError'>,
  siteUuid: string,
): Promise<number | undefined> {
  const { store, siteDirectory, clock } = deps
  const model = await siteDirectory.find(siteUuid)
  if (!model) return undefined
  const now = clock.now()
  const devices = [...model.devices.values()]
  const signals = await withUsualSteps(deps, model, devices, await loadSignals(deps, model), now)
  const observed: ObservedStatus[] = []
  for (const device of devices) {
    observed.push(toObserved(device, signals, now))
    await yieldIfDue()
  }
  const stored = await store.list(siteUuid)
  const isFirst = stored.size === 0 && !(await logsCreation(deps.events, siteUuid))
  const { written } = decideStatuses(stored, observed, now, isFirst)
  const removed = [...stored.keys()].filter((deviceUuid) => !model.devices.has(deviceUuid))
  if (written.size > 0 || removed.length > 0)
    await store.update(
      siteUuid,
      { observed: observed.filter(({ deviceUuid }) => written.has(deviceUuid)), removed, isFirst },
      now,
    )
  const dueTimes = [
    ...written.values(),
    ...[...stored].flatMap(([uuid, one]) => (written.has(uuid) ? [] : one)),
  ].flatMap((status) => dueAt(status) ?? [])
  return dueTimes.length === 0 ? undefined : dueTimes.reduce((a, b) => Math.min(a, b))
}

/**
 * Whether the log of a site begins with its creation. That of a site which is older than the log does not, and its
 * devices would all be news at the first observation.
 */
async function logsCreation(events: Pick<EventStore, 'list'>, siteUuid: string): Promise<boolean> {
  const [first] = await events.list(siteUuid, 0, 1)
  if (first?.type !== 'inventory.changed') return false
  return (JSON.parse(first.data) as { version: number }).version === 1
}

function toObserved(device: Device, signals: DeviceSignals, now: number): ObservedStatus {
  const { record, space } = device
  const { status, offlineSince } = deriveDeviceState(device, signals, now)
  const battery = signals.latest.get(device.series.battery ?? -1)
  return {
    deviceUuid: record.deviceUuid,
    deviceName: record.deviceName,
    deviceType: record.deviceType,
    spaceUuid: space.spaceUuid,
    spaceName: space.spaceName,
    gatewayUuid: record.gatewayUuid,
    status,
    offlineSince,
    reason: status === 'offline' ? findOfflineReason(device, signals) : null,
    battery: battery ? { percent: battery.value, at: battery.at } : null,
  }
}
