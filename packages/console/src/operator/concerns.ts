import { formatCount, formatRelative, plural } from '../format.ts'
import type { InstallationHealth } from '@portico/sdk/operator'

/** Something that needs attention, and the page that explains it. */
export interface Concern {
  text: string
  href: string
  isUrgent: boolean
}

/** Many meters report every half hour; no reading at all for this long means that ingest has stopped. */
const STALE_MS = 90 * 60_000

/** The problems that need attention, the most urgent first. */
export function findConcerns(health: InstallationHealth, now: number): Concern[] {
  const { notReady, ingest, devices, rejected, commands, webhooks, expiringSecrets } = health
  const concerns: Concern[] = []
  const add = (isUrgent: boolean, text: string, href: string): void => {
    concerns.push({ text, href, isUrgent })
  }
  for (const reason of notReady) add(true, `The server is not ready: ${reason}`, '/docs/operations')
  const { newestReadingAt } = ingest
  if (newestReadingAt !== null && now - Date.parse(newestReadingAt) > STALE_MS)
    add(
      true,
      `The newest reading arrived ${formatRelative(Date.parse(newestReadingAt), now)}`,
      '/console/operator/sites',
    )
  for (const { siteUuid, siteName, devices: counts } of devices.sites)
    if (counts.offline > 0)
      add(
        false,
        `${plural(counts.offline, 'device')} offline at ${siteName}`,
        `/console/operator/sites/${siteUuid}?status=offline#devices`,
      )
  const messages = rejected.reduce((sum, entry) => sum + entry.messages, 0)
  if (messages > 0)
    add(false, `${plural(messages, 'message')} rejected in the last hour`, '/console/operator/rejected')
  for (const state of ['FAILED', 'EXPIRED'] as const) {
    const count = commands.find((entry) => entry.state === state)?.commands
    if (count)
      add(
        false,
        `${plural(count, 'command')} ${state.toLowerCase()} today`,
        `/console/operator/commands?state=${state}`,
      )
  }
  if (webhooks.failing > 0)
    add(
      true,
      webhooks.failing === 1
        ? '1 webhook is failing'
        : `${formatCount(webhooks.failing)} webhooks are failing`,
      '/console/operator/webhooks?state=failing',
    )
  for (const { partnerName, partnerUuid, expiresAt } of expiringSecrets) {
    const at = Date.parse(expiresAt)
    add(
      at <= now,
      `A secret of ${partnerName} ${at <= now ? 'expired' : 'expires'} ${formatRelative(at, now)}`,
      `/console/operator/partners/${partnerUuid}#secrets`,
    )
  }
  return concerns.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent))
}

/** "All is well", or the number of problems. */
export const toVerdict = (concerns: readonly Concern[]): string =>
  concerns.length === 0
    ? 'All is well'
    : concerns.length === 1
      ? '1 thing needs attention'
      : `${formatCount(concerns.length)} things need attention`
