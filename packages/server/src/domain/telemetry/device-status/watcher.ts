import { runAsLeader, type Leases } from '../../coordination/leases.ts'
import type { EventStore } from '../../event/store.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { Device } from '../../estate/inventory/site-model.ts'
import type { SiteStore } from '../../estate/inventory/store.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { UnavailableError } from '../../../kernel/errors.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { decideStatuses, dueAt, type ObservedStatus } from './reported-status.ts'
import { loadSignals, type SignalStores, withUsualSteps } from './signals.ts'
import { digestSignals } from './signal-digest.ts'
import { deriveDeviceState, type DeviceSignals, findNextSilence, findOfflineReason } from './status.ts'
import type { DeviceStatusStore } from './store.ts'
import type { UsualSteps } from './usual-steps.ts'

/** How often the watcher checks for due observations. */
const TICK_MS = 1_000
/** How often every site is observed: a device that goes silent sends nothing that would trigger an observation. */
const SWEEP_MS = 60_000
/** How soon a site is observed again after an observation failed. */
const RETRY_MS = 5_000
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
  /** Used by several instances to elect the one that observes all sites; undefined if there is only one. */
  leases: Leases | undefined
  onError(error: unknown): void
}

/**
 * The inputs from which the statuses of a site were derived. While they are unchanged, statuses change only with time.
 */
interface Basis {
  inventoryVersion: number
  signals: string
  observedAt: number
  /** When a device may become offline because it sends nothing. */
  validUntil: number
}

export function startStatusWatcher(deps: WatcherDeps): StatusWatcher {
  const { leases, onError } = deps
  const { observe, tick } = createStatusObserver(deps)
  let isLeader = leases === undefined
  const ticks = repeatEvery(TICK_MS, () => tick(isLeader), onError)
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
    observe,
    async close() {
      await leading?.stop()
      await ticks.stop()
    },
  }
}

type ObserverDeps = Omit<WatcherDeps, 'leases'>

/** The watcher without its timer. */
export function createStatusObserver(deps: ObserverDeps): {
  observe(siteUuid: string): void
  /** Observes the sites that are due and, as the leader, periodically all sites. */
  tick(isLeader: boolean): Promise<void>
} {
  const { sites, siteDirectory, clock, onError } = deps
  const bases = new Map<string, Basis>()
  /** When to observe sites next, because a status is pending or something was reported. */
  const due = new Map<string, number>()
  /** Sites for which `observe` was called. */
  const reporting = new Set<string>()
  let nextSweepAt = Number.NEGATIVE_INFINITY

  const observeNow = async (siteUuid: string, isActive: boolean): Promise<void> => {
    due.delete(siteUuid)
    const observation = await observeStatuses(deps, siteUuid, isActive)
    if (!observation) {
      bases.delete(siteUuid)
      return
    }
    const { basis, nextAt } = observation
    bases.set(siteUuid, basis)
    if (nextAt !== undefined) due.set(siteUuid, Math.min(nextAt, due.get(siteUuid) ?? nextAt))
  }

  /** Without another attempt, a pending status would not be reported until something of its site changes. */
  const attempt = async (
    siteUuid: string,
    isActive: boolean,
    observation: () => Promise<void>,
  ): Promise<void> => {
    try {
      await observation()
    } catch (error) {
      due.set(siteUuid, clock.now() + RETRY_MS)
      if (isActive) reporting.add(siteUuid)
      if (error instanceof UnavailableError) throw error
      onError(error)
    }
  }

  /** Skips idle sites without loading their models. */
  const isUnchanged = async (siteUuid: string): Promise<boolean> => {
    const basis = bases.get(siteUuid)
    const now = clock.now()
    if (!basis || now < basis.observedAt || now > basis.validUntil || due.has(siteUuid)) return false
    if ((await siteDirectory.version(siteUuid)) !== basis.inventoryVersion) return false
    return (await digestSignals(await loadSignals(deps, { site: { siteUuid } }))) === basis.signals
  }

  const observeSite = (siteUuid: string, isActive: boolean): Promise<void> =>
    attempt(siteUuid, isActive, () => observeNow(siteUuid, isActive))

  const observeChanged = (siteUuid: string): Promise<void> => {
    const isActive = bases.has(siteUuid)
    return attempt(siteUuid, isActive, async () => {
      if (!(await isUnchanged(siteUuid))) await observeNow(siteUuid, isActive)
    })
  }

  const sweep = async (): Promise<void> => {
    for (let after: { siteName: string; siteUuid: string } | undefined; ; ) {
      const page = await sites.listAll({ after, limit: SITES_PER_PAGE })
      for (const { siteUuid } of page) await observeChanged(siteUuid)
      after = page.at(-1)
      if (page.length < SITES_PER_PAGE) return
    }
  }

  return {
    observe(siteUuid) {
      due.set(siteUuid, clock.now())
      reporting.add(siteUuid)
    },
    async tick(isLeader) {
      const now = clock.now()
      // A time further ahead was set before the clock was moved back.
      if (isLeader && (nextSweepAt <= now || nextSweepAt > now + SWEEP_MS)) {
        nextSweepAt = now + SWEEP_MS
        await sweep()
      }
      // A copy: an observation may enter its site again, which is for a later tick.
      for (const [siteUuid, at] of new Map(due))
        if (at <= now || at > now + SWEEP_MS) await observeSite(siteUuid, reporting.delete(siteUuid))
    },
  }
}

interface Observation {
  basis: Basis
  /** When to observe the site again, because a status has not lasted long enough yet. */
  nextAt: number | undefined
}

/**
 * Compares the statuses that `GET /devices` shows with the reported ones, and stores and reports what has changed. The
 * model of a site that is not active is not cached.
 */
async function observeStatuses(
  deps: Omit<ObserverDeps, 'sites'>,
  siteUuid: string,
  isActive: boolean,
): Promise<Observation | undefined> {
  const { store, siteDirectory, clock } = deps
  const model = await (isActive ? siteDirectory.find(siteUuid) : siteDirectory.inspect(siteUuid))
  if (!model) return undefined
  const now = clock.now()
  const devices = [...model.devices.values()]
  const reported = await loadSignals(deps, model)
  const signals = await withUsualSteps(deps, model, devices, reported, now)
  const observed: ObservedStatus[] = []
  let validUntil = Number.POSITIVE_INFINITY
  for (const device of devices) {
    observed.push(toObserved(device, signals, now))
    validUntil = Math.min(validUntil, findNextSilence(device, signals, now) ?? validUntil)
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
  return {
    basis: {
      inventoryVersion: model.version,
      signals: await digestSignals(reported),
      observedAt: now,
      validUntil,
    },
    nextAt: dueTimes.length === 0 ? undefined : dueTimes.reduce((a, b) => Math.min(a, b)),
  }
}

/**
 * Whether the log of a site begins with its creation. If the site is older than its log, the first observation must not
 * report all its devices as changed.
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
