import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { after, test } from 'node:test'
import { addClient } from '../support/servers/installation.ts'
import { addOperator } from '../support/servers/operator-dir.ts'
import { makeTempDir, runPortico, startPortico } from '../support/servers/portico.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { getSeries } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { eventually } from '../support/eventually.ts'
import { listOldReadings, oldInventory, oldStore } from '../support/fixtures/old-store.ts'
import { assertWindow } from '../support/histories/compare.ts'
import { computeEdges } from '../support/histories/edges.ts'
import { type SeriesOfDevice, windowsOfDevice, windowsOfSpaces } from '../support/histories/oracle.ts'
import { asObject, asString } from '../support/json.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true }))

const readings = Map.groupBy(listOldReadings(), ({ deviceUuid }) => deviceUuid)

const series: SeriesOfDevice[] = oldInventory.devices.flatMap((record) => {
  const deviceUuid = asString(record['deviceUuid'])
  return Object.entries(asObject(record['metrics'])).map(([metricType, spec]) => ({
    deviceUuid,
    deviceType: asString(record['deviceType']),
    metricType,
    spec: asObject(spec) as unknown as SeriesOfDevice['spec'],
    stays: [{ spaceUuid: asString(record['spaceUuid']), from: -Infinity, to: Infinity }],
    readings: readings.get(deviceUuid) ?? [],
  }))
})

const timeZone = 'Europe/London'
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)
/** Days whose readings are in the store. The clocks change on the 25th. */
const retained = { first: date('2026-10-18'), end: date('2026-10-31') }

/** Compares all series with the oracle. */
async function assertRight(client: V2Client): Promise<void> {
  for (const interval of ['PT15M', 'PT1H', 'P1D'] as const) {
    const days = interval === 'P1D' ? retained : { ...retained, first: date('2026-10-20') }
    const range = { interval, fromDateTime: days.first.toString(), toDateTime: days.end.toString() }
    const edges = computeEdges(days, interval, timeZone)
    const granularity = interval === 'P1D' ? 'daily' : 'hourly'
    for (const one of series) {
      const { deviceUuid, metricType } = one
      const shown = await getSeries(client, `/devices/${deviceUuid}/consumption/${metricType}`, range)
      const expected = windowsOfDevice(one, edges)
      shown.points.forEach((point, index) =>
        assertWindow(point, expected[index], `${deviceUuid} ${interval}`),
      )
    }
    for (const [spaceUuid, metricType] of [
      [oldStore.studio, 'electricity'],
      [oldStore.kitchen, 'electricity'],
      [oldStore.kitchen, 'temperature'],
    ] as const) {
      const path = `/spaces/${spaceUuid}/aggregate/${metricType}/${granularity}`
      const shown = await getSeries(client, path, range)
      const expected = windowsOfSpaces(series, metricType, [spaceUuid], edges)
      shown.points.forEach((point, index) => assertWindow(point, expected[index], `${spaceUuid} ${interval}`))
    }
  }
}

test('a store of the release before is upgraded: correct immediately, and nothing is lost', async () => {
  const file = join(folder, 'old-store.db')
  const packed = readFileSync(new URL('../support/fixtures/old-store.db.gz', import.meta.url))
  await writeFile(file, gunzipSync(packed))
  const dataDir = join(folder, 'data')
  const restored = await runPortico(['restore', file], { dataDir })
  assert.equal(restored.code, 0, restored.stderr)
  const { clientId, clientSecret } = await addOperator({ dataDir })
  await using portico = await startPortico({ demo: false, dataDir, env: { RATE_LIMIT: 'off' } })
  const operator = await tokenFor(portico, clientId, clientSecret)
  const client = await addClient({ portico, operator, stop: async () => {} }, [oldStore.siteUuid])
  await assertRight(client)
  await eventually(async () => {
    assert.match(await readMetrics(portico), /^portico_rollup_queue_entries 0$/m)
  })
  await assertRight(client)

  // Days whose readings are deleted keep the values of the previous release.
  const range = { interval: 'P1D', fromDateTime: '2026-09-21', toDateTime: '2026-10-15' }
  const sensor = await getSeries(client, `/devices/${oldStore.sensor}/consumption/temperature`, range)
  for (const { value, quality, coverage } of sensor.points) {
    assert.ok(Math.abs((value ?? 0) - 20.4) < 0.05, String(value))
    assert.deepEqual([quality, coverage], ['measured', 1])
  }
  const meter = await getSeries(client, `/devices/${oldStore.meter}/consumption/electricity`, range)
  assert.deepEqual(
    meter.points.filter(({ value }) => value !== 12).map(({ timestamp }) => timestamp.slice(0, 10)),
    ['2026-09-28'],
  )
  const kitchen = await getSeries(client, `/spaces/${oldStore.kitchen}/aggregate/temperature/daily`, range)
  for (const { quality } of kitchen.points) assert.equal(quality, 'measured')
})
