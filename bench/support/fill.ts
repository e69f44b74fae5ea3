import { COMMAND_LINE } from '@portico/server/domain/identity/audit'
import { fromWireInventory } from '@portico/server/http/operator/inventory/convert'
import { createInventoryService } from '@portico/server/domain/estate/inventory/service'
import { createSiteDirectory } from '@portico/server/domain/estate/inventory/site-directory'
import { systemClock } from '@portico/server/kernel/clock'
import type { Store } from '@portico/server/store/store'
import { isRegister, METRICS, type Metric, type Residence, STEP_MS, generateValues } from './residence.ts'
import { toReadingBatch } from '@portico/server/domain/telemetry/reading/batch'

/** Large enough to keep the writer busy, small enough to be copied to it quickly. */
const SERIES_A_WRITE = 20

/** A metric of a device in a room, and the store's id of its series. */
export interface RoomSeries {
  seriesId: number
  room: number
  metric: Metric
}

/** Writes a residence to a store; returns its series, room by room. */
export async function applyResidence(
  { inventory }: Pick<Store, 'inventory'>,
  { siteUuid, document, meterUuids, sensorUuids }: Residence,
): Promise<RoomSeries[]> {
  const service = createInventoryService({ store: inventory, clock: systemClock })
  await service.apply(fromWireInventory(document), COMMAND_LINE)
  const model = await createSiteDirectory(inventory).find(siteUuid)
  return meterUuids.flatMap((meterUuid, room) =>
    METRICS.flatMap((metric) => {
      const deviceUuid = isRegister(metric) ? meterUuid : (sensorUuids[room] ?? '')
      const seriesId = model?.devices.get(deviceUuid)?.series[metric]
      return seriesId === undefined ? [] : { seriesId, room, metric }
    }),
  )
}

/**
 * Writes a residence and its history to a store that no server has open, like `portico readings import`; all closed
 * days are rolled up.
 */
export async function fillStore(
  store: Store,
  residence: Residence,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const all = await applyResidence(store, residence)
  await addReadings(store, residence, all, { from, count })
  await store.runMaintenance()
}

/** Writes the history of some series of a residence. */
export async function addReadings(
  { readings }: Pick<Store, 'readings'>,
  { siteUuid }: Residence,
  all: readonly RoomSeries[],
  { from, count }: { from: number; count: number },
): Promise<void> {
  const timestamps = Float64Array.from({ length: count }, (_, index) => from + index * STEP_MS)
  for (let start = 0; start < all.length; start += SERIES_A_WRITE) {
    const batch = all.slice(start, start + SERIES_A_WRITE)
    await readings.add(
      siteUuid,
      toReadingBatch(
        batch.map(({ seriesId, room, metric }) => ({
          seriesId,
          timestamps,
          values: generateValues(metric, room, count),
        })),
      ),
    )
  }
}
