import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { encodeSeries } from '../../src/http/v2/series-encoding/encoded-series.ts'
import { getPointEncoder } from '../../src/http/v2/series-encoding/point-encoder.ts'
import type { MetricSpec } from '../../src/domain/estate/inventory/inventory.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { toWindows } from '../../src/calendar/window-edges.ts'
import { BACKENDS } from '../support/backends.ts'
import { createSeriesServiceFor, NO_ROLLUPS, createEncoder } from '../support/series-fixtures.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'

const MINUTE = 60_000
const MIDNIGHT = Date.parse('2026-11-02T00:00Z')
const NOW = MIDNIGHT + 600 * MINUTE

/** The hours of the current day from midnight to ten, and readings by minute of the day. */
async function openHours(t: TestContext, backend: (typeof BACKENDS)[number], spec: MetricSpec) {
  const store = await backend.open(t)
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
  const encode = createEncoder(store, NOW).spaces(model, [space], metric, 'PT1H')

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
    await store.readings.add(document.site.siteUuid, [{ seriesId, timestamps, values }])
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
      const series = encode(hours, false)
      await series
      return !(series instanceof Promise)
    },
    canCache: store.rollups.versions !== undefined,
  }
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
        assert.equal(await hours.isCached(), hours.canCache)
        assert.equal(await hours.written(), before)
      })
    }
  })
}
