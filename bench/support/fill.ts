import { COMMAND_LINE } from '@portico/server/audit/audit'
import { fromWireInventory } from '@portico/server/http/operator/inventory/convert'
import { createInventoryService } from '@portico/server/inventory/service'
import { createSiteDirectory } from '@portico/server/inventory/site-directory'
import { systemClock } from '@portico/server/lib/clock'
import type { SeriesReadings } from '@portico/server/reading/store'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import { METRICS, type Residence, STEP_MS, valuesOf } from './residence.ts'

/** Long enough to keep the writer busy, short enough to be copied to it in no time. */
const SERIES_A_WRITE = 20

/** Writes a residence and its history into a store that no server holds, as `portico readings import` would; everything closed is rolled up. */
export async function fillStore(
  file: string,
  residence: Residence,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const store = openSqliteStore(file)
  try {
    await store.migrate()
    const { siteUuid, document } = residence
    await createInventoryService({ store: store.inventory, clock: systemClock }).apply(
      fromWireInventory(document),
      COMMAND_LINE,
    )
    const model = await createSiteDirectory(store.inventory).find(siteUuid)
    const timestamps = Float64Array.from({ length: count }, (_, index) => from + index * STEP_MS)
    const batch: SeriesReadings[] = []
    const write = async (): Promise<void> => void (await store.readings.add(siteUuid, batch.splice(0)))
    for (const [room, devices] of residence.meterUuids.entries()) {
      const uuids = [devices, residence.sensorUuids[room] ?? '']
      for (const { series } of uuids.flatMap((uuid) => model?.devices.get(uuid) ?? [])) {
        for (const metric of METRICS) {
          const seriesId = series[metric]
          if (seriesId !== undefined)
            batch.push({ seriesId, timestamps, values: valuesOf(metric, room, count) })
        }
      }
      if (batch.length >= SERIES_A_WRITE) await write()
    }
    await write()
    await store.settle()
  } finally {
    await store.close()
  }
}
