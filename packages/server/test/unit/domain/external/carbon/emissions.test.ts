import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Windows } from '../../../../../src/calendar/interval.ts'
import { syntheticIntensity } from '../../../../../src/domain/external/carbon/synthetic.ts'
import { loadConfig } from '../../../../../src/config/config.ts'
import { createLog } from '../../../../../src/kernel/log.ts'
import { toPoints } from '../../../../../src/domain/telemetry/series/columns.ts'
import { createServices } from '../../../../../src/process/services.ts'
import { openSqliteStore } from '../../../../../src/store/sqlite/store.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { startGbService } from '../../../../support/gb-service.ts'
import { DELTA, makeSmallSite } from '../../../../support/small-site.ts'
import { entry } from '../../../../support/seed.ts'
import { toReadingBatch } from '../../../../../src/domain/telemetry/reading/batch.ts'

const HALF_HOUR = 1_800_000
const FROM = Date.UTC(2026, 2, 2, 6)

/** Emissions of a room that consumes a kilowatt hour in each of two half hours. */
async function emissions(t: TestContext, env: Record<string, string>): Promise<(number | null)[]> {
  const store = openSqliteStore(join(temporaryFolder(t), 'portico.db'))
  t.after(() => store.close())
  await store.migrate()
  const document = makeSmallSite('Europe/London', 1, [{ space: 0, metrics: { electricity: DELTA } }])
  const { siteUuid } = document.site
  const site = { ...document.site, postcode: 'E1' }
  await store.inventory.apply(siteUuid, { ...document, site }, entry('site.added'))
  const { services } = createServices(
    loadConfig({}, env),
    { http: 0, mqtt: 0, mqtts: undefined },
    store,
    createLog('silent'),
  )
  const model = await services.siteDirectory.find(siteUuid)
  assert.ok(model)
  const seriesId = [...model.devices.values()][0]?.series.electricity ?? -1
  const timestamps = [FROM, FROM + HALF_HOUR, FROM + 2 * HALF_HOUR]
  await store.readings.add(siteUuid, toReadingBatch([{ seriesId, timestamps, values: [1, 1, 1] }]))
  const { columns } = await services.aggregate.spaces(
    model,
    [...model.spaces.values()],
    'carbon',
    new Windows(timestamps),
  )
  return toPoints(columns).map(({ value }) => value)
}

test('emissions are synthetic, without a request, unless a provider is configured', async (t) => {
  const service = await startGbService(t, FROM)
  const expected = [syntheticIntensity(FROM), syntheticIntensity(FROM + HALF_HOUR)].map((g) => g / 1000)
  assert.deepEqual(await emissions(t, { CARBON_URL: service.url }), expected)
  assert.deepEqual(service.requests, [])
})

test("emissions are kilowatt hours times the intensity of the site's region in each half hour", async (t) => {
  const service = await startGbService(t, FROM)
  service.grams = (from) => (from === FROM ? 11 : 22)
  const env = { CARBON_PROVIDER: 'gb-carbon-intensity', CARBON_URL: service.url }
  assert.deepEqual(await emissions(t, env), [0.111, 0.122])
  assert.equal(service.requests.length, 1)
})
