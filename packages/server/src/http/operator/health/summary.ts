import { COMMAND_STATES, type CommandState } from '../../../domain/control/command/command.ts'
import type { GatewayStore } from '../../../domain/estate/gateway/store.ts'
import type { SiteStore } from '../../../domain/estate/inventory/store.ts'
import type { ExpiringSecret, PartnerStore } from '../../../domain/identity/partner/store.ts'
import type { CountDevices, SiteCounts } from '../../../domain/telemetry/device-status/count-devices.ts'
import type { DeviceStatus } from '../../../domain/telemetry/device-status/status.ts'
import type { RejectedStore } from '../../../domain/telemetry/ingest/rejected.ts'
import { HOUR_MS, toHour } from '../../../domain/v1-lifecycle/hours.ts'
import type { V1Usage } from '../../../domain/v1-lifecycle/usage.ts'
import type { WebhookStore } from '../../../domain/webhook/store.ts'
import { isFailing, type Webhook } from '../../../domain/webhook/webhook.ts'
import { TtlCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'

/** Maximum age of the numbers. Reading them takes a few queries over all sites, so requests share the result. */
const REFRESH_MS = 60_000
const DAY_MS = 24 * HOUR_MS
const EXPIRES_SOON_MS = 30 * DAY_MS
const MAX_LISTED = 100
const MAX_SITES = 20
const ALL = 1_000_000

export interface SiteSummary extends SiteCounts {
  gateways: number
}

/** The numbers of an installation at one instant. */
export interface InstallationSummary {
  at: number
  readingsPerMinute: number
  newestReadingAt: number | null
  waitingToBePacked: number
  waitingRollups: number
  devices: Record<DeviceStatus, number>
  /** The sites with most devices offline, the worst first. */
  worstSites: { siteUuid: string; siteName: string; devices: Record<DeviceStatus, number> }[]
  bySite: ReadonlyMap<string, SiteSummary>
  rejected: { reason: string; messages: number }[]
  commands: { state: CommandState; commands: number }[]
  webhooks: { enabled: number; failing: number; disabled: number; attention: Webhook[] }
  expiringSecrets: ExpiringSecret[]
  v1: { calls: number; partners: number; endpoints: number; lastSeenAt: number | null }
}

export interface OperatorSummary {
  startedAt: number
  load(): MaybePromise<InstallationSummary>
  /** The numbers of some sites. A site that was added since the last refresh causes another one. */
  loadSites(siteUuids: readonly string[]): Promise<ReadonlyMap<string, SiteSummary>>
}

interface CountedCommands {
  siteUuids: readonly string[]
  journalReadings: number
  queuedRollups: number
  unfinishedCommands: readonly { state: CommandState; count: number }[]
  finishedCommands: readonly { state: CommandState; count: number }[]
}

interface SummaryDeps {
  clock: Clock
  /** Counts of the whole store. */
  loadStatistics(times: { now: number; finishedSince: number }): Promise<CountedCommands>
  countDevices: CountDevices
  /** Readings that the processes of this server have stored since they were started. */
  countReadings(): Promise<number>
  gateways: Pick<GatewayStore, 'accounts'>
  sites: Pick<SiteStore, 'list'>
  rejected: Pick<RejectedStore, 'countByReason'>
  webhooks: Pick<WebhookStore, 'list'>
  partners: Pick<PartnerStore, 'expiringSecrets'>
  v1Usage: Pick<V1Usage, 'list' | 'listPeriods'>
}

/** A summary of all sites that each process reads at most once a minute. */
export function createOperatorSummary(deps: SummaryDeps): OperatorSummary {
  const { clock } = deps
  const startedAt = clock.now()
  let counted = { readings: 0, at: startedAt }

  const measureRate = async (now: number): Promise<number> => {
    const readings = await deps.countReadings()
    const minutes = Math.max(now - counted.at, 1) / 60_000
    const rate = Math.max(0, readings - counted.readings) / minutes
    counted = { readings, at: now }
    return Math.round(rate * 10) / 10
  }

  const load = async (): Promise<InstallationSummary> => {
    const now = clock.now()
    const statistics = await deps.loadStatistics({ now, finishedSince: now - (now % DAY_MS) })
    const devices = await deps.countDevices(statistics.siteUuids)
    const bySite = addGateways(devices.bySite, await deps.gateways.accounts())
    return {
      at: now,
      readingsPerMinute: await measureRate(now),
      newestReadingAt: findNewest([...bySite.values()].map(({ newestReadingAt }) => newestReadingAt)),
      waitingToBePacked: statistics.journalReadings,
      waitingRollups: statistics.queuedRollups,
      devices: devices.byStatus,
      worstSites: await findWorst(deps.sites, bySite),
      bySite,
      rejected: await deps.rejected.countByReason(now - HOUR_MS),
      commands: countCommands(statistics),
      webhooks: countWebhooks(await deps.webhooks.list()),
      expiringSecrets: await deps.partners.expiringSecrets({ now, until: now + EXPIRES_SOON_MS }, MAX_LISTED),
      v1: await countV1(deps.v1Usage, now),
    }
  }

  const summaries = new TtlCache<'summary', InstallationSummary>({ ttlMs: REFRESH_MS, max: 1, clock, load })
  return {
    startedAt,
    load: () => summaries.get('summary'),
    async loadSites(siteUuids) {
      const { bySite } = await summaries.get('summary')
      if (siteUuids.every((siteUuid) => bySite.has(siteUuid))) return bySite
      summaries.invalidate()
      return (await summaries.get('summary')).bySite
    },
  }
}

const findNewest = (times: readonly (number | null)[]): number | null =>
  times.reduce((newest, at) => (at !== null && (newest === null || at > newest) ? at : newest), null)

function addGateways(
  bySite: ReadonlyMap<string, SiteCounts>,
  accounts: readonly { siteUuid: string }[],
): Map<string, SiteSummary> {
  const gateways = new Map<string, number>()
  for (const { siteUuid } of accounts) gateways.set(siteUuid, (gateways.get(siteUuid) ?? 0) + 1)
  return new Map(
    [...bySite].map(([siteUuid, counts]) => [siteUuid, { ...counts, gateways: gateways.get(siteUuid) ?? 0 }]),
  )
}

async function findWorst(
  sites: Pick<SiteStore, 'list'>,
  bySite: ReadonlyMap<string, SiteCounts>,
): Promise<InstallationSummary['worstSites']> {
  const worst = [...bySite]
    .filter(([, { byStatus }]) => byStatus.offline > 0)
    .toSorted(([, a], [, b]) => b.byStatus.offline - a.byStatus.offline)
    .slice(0, MAX_SITES)
  const names = new Map(
    (await sites.list(worst.map(([siteUuid]) => siteUuid))).map(({ siteUuid, siteName }) => [
      siteUuid,
      siteName,
    ]),
  )
  return worst.map(([siteUuid, { byStatus }]) => ({
    siteUuid,
    siteName: names.get(siteUuid) ?? siteUuid,
    devices: byStatus,
  }))
}

const countCommands = ({
  unfinishedCommands,
  finishedCommands,
}: CountedCommands): InstallationSummary['commands'] => {
  const found = [...unfinishedCommands, ...finishedCommands]
  return COMMAND_STATES.map((state) => ({
    state,
    commands: found.find((entry) => entry.state === state)?.count ?? 0,
  }))
}

function countWebhooks(webhooks: readonly Webhook[]): InstallationSummary['webhooks'] {
  const disabled = webhooks.filter(({ state }) => state === 'disabled')
  const failing = webhooks.filter(isFailing)
  return {
    enabled: webhooks.filter(({ state }) => state === 'enabled').length,
    failing: failing.length,
    disabled: disabled.length,
    attention: [...failing, ...disabled].slice(0, MAX_LISTED),
  }
}

async function countV1(
  usage: Pick<V1Usage, 'list' | 'listPeriods'>,
  now: number,
): Promise<InstallationSummary['v1']> {
  const uses = await usage.list({ after: undefined, limit: ALL })
  const recent = uses.filter(({ lastSeenAt }) => lastSeenAt >= now - DAY_MS)
  // The current hour and the 23 before it.
  const hours = await usage.listPeriods({
    from: toHour(now - DAY_MS) + HOUR_MS,
    periodMs: HOUR_MS,
    partnerUuid: undefined,
  })
  return {
    calls: hours.reduce((sum, { calls }) => sum + calls, 0),
    partners: new Set(recent.map(({ partnerUuid }) => partnerUuid)).size,
    endpoints: new Set(recent.map(({ path }) => path)).size,
    lastSeenAt: findNewest(uses.map(({ lastSeenAt }) => lastSeenAt)),
  }
}
