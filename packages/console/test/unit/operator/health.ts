import type { InstallationHealth } from '@portico/sdk/operator'

export const NOW = Date.parse('2026-11-16T12:00:00Z')

/** An installation in which nothing needs attention. */
export const HEALTHY: InstallationHealth = {
  version: '0.1.0',
  startedAt: '2026-11-16T09:00:00.000Z',
  uptimeSeconds: 10_800,
  refreshedAt: '2026-11-16T11:59:30.000Z',
  notReady: [],
  ingest: {
    readingsPerMinute: 40,
    newestReadingAt: '2026-11-16T11:59:00.000Z',
    waitingToBePacked: 12,
    waitingRollups: 0,
  },
  devices: { total: 4, online: 3, offline: 0, unknown: 1, sites: [] },
  rejected: [],
  commands: [{ state: 'CONFIRMED', commands: 4 }],
  webhooks: { enabled: 2, failing: 0, disabled: 0, attention: [] },
  expiringSecrets: [],
  v1: { calls: 0, partners: 0, endpoints: 0, lastSeenAt: null },
}
