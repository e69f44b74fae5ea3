import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { asNumber } from '../support/clients/series.ts'
import { v1Client } from '../support/clients/v1.ts'
import { device, makeSmallSite, space } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { assertEmissions } from '../support/oracles/carbon.ts'
import { parseCsv, csvHeader } from '../support/oracles/csv.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
const FIRST = Date.UTC(2026, 2, 27)
const DAYS = 5
/** Without gas in the last two days. */
const GAS_DAYS = 3

const METERS = ['electricity', 'gas', 'heating', 'cooling', 'solar'] as const
type Meter = (typeof METERS)[number]

const house = makeSmallSite()
const { buildingUuid } = house
/** A space with its own meters, each a device. */
const addSpace = (meters: readonly Meter[], fields: JsonObject = {}) => {
  const spaceUuid = randomUUID()
  house.document.spaces.push(space(spaceUuid, 'plant', { buildingUuid, ...fields }))
  const devices = meters.map((metric) => {
    const deviceUuid = randomUUID()
    const metrics = { [metric]: { kind: 'register' } }
    house.document.devices.push(device(deviceUuid, 'heatMeter', spaceUuid, { metrics }))
    return deviceUuid
  })
  return { spaceUuid, meters, devices }
}
const clusterUuid = randomUUID()
const flat = { clusterUuid, clusterName: 'Flat' }
const everything = addSpace(METERS, { ...flat, legacyId: 4711 })
/** With the same electricity as `everything`. */
const electric = addSpace(['electricity'])
const gasOnly = addSpace(['gas'], flat)
const solarOnly = addSpace(['solar'])
/** A comparison with similar spaces needs three others. */
const heatOnly = addSpace(['heating'])
const twin = randomUUID()
house.document.devices.push(
  device(twin, 'heatMeter', house.studio, {
    metrics: { gas: { kind: 'register' }, electricity: { kind: 'register' } },
  }),
)

const installation = await startInstallation({ HEAT_KG_PER_KWH: '0.2' })
after(() => installation.stop())
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])
const factors = { gas: 2.04, heating: 0.2, cooling: 0.07 }

/** Register readings by half hour; the increase differs from metric to metric and over the day. */
function* readingsOf(deviceUuid: string, metric: Meter): Generator<ReadingRecord> {
  let value = 100
  const days = metric === 'gas' ? GAS_DAYS : DAYS
  for (let at = FIRST; at <= FIRST + days * DAY_MS; at += HALF_HOUR_MS) {
    yield { deviceUuid, metricType: metric, timestamp: new Date(at).toISOString(), value }
    value =
      Math.round((value + 0.1 * (1 + METERS.indexOf(metric)) + ((at / HALF_HOUR_MS) % 7) / 100) * 1e4) / 1e4
  }
}
const all = [everything, electric, gasOnly, solarOnly, heatOnly].flatMap(({ meters, devices }) =>
  meters.flatMap((metric, index) => [...readingsOf(devices[index] ?? '', metric)]),
)
await postReadings(
  installation,
  'ndjson',
  write([...all, ...readingsOf(twin, 'gas'), ...readingsOf(twin, 'electricity')], 'ndjson'),
)

const RANGE = 'fromDateTime=2026-03-27&toDateTime=2026-04-01'
const read = (uuid: string, metric: string, way = 'daily?interval=P1D', more = ''): Promise<JsonObject> =>
  client.get(`/spaces/${uuid}/aggregate/${metric}/${way}&${RANGE}${more}`)
const readDevice = (uuid: string, metric: string, interval = 'PT1H'): Promise<JsonObject> =>
  client.get(`/devices/${uuid}/consumption/${metric}?interval=${interval}&${RANGE}`)

async function readAll(
  metrics: readonly string[],
  load: (metric: string) => Promise<JsonObject>,
): Promise<Record<string, JsonObject>> {
  const series: Record<string, JsonObject> = {}
  for (const metric of metrics) series[metric] = await load(metric)
  return series
}

