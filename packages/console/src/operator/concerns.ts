import { formatCount, formatRelative, plural } from '../format.ts'
import type { Health } from './types.ts'

/** Something that needs attention, and the page that explains it. */
export interface Concern {
  text: string
  href: string
  isUrgent: boolean
}

/** Readings arrive every few minutes; none for this long means that ingest has stopped. */
const STALE_MS = 30 * 60_000

/** What needs attention, the most urgent first. */
export function findConcerns(health: Health, now: number): Concern[] {
  const { isReady, reasons, ingest, devices, rejected, commands, webhooks, secrets } = health
  const concerns: Concern[] = []
  const add = (isUrgent: boolean, text: string, href: string): void => {
    concerns.push({ text, href, isUrgent })
  }
  if (!isReady) for (const reason of reasons) add(true, `Not ready: ${reason}`, '#readiness')
  const { newestReadingAt } = ingest
  if (newestReadingAt !== null && now - Date.parse(newestReadingAt) > STALE_MS)
    add(
      true,
      `The newest reading arrived ${formatRelative(Date.parse(newestReadingAt), now)}`,
      '/console/operator/sites',
    )
  for (const { siteUuid, siteName, offline } of devices)
    if (offline > 0)
      add(
        false,
        `${plural(offline, 'device')} offline at ${siteName}`,
        `/console/operator/sites/${siteUuid}?status=offline#devices`,
      )
  const refused = rejected.reduce((sum, { count }) => sum + count, 0)
  if (refused > 0)
    add(false, `${plural(refused, 'message')} rejected in the last hour`, '/console/operator/rejected')
  for (const state of ['FAILED', 'EXPIRED'] as const) {
    const count = commands.find((entry) => entry.state === state)?.count
    if (count)
      add(
        false,
        `${plural(count, 'command')} ${state.toLowerCase()} today`,
        `/console/operator/commands?state=${state}`,
      )
  }
  for (const { partnerName, url } of webhooks)
    add(true, `A webhook of ${partnerName} is failing: ${url}`, '/console/operator/webhooks?state=failing')
  for (const { partnerName, partnerUuid, expiresAt } of secrets) {
    const at = Date.parse(expiresAt)
    add(
      at <= now,
      `A secret of ${partnerName} ${at <= now ? 'expired' : 'expires'} ${formatRelative(at, now)}`,
      `/console/operator/partners/${partnerUuid}`,
    )
  }
  return concerns.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent))
}

/** "All is well", or how much is not. */
export const toVerdict = (concerns: readonly Concern[]): string =>
  concerns.length === 0
    ? 'All is well'
    : concerns.length === 1
      ? '1 thing needs attention'
      : `${formatCount(concerns.length)} things need attention`
