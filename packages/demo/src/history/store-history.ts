import type { Inventory } from '@portico/wire/operator/inventory'
import type { SiteDirectory } from '@portico/server/domain/estate/inventory/site-directory'
import type { ReadingStore } from '@portico/server/domain/telemetry/reading/store'
import type { TimeSpan } from '@portico/server/calendar/interval'
import { demoHistory } from '../content/index.ts'
import type { Progress } from '@portico/server/process/demo'
import { toReadingBatch, type SeriesReadings } from '@portico/server/domain/telemetry/reading/batch'

/** Series per write: few enough to show progress and to let other writes in between. */
const BATCH = 16

/** Stores the readings of a demo site that come after the last one of their series. */
export async function storeHistory(
  { siteDirectory, readings }: { siteDirectory: SiteDirectory; readings: ReadingStore },
  inventory: Inventory,
  span: TimeSpan,
  progress: Progress,
): Promise<void> {
  const model = await siteDirectory.find(inventory.site.siteUuid)
  if (!model) return
  const { siteUuid, siteName } = model.site
  const latest = await readings.latest(siteUuid)
  const seriesCount = [...model.devices.values()].reduce(
    (sum, { series }) => sum + Object.keys(series).length,
    0,
  )
  // If no series is missing, only the most recent readings are, and storing them takes too little time to show
  // progress.
  const isNew = latest.size < seriesCount
  let batch: SeriesReadings[] = []
  let done = 0
  // One batch is written while the next is computed.
  let writing: Promise<unknown> = Promise.resolve()
  for (const { deviceUuid, metricType, timestamps, values } of demoHistory(inventory, span)) {
    const seriesId = model.devices.get(deviceUuid)?.series[metricType]
    if (seriesId === undefined) continue
    const lastAt = latest.get(seriesId)?.at ?? 0
    const start = timestamps.findIndex((at) => at > lastAt)
    if (start === -1) continue
    batch.push({ seriesId, timestamps: timestamps.subarray(start), values: values.subarray(start) })
    done += 1
    if (batch.length < BATCH) continue
    await writing
    writing = readings.add(siteUuid, toReadingBatch(batch))
    batch = []
    if (isNew) progress(siteName, done / seriesCount)
  }
  await writing
  await readings.add(siteUuid, toReadingBatch(batch))
}
