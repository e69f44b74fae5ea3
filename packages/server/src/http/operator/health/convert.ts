import type { InstallationHealth } from '@portico/wire/operator/health'
import type { OperatorSite } from '@portico/wire/operator/site'
import type { Site } from '../../../domain/estate/inventory/inventory.ts'
import type { DeviceStatus } from '../../../domain/telemetry/device-status/status.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { getVersion } from '../../../kernel/version.ts'
import { toWireSite } from '../../resources/site.ts'
import type { InstallationSummary, SiteSummary } from './summary.ts'

const toInstant = (at: number | null): string | null => (at === null ? null : isoInstant(at))

const toWireCounts = ({
  online,
  offline,
  unknown,
}: Record<DeviceStatus, number>): OperatorSite['devices'] => ({
  total: online + offline + unknown,
  online,
  offline,
  unknown,
})

/** A site that was added since the summary was read has no numbers yet. */
export const toWireOperatorSite = (site: Site, summary: SiteSummary | undefined): OperatorSite => ({
  ...toWireSite(site),
  buildings: summary?.buildings ?? 0,
  spaces: summary?.spaces ?? 0,
  devices: toWireCounts(summary?.byStatus ?? { online: 0, offline: 0, unknown: 0 }),
  gateways: summary?.gateways ?? 0,
  newestReadingAt: toInstant(summary?.newestReadingAt ?? null),
})

export const toWireHealth = (
  summary: InstallationSummary,
  { now, startedAt, notReady }: { now: number; startedAt: number; notReady: readonly string[] },
): InstallationHealth => ({
  version: getVersion(),
  startedAt: isoInstant(startedAt),
  uptimeSeconds: Math.max(0, Math.floor((now - startedAt) / 1_000)),
  refreshedAt: isoInstant(summary.at),
  notReady: [...notReady],
  ingest: {
    readingsPerMinute: summary.readingsPerMinute,
    newestReadingAt: toInstant(summary.newestReadingAt),
    waitingToBePacked: summary.waitingToBePacked,
    waitingRollups: summary.waitingRollups,
  },
  devices: {
    ...toWireCounts(summary.devices),
    sites: summary.worstSites.map(({ siteUuid, siteName, devices }) => ({
      siteUuid,
      siteName,
      devices: toWireCounts(devices),
    })),
  },
  rejected: summary.rejected,
  commands: summary.commands,
  webhooks: {
    ...summary.webhooks,
    attention: summary.webhooks.attention.map(({ webhookUuid, partnerUuid, url, failingSince, reason }) => ({
      webhookUuid,
      partnerUuid,
      url,
      failingSince: toInstant(failingSince),
      reason,
    })),
  },
  expiringSecrets: summary.expiringSecrets.map(({ expiresAt, ...secret }) => ({
    ...secret,
    expiresAt: isoInstant(expiresAt),
  })),
  v1: { ...summary.v1, lastSeenAt: toInstant(summary.v1.lastSeenAt) },
})
