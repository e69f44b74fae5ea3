import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Interval, toWindows } from '../../src/calendar/window-edges.ts'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import type { MetricName } from '../../src/domain/metric/catalogue.ts'
import { spaceContributorLookup } from '../../src/domain/telemetry/series/find-contributors.ts'
import type { BatchSeries } from '../../src/http/v2/aggregate/batch-page.ts'
import { encodeEach } from '../../src/http/v2/aggregate/encode-batch.ts'
import type { SeriesEncoder } from '../../src/http/v2/series-encoding/encode-series.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { createEncoder } from '../support/series-fixtures.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MAX_STATEMENTS = 6

interface Site {
  store: Store
  model: SiteModel
  statements: string[]
  now: number
}

/** Spaces with two meters, a delta and a sensor each, with readings of the last days. */
async function siteOf(t: TestContext, spaces: number): Promise<Site> {
  const database = await migratedDatabase(t)
  const statements: string[] = []
  const store = database.open({ onStatement: (text) => statements.push(text) })
  const devices = Array.from({ length: spaces }, (_, space) => [
    { space, metrics: { electricity: REGISTER, temperature: { ...GAUGE, maxGapMinutes: 60 + (space % 5) } } },
    { space, metrics: { electricity: REGISTER, water: DELTA } },
  ])
  const document = makeSmallSite('Europe/London', spaces, devices.flat())
  await createInventoryService({ store: store.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
  const model = await createSiteDirectory(store.inventory).find(document.site.siteUuid)
  assert.ok(model)
  const now = systemClock.now()
  const series = [...model.devices.values()].flatMap((device) => Object.values(device.series))
  await store.readings.add(
    document.site.siteUuid,
    toReadingBatch(
      series.map((seriesId, index) => {
        const timestamps = Array.from({ length: 80 }, (_, at) => now - 4 * DAY + (at + index / 100) * HOUR)
        return { seriesId, timestamps, values: timestamps.map((_, at) => at + index / 8) }
      }),
    ),
  )
  return { store, model, statements, now }
}

function listSeries(
  model: SiteModel,
  metrics: readonly MetricName[],
  interval: Interval,
  own: SeriesEncoder,
) {
  return [...model.spaces.values()].flatMap((space) =>
    metrics.map((metric): BatchSeries => {
      const query = { model, space, metric, interval, scope: 'space' } as const
      return {
        id: space.spaceUuid,
        metric,
        find: spaceContributorLookup(model, [space]),
        work: 1,
        createEncode: (encoder = own) => encoder.space(query),
      }
    }),
  )
}

for (const [interval, metrics] of [
  ['PT15M', ['electricity', 'temperature', 'water']],
  ['PT1H', ['electricity', 'temperature', 'water', 'carbon']],
  ['P1D', ['electricity', 'temperature', 'water', 'carbon', 'performance']],
  ['P1M', ['electricity', 'temperature']],
] as const)
  test(`a batch by ${interval} takes at most ${MAX_STATEMENTS} statements, with the values of single reads`, async (t) => {
    for (const spaces of [3, 30]) {
      const { store, model, statements, now } = await siteOf(t, spaces)
      const seriesEncoder = createEncoder(store, now)
      const windows = toWindows(model.zone, interval, now - 5 * DAY, now)
      const series = listSeries(model, metrics, interval, seriesEncoder)
      statements.length = 0
      const services = { clock: systemClock, seriesEncoder, seriesReads: store }
      const encoded = []
      for await (const one of encodeEach(services, model, interval, { series, windows }, false))
        encoded.push(one)
      assert.ok(statements.length <= MAX_STATEMENTS, `${spaces} spaces: ${statements.join('\n---\n')}`)
      for (const [index, { encoded: batch }] of encoded.entries()) {
        const single = await series[index]?.createEncode(undefined)(windows, false)
        assert.equal(batch.windows(), single?.windows())
        assert.deepEqual(batch.summary, single?.summary)
        assert.equal(batch.digest.toString(), single?.digest.toString())
      }
    }
  })