describe('carbon', () => {
  for (const way of [
    'hourly?interval=PT15M',
    'hourly?interval=PT1H',
    'daily?interval=P1D',
    'daily?interval=P1W',
    'daily?interval=P1M',
  ])
    test(`adds up electricity, gas, heating and cooling, and not solar: ${way}`, async () => {
      const carbon = await read(everything.spaceUuid, 'carbon', way)
      assertEmissions(carbon, {
        electricity: await read(electric.spaceUuid, 'carbon', way),
        consumption: await readAll(['gas', 'heating', 'cooling'], (metric) =>
          read(everything.spaceUuid, metric, way),
        ),
        factors,
      })
      assert.equal(carbon['isSynthetic'], true)
    })

  test('a window without data of one of the meters is partial', async () => {
    const { timeSeries } = await read(everything.spaceUuid, 'carbon')
    const shown = asArray(timeSeries).map((window) => {
      const { quality, coverage, components } = asObject(window)
      return [quality, coverage, Object.keys(asObject(components)).length]
    })
    const whole = ['measured', 1, 4]
    // Gas ends an hour after the fourth midnight: the readings end at midnight UTC, in summer time.
    const anHourOfGas = ['partial', 0.7604, 4]
    const withoutGas = ['partial', 0.75, 3]
    assert.deepEqual(shown, [whole, whole, whole, anHourOfGas, withoutGas])
  })

  test('a space that measures gas only has emissions, none of them synthetic', async () => {
    const carbon = await read(gasOnly.spaceUuid, 'carbon')
    const gas = await read(gasOnly.spaceUuid, 'gas')
    assert.equal(carbon['hasData'], true)
    assert.equal(carbon['isSynthetic'], false)
    assertEmissions(carbon, { consumption: { gas }, factors })
  })

  test('a space that measures solar only has none', async () => {
    const { hasData, summary } = await read(solarOnly.spaceUuid, 'carbon')
    assert.deepEqual([hasData, asObject(summary)['total']], [false, null])
    assert.equal(asObject(summary)['components'], undefined)
  })

  test('of a cluster is the sum of its spaces', async () => {
    const way = 'daily?interval=P1D&scope=cluster'
    assertEmissions(await read(everything.spaceUuid, 'carbon', way), {
      electricity: await read(electric.spaceUuid, 'carbon'),
      consumption: await readAll(['gas', 'heating', 'cooling'], (metric) =>
        read(everything.spaceUuid, metric, way),
      ),
      factors,
    })
  })

  test('of a device is that of what it measures', async () => {
    for (const interval of ['PT1H', 'P1D']) {
      const [, gasMeter = ''] = everything.devices
      const carbon = await readDevice(gasMeter, 'carbon', interval)
      assert.equal(carbon['hasData'], true)
      assertEmissions(carbon, { consumption: { gas: await readDevice(gasMeter, 'gas', interval) }, factors })
      assertEmissions(await readDevice(twin, 'carbon', interval), {
        electricity: await readDevice(electric.devices[0] ?? '', 'carbon', interval),
        consumption: { gas: await readDevice(twin, 'gas', interval) },
        factors,
      })
    }
    const answer = await client.send(`/devices/${solarOnly.devices[0]}/consumption/carbon?${RANGE}`)
    assert.equal(answer.status, 404)
  })

  test('comparisons use the total of all metrics', async () => {
    const carbon = await read(gasOnly.spaceUuid, 'carbon', undefined, '&compareTo=siteAverage')
    const { comparison } = asObject(carbon['summary'])
    const totals: number[] = []
    for (const { spaceUuid } of [everything, electric, gasOnly, heatOnly])
      totals.push(asNumber(asObject((await read(spaceUuid, 'carbon'))['summary'])['total']))
    const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length
    assert.ok(Math.abs(asNumber(asObject(comparison)['value']) - mean) < 1e-5)
    assert.deepEqual(Object.keys(asObject(asObject(carbon['summary'])['components'])), ['gas'])
  })

  test('CSV has the columns of every series', async () => {
    const path = `/spaces/${everything.spaceUuid}/aggregate/carbon/daily?${RANGE}`
    const { text } = await client.send(path, { headers: { accept: 'text/csv' } })
    assert.deepEqual(csvHeader(text), ['timestamp', 'value', 'min', 'max', 'quality', 'coverage'])
    const { timeSeries } = await read(everything.spaceUuid, 'carbon')
    const values = asArray(timeSeries).map((window) => String(asObject(window)['value']))
    assert.deepEqual(
      parseCsv(text).map(({ value }) => value),
      values,
    )
  })

  test('version 1 returns the same values', async () => {
    const v1 = v1Client(client)
    const { total, data } = await v1.get('/spaces/carbonEmissions/4711?from=2026-03-27&to=2026-04-01')
    const { summary, timeSeries } = await read(everything.spaceUuid, 'carbon')
    assert.equal(total, asObject(summary)['total'])
    assert.deepEqual(
      asArray(data).map((day) => asObject(day)['value']),
      asArray(timeSeries).map((window) => asObject(window)['value']),
    )
  })
})
