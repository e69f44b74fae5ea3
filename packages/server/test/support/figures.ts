import { createAggregateService } from '../../src/aggregate/service.ts'
import type { RollupStore } from '../../src/aggregate/store.ts'
import type { InventoryDocument } from '../../src/inventory/inventory.ts'
import type { SiteModel } from '../../src/inventory/site-model.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import type { MetricName } from '../../src/metric/catalogue.ts'
import { type Interval, windowEdges } from '../../src/metric/window.ts'
import type { ReadingStore } from '../../src/reading/store.ts'
import type { Store } from '../../src/store/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** For figures from the readings alone. */
export const NO_ROLLUPS: RollupStore = {
  days: async () => [],
  months: async () => [],
  quarters: async () => [],
}

export const aggregateOf = (readings: ReadingStore, rollups: RollupStore, clock: Clock = systemClock) =>
  createAggregateService({
    readings,
    rollups,
    clock,
    carbonIntensity: () => ({ gramsAt: (at) => (at / HOUR) % 7, isSyntheticAt: () => true }),
  })

const INTERVALS: readonly Interval[] = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']
const METRICS: readonly MetricName[] = ['electricity', 'water', 'temperature', 'occupancy', 'carbon']

/** Every figure of a site over a stretch of time. */
export async function figures(
  store: Store,
  rollups: RollupStore,
  model: SiteModel,
  middle: number,
  clock?: Clock,
): Promise<Record<string, unknown>> {
  const aggregate = aggregateOf(store.readings, rollups, clock)
  const asked: [name: string, Promise<unknown>][] = []
  for (const interval of INTERVALS) {
    const reach = interval.startsWith('PT') ? 2 * DAY : 5 * DAY
    const edges = windowEdges(model.zone, interval, middle - reach, middle + reach)
    const spaces = [...model.spaces.values()]
    for (const metric of METRICS) {
      for (const space of spaces)
        asked.push([
          `${space.spaceName} ${metric} ${interval}`,
          aggregate.spaces(model, [space], metric, edges),
        ])
      asked.push([`all ${metric} ${interval}`, aggregate.spaces(model, spaces, metric, edges)])
      for (const device of model.devices.values())
        asked.push([
          `${device.record.deviceName} ${metric} ${interval}`,
          aggregate.device(model, device, metric, edges),
        ])
    }
  }
  const answers = await Promise.all(asked.map(([, series]) => series))
  return Object.fromEntries(asked.map(([name], index) => [name, answers[index]]))
}

/** Gives readings to all metrics of their devices. */
export async function addAll(
  store: Store,
  model: SiteModel,
  document: InventoryDocument,
  middle: number,
  readings: readonly { device: number; minutes: number; value: number }[],
): Promise<void> {
  const bySeries = new Map<number, Map<number, number>>()
  for (const { device, minutes, value } of readings) {
    const series = model.devices.get(document.devices[device]?.deviceUuid ?? '')?.series ?? {}
    for (const seriesId of Object.values(series)) {
      const known = bySeries.get(seriesId) ?? new Map<number, number>()
      bySeries.set(seriesId, known.set(middle + minutes * MINUTE, value))
    }
  }
  const batch = [...bySeries].map(([seriesId, values]) => {
    const sorted = [...values].toSorted(([a], [b]) => a - b)
    return { seriesId, timestamps: sorted.map(([at]) => at), values: sorted.map(([, value]) => value) }
  })
  await store.readings.add(model.site.siteUuid, batch)
}
