import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { encodeSeries } from '../../src/http/v2/series-encoding/encoded-series.ts'
import { getPointEncoder } from '../../src/http/v2/series-encoding/point-encoder.ts'
import type { ReadingStore } from '../../src/domain/telemetry/reading/store.ts'
import type { MetricSpec } from '../../src/domain/estate/inventory/inventory.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { toWindows } from '../../src/calendar/window-edges.ts'
import { BACKENDS } from '../support/backends.ts'
import { createSeriesServiceFor, NO_ROLLUPS, createEncoder } from '../support/series-fixtures.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const MINUTE = 60_000
const MIDNIGHT = Date.parse('2026-11-02T00:00Z')
const NOW = MIDNIGHT + 600 * MINUTE

/**
 * The hours of the current day from midnight to ten, and readings by minute of the day. On a store that instances share,
 * another instance stores the readings.
 */
async function openHours(t: TestContext, backend: (typeof BACKENDS)[number], spec: MetricSpec) {
  const open = await backend.locate(t)
  const store = await open()
  const writer = store.shared ? await open() : store
  const metric = spec.kind === 'gauge' ? 'temperature' : 'electricity'
  const document = makeSmallSite('Europe/London', 1, [{ space: 0, metrics: { [metric]: spec } }])
  await createInventoryService({ store: store.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
  const model = await createSiteDirectory(store.inventory).find(document.site.siteUuid)
  assert.ok(model)
  const [space] = model.spaces.values()
  assert.ok(space)
  const seriesId = [...model.devices.values()][0]?.series[metric]
  assert.ok(seriesId !== undefined)
  const hours = toWindows(model.zone, 'PT1H', MIDNIGHT, NOW)
  const { readings, loads } = countLoads(store.readings)
  const encode = createEncoder({ ...store, readings }, NOW).spaces(model, [space], metric, 'PT1H')

  const written = async (): Promise<string> => {
    const text = await encode(hours, false)
    const anew = await createSeriesServiceFor(store.readings, NO_ROLLUPS).spaces(
      model,
      [space],
      metric,
      hours,
    )
    const windows = text.windows()
    assert.equal(windows, encodeSeries(getPointEncoder(model.zone), anew).windows())
    for (const isPolled of [true, false, true])
      assert.equal((await encode(hours, isPolled)).windows(), windows)
    return windows
  }

  const deliver = async (minute: number, value: number): Promise<void> => {
    const [timestamps, values] = [[MIDNIGHT + minute * MINUTE], [value]]
    await writer.readings.add(document.site.siteUuid, toReadingBatch([{ seriesId, timestamps, values }]))
  }

  return {
    written,
    deliver,
    /** Each is a separate delivery, followed by a query of the hours. */
    async add(...readings: [minute: number, value: number][]): Promise<void> {
      for (const [minute, value] of readings) {
        await deliver(minute, value)
        await written()
      }
    },
    /** Whether the hours are cached, so that no readings are loaded. */
    async isCached(): Promise<boolean> {
      const before = loads()
      await encode(hours, false)
      return loads() === before
    },
    /** The response as it is computed while other work is in progress. */
    read: async (): Promise<void> => void (await encode(hours, false)),
  }
}

/** The store, and how often readings were loaded from it. */
function countLoads(store: ReadingStore): { readings: ReadingStore; loads: () => number } {
  let loads = 0
  const readings: ReadingStore = {
    ...store,
    around: (...query) => {
      loads += 1
      return store.around(...query)
    },
    within: (...query) => {
      loads += 1
      return store.within(...query)
    },
  }
  return { readings, loads: () => loads }
}

for (const backend of BACKENDS) {
  describe(`closed hours of the current day on ${backend.name}`, () => {
    for (const spec of [GAUGE, REGISTER, DELTA]) {
      test(`change with a late reading of a ${spec.kind}, and with a correction`, async (t) => {
        const hours = await openHours(t, backend, spec)
        await hours.add([30, 1], [90, 2], [150, 3], [210, 4])
        const before = await hours.written()
        await hours.add([120, 2.1])
        const between = await hours.written()
        assert.notEqual(between, before)
        await hours.add([120, 2.2])
        assert.notEqual(await hours.written(), between)
      })
    }

    for (const spec of [REGISTER, DELTA]) {
      test(`change with the reading of a ${spec.kind} that follows the hour`, async (t) => {
        const hours = await openHours(t, backend, spec)
        await hours.add([30, 1], [70, 2], [110, 3])
        const before = await hours.written()
        await hours.add([130, 5])
        assert.notEqual(await hours.written(), before)
      })
    }

    test('change with a reset after a silence, for the time of the silence', async (t) => {
      const hours = await openHours(t, backend, REGISTER)
      await hours.add([30, 100], [60, 110])
      const before = await hours.written()
      await hours.add([400, 3])
      assert.notEqual(await hours.written(), before)
    })

    for (const spec of [GAUGE, REGISTER, DELTA]) {
      test(`do not change with readings of a ${spec.kind} in the current hour`, async (t) => {
        const hours = await openHours(t, backend, spec)
        await hours.add([570, 1], [600, 2])
        const before = await hours.written()
        await hours.deliver(601, 3)
        assert.ok(await hours.isCached())
        assert.equal(await hours.written(), before)
      })

      test(`change with a late reading of a ${spec.kind} that is followed by a new one`, async (t) => {
        const hours = await openHours(t, backend, spec)
        await hours.add([30, 1], [90, 2], [150, 3], [210, 4], [601, 5])
        const before = await hours.written()
        await hours.deliver(120, 2.1)
        await hours.deliver(602, 6)
        assert.notEqual(await hours.written(), before)
      })

      test(`are those of the last delivery of a ${spec.kind} after reads during deliveries`, async (t) => {
        const hours = await openHours(t, backend, spec)
        for (let round = 0; round < 20; round += 1) {
          const minutes = [round * 20 + 15, (round * 67) % 400, round * 20 + 5]
          await Promise.all(
            minutes.flatMap((minute, index) => [
              hours.read(),
              hours.deliver(minute, round + index),
              hours.read(),
            ]),
          )
          await hours.written()
        }
      })
    }
  })
}
