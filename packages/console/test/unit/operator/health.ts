import type { Health } from '../../../src/operator/types.ts'

export const NOW = Date.parse('2026-11-16T12:00:00Z')

/** An installation in which nothing needs attention. */
export const HEALTHY: Health = {
  isReady: true,
  reasons: [],
  version: '0.1.0',
  startedAt: '2026-11-16T09:00:00.000Z',
  ingest: { readingsPerMinute: 40, newestReadingAt: '2026-11-16T11:59:00.000Z', waitingToBePacked: 12 },
  devices: [{ siteUuid: 's', siteName: 'Aldgate Court', online: 3, offline: 0, unknown: 1 }],
  rejected: [],
  commands: [{ state: 'CONFIRMED', count: 4 }],
  webhooks: [],
  secrets: [],
  v1Calls: 0,
}
