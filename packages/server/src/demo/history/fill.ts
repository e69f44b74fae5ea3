import type { Inventory } from '@portico/wire/operator/inventory'
import type { Services } from '../http/services.ts'
import type { SeriesReadings } from '../reading/store.ts'
import { demoHistory } from './content/index.ts'

const DAY_MS = 86_400_000
/** Series in one write: few enough to show progress and to leave room for other writes between. */
const BATCH = 16

/** Called with the share that is done, 0..1. */
export type Progress = (siteName: string, share: number) => void

/** Brings a demo site's readings up to now: so many days of them on an empty store, else what is missing since the last one. */
export async function fillHistory(
  { siteDirectory, readings, clock }: Services,
  inventory: Inventory,
  days: number,
  progress: Progress,
): Promise<void> {
  const model = await siteDirectory.find(inventory.site.siteUuid)
  if (!model) return
  const now = clock.now()
  const { siteUuid, siteName } = model.site
  const latest = await readings.latest(siteUuid)
  const seriesCount = [...model.devices.values()].reduce(
    (sum, { series }) => sum + Object.keys(series).length,
    0,
  )
  // A kill in the middle leaves some series empty.
  const isComplete = latest.size >= seriesCount
  // From where the series that is furthest behind stopped: a kill may have stored some and not the others.
  const oldest = Math.min(...[...latest.values()].map(({ at }) => at))
  const from = isComplete ? oldest + 1 : now - days * DAY_MS
  let batch: SeriesReadings[] = []
  let done = 0
  // One batch is written while the next is computed.
  let writing: Promise<unknown> = Promise.resolve()
  for (const { deviceUuid, metricType, timestamps, values } of demoHistory(inventory, { from, to: now })) {
    const seriesId = model.devices.get(deviceUuid)?.series[metricType]
    if (seriesId === undefined) continue
    const known = latest.get(seriesId)?.at ?? 0
    const start = timestamps.findIndex((at) => at > known)
    if (start === -1) continue
    batch.push({ seriesId, timestamps: timestamps.subarray(start), values: values.subarray(start) })
    done += 1
    if (batch.length < BATCH) continue
    await writing
    writing = readings.add(siteUuid, batch)
    batch = []
    if (!isComplete) progress(siteName, done / seriesCount)
  }
  await writing
  await readings.add(siteUuid, batch)
}
