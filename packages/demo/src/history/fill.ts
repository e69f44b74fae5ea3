import type { Inventory } from '@portico/wire/operator/inventory'
import type { Services } from '@portico/server/http/services'
import type { DemoContext } from '@portico/server/process/demo'
import type { TimeSpan } from '@portico/server/calendar/interval'
import { demoLatest } from '../content/index.ts'
import type { MissingSeries } from './calls.ts'
import { HistoryProcess } from './process.ts'

const DAY_MS = 86_400_000

/**
 * Extends the readings of the demo's sites up to now: `days` of them in an empty store, otherwise those since the last
 * stored ones. Uses the given history process, or starts one if readings are missing.
 */
export async function fillHistory(
  context: DemoContext,
  inventories: readonly Inventory[],
  days: number,
  early: HistoryProcess | undefined,
): Promise<void> {
  const { config, services } = context
  const to = services.clock.now()
  const missing: MissingSeries[] = []
  for (const inventory of inventories) {
    const from = await firstMissing(services, inventory, { from: to - days * DAY_MS, to })
    if (from < to) missing.push({ siteUuid: inventory.site.siteUuid, span: { from, to } })
  }
  if (missing.length === 0) return early?.end()
  const process = early ?? new HistoryProcess()
  await process.use((history) => history.call('store', config, missing), context)
}

/** The time from which any series lacks readings: a killed process may have stored only some of them. */
async function firstMissing(
  { siteDirectory, readings }: Services,
  inventory: Inventory,
  { from, to }: TimeSpan,
): Promise<number> {
  const { siteUuid } = inventory.site
  const model = await siteDirectory.find(siteUuid)
  const stored = await readings.latest(siteUuid)
  let first = to
  for (const { deviceUuid, metricType, at } of demoLatest(inventory, to)) {
    const seriesId = model?.devices.get(deviceUuid)?.series[metricType]
    if (seriesId === undefined) continue
    const last = stored.get(seriesId)
    if (!last) first = Math.min(first, from)
    else if (last.at < at) first = Math.min(first, last.at + 1)
  }
  return first
}
