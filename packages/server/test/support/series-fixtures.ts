import assert from 'node:assert/strict'
import type { Windows } from '../../src/calendar/interval.ts'
import { performanceScores } from '../../src/domain/telemetry/insight/performance-series.ts'
import { type Series, toPoints } from '../../src/domain/telemetry/series/columns.ts'
import { createSeriesService } from '../../src/domain/telemetry/series/service.ts'
import type { RollupStore } from '../../src/domain/telemetry/rollup/store.ts'
import { type EncodedSeries, encodeSeries } from '../../src/http/v2/series-encoding/encoded-series.ts'
import { createSeriesEncoder, type SeriesEncoder } from '../../src/http/v2/series-encoding/encode-series.ts'
import { getPointEncoder } from '../../src/http/v2/series-encoding/point-encoder.ts'
import type { InventoryDocument, SpaceRecord } from '../../src/domain/estate/inventory/inventory.ts'
import type { Device, SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { MetricName } from '../../src/domain/metric/catalogue.ts'
import { type Interval, toWindows } from '../../src/calendar/window-edges.ts'
import type { ReadingReader } from '../../src/domain/telemetry/reading/store.ts'
import type { Store } from '../../src/store/store.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** An empty rollup store, for values computed from readings alone. */
export const NO_ROLLUPS: RollupStore = {
  days: async () => [],
  months: async () => [],
  quarters: async () => [],
}

export const createSeriesServiceFor = (
  readings: ReadingReader,
  rollups: RollupStore,
  clock: Clock = systemClock,
) =>
  createSeriesService({
    readings,
    rollups,
    clock,
    derived: { performance: performanceScores },
    carbonIntensity: () => ({ gramsAt: (at) => (at / HOUR) % 7, isSyntheticAt: () => true }),
    emissionFactors: { gas: 2, heating: 0.2, cooling: 0.1 },
  })

const INTERVALS: readonly Interval[] = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']
const METRICS: readonly MetricName[] = ['electricity', 'water', 'temperature', 'occupancy', 'carbon']

/** Encodes the series of a site at a time at which all windows are recent and closed, so that they are cached. */
export const createEncoder = (store: Store, now: number): SeriesEncoder =>
  createSeriesEncoder({
    aggregate: createSeriesServiceFor(store.readings, store.rollups),
    readings: store.readings,
    rollups: store.rollups,
    clock: { now: () => now },
  })

const toObjects = ({ columns, ...series }: Series): object => ({ points: toPoints(columns), ...series })

const plain = ({ windows, digest, ...rest }: EncodedSeries): object => ({
  ...rest,
  windows: windows(),
  digest: digest.toString(),
})

/** Every series of a site over a time span. */
export async function encodeAll(
  encoder: SeriesEncoder,
  model: SiteModel,
  middle: number,
): Promise<Record<string, unknown>> {
  return ask(model, middle, {
    async spaces(spaces, metric, interval, windows) {
      const encode = encoder.spaces(model, spaces, metric, interval)
      const first = plain(await encode(windows, true))
      for (const isPolled of [false, true, true])
        assert.deepEqual(plain(await encode(windows, isPolled)), first)
      return first
    },
    device: async (device, metric, interval, windows) =>
      plain(await encoder.device(model, device, metric, interval)(windows, false)),
  })
}

/** Every series, computed from the readings alone. */
export async function encodeFromReadings(
  store: Store,
  model: SiteModel,
  middle: number,
): Promise<Record<string, unknown>> {
  const aggregate = createSeriesServiceFor(store.readings, NO_ROLLUPS)
  const encoder = getPointEncoder(model.zone)
  return ask(model, middle, {
    spaces: async (spaces, metric, _interval, windows) =>
      plain(encodeSeries(encoder, await aggregate.spaces(model, spaces, metric, windows))),
    device: async (device, metric, _interval, windows) =>
      plain(encodeSeries(encoder, await aggregate.device(model, device, metric, windows))),
  })
}

/** Every value of a site over a time span. */
export async function readAllSeries(
  store: Store,
  rollups: RollupStore,
  model: SiteModel,
  middle: number,
  clock?: Clock,
): Promise<Record<string, unknown>> {
  const aggregate = createSeriesServiceFor(store.readings, rollups, clock)
  return ask(model, middle, {
    spaces: async (spaces, metric, _interval, windows) =>
      toObjects(await aggregate.spaces(model, spaces, metric, windows)),
    device: async (device, metric, _interval, windows) =>
      toObjects(await aggregate.device(model, device, metric, windows)),
  })
}

interface Answerer {
  spaces(
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    interval: Interval,
    windows: Windows,
  ): Promise<unknown>
  device(device: Device, metric: MetricName, interval: Interval, windows: Windows): Promise<unknown>
}

async function ask(
  model: SiteModel,
  middle: number,
  { spaces: ofSpaces, device: ofDevice }: Answerer,
): Promise<Record<string, unknown>> {
  const requests: [name: string, Promise<unknown>][] = []
  for (const interval of INTERVALS) {
    const reach = interval.startsWith('PT') ? 2 * DAY : 5 * DAY
    const windows = toWindows(model.zone, interval, middle - reach, middle + reach)
    const spaces = [...model.spaces.values()]
    for (const metric of METRICS) {
      for (const space of spaces)
        requests.push([
          `${space.spaceName} ${metric} ${interval}`,
          ofSpaces([space], metric, interval, windows),
        ])
      requests.push([`all ${metric} ${interval}`, ofSpaces(spaces, metric, interval, windows)])
      for (const device of model.devices.values())
        requests.push([
          `${device.record.deviceName} ${metric} ${interval}`,
          ofDevice(device, metric, interval, windows),
        ])
    }
  }
  const answers = await Promise.all(requests.map(([, series]) => series))
  return Object.fromEntries(requests.map(([name], index) => [name, answers[index]]))
}

/** Adds readings for all metrics of the devices. */
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
  await store.readings.add(model.site.siteUuid, toReadingBatch(batch))
}
