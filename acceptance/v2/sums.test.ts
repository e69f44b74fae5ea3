import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  exportInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asArray, asInteger, asObject, type JsonObject } from '../support/json.ts'
import { getSeries, listValues } from '../support/clients/series.ts'
import { isPostgres } from '../support/servers/backend.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { v1Client } from '../support/clients/v1.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

const hourMs = 3_600_000

let installation: Installation
before(async () => {
  installation = await startInstallation()
})
after(() => installation.stop())

async function deliver(records: readonly ReadingRecord[]): Promise<void> {
  const report = await postReadings(installation, 'ndjson', write(records, 'ndjson'))
  assert.equal(report['refusedCount'], 0)
  // Rollups must exist before the changes invalidate them. PostgreSQL closes days by the clock.
  if (isPostgres()) return
  await eventually(async () => {
    assert.match(await readMetrics(installation.portico), /^portico_rollup_queue_entries 0$/m)
  })
}

/** A register that advances by the same amount every hour, or the readings of a gauge that stays the same. */
const hourly = (
  deviceUuid: string,
  metricType: string,
  from: number,
  hours: number,
  valueAt: (hour: number) => number,
): ReadingRecord[] =>
  Array.from({ length: hours + 1 }, (_, hour) => ({
    deviceUuid,
    metricType,
    timestamp: new Date(from + hour * hourMs).toISOString(),
    value: valueAt(hour),
  }))

const without = (record: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

describe('sub-meters', () => {
  const house = makeSmallSite({ timeZone: 'UTC' })
  const { bedroom, kitchen, studio, siteUuid } = house
  const [main, plug, heater] = [randomUUID(), randomUUID(), randomUUID()]
  const metrics = { electricity: { kind: 'register' } }
  const fields = (more: JsonObject): JsonObject => ({ metrics, ...more })
  const [first, end] = ['2025-03-01', '2025-03-11']
  let client: V2Client

  /** Places the main meter, and the plug below it; the heater is below the plug. */
  const apply = (mainAt: string, plugAt: string, more: { main?: JsonObject; plug?: JsonObject } = {}) =>
    applyInventory(installation, {
      ...house.document,
      devices: [
        device(main, 'electricityMeter', mainAt, fields(more.main ?? {})),
        device(plug, 'smartPlug', plugAt, fields({ submeterOf: main, ...more.plug })),
        device(heater, 'heater', kitchen, fields({ submeterOf: plug })),
      ],
    })

  const daily = async (spaceUuid: string, scope: string, interval = 'P1D', metric = 'electricity') => {
    const range = { interval, scope, fromDateTime: first, toDateTime: end }
    return listValues(await getSeries(client, `/spaces/${spaceUuid}/aggregate/${metric}/daily`, range))
  }

  const tenDays = (...values: number[]): number[] => values.map((perHour) => perHour * 24)
  const always = (perHour: number): number[] => Array.from({ length: 10 }, () => perHour * 24)
  const none = Array.from({ length: 10 }, () => null)

  before(async () => {
    await apply(kitchen, bedroom)
    client = await addClient(installation, [siteUuid])
    const from = Date.parse(`${first}T00:00Z`)
    await deliver([
      ...hourly(main, 'electricity', from, 240, (hour) => 4 * hour),
      ...hourly(plug, 'electricity', from, 240, (hour) => 2 * hour),
      ...hourly(heater, 'electricity', from, 240, (hour) => hour),
    ])
  })

  test('are shown with the meter above them', async () => {
    const shown = await client.list('/devices')
    const above = new Map(shown.map((one) => [one['deviceUuid'], one['submeterOf']]))
    assert.deepEqual([above.get(main), above.get(plug), above.get(heater)], [null, main, plug])
    assert.equal((await client.get(`/devices/${plug}`))['submeterOf'], main)
  })

  test('count alone, and not in a sum with a meter above them, however far', async () => {
    assert.deepEqual(await daily(bedroom, 'space'), always(2))
    assert.deepEqual(await daily(kitchen, 'space'), always(4))
    assert.deepEqual(await daily(bedroom, 'cluster'), always(4))
    assert.deepEqual(await daily(kitchen, 'cluster', 'P1M'), [4 * 240])
    const [carbon, sum] = [
      await daily(kitchen, 'cluster', 'P1D', 'carbon'),
      await daily(kitchen, 'space', 'P1D', 'carbon'),
    ]
    assert.deepEqual(carbon, sum)
    const own = await getSeries(client, `/devices/${heater}/consumption/electricity`, {
      interval: 'P1D',
      fromDateTime: first,
      toDateTime: end,
    })
    assert.deepEqual(listValues(own), always(1))
  })

  test('count from the instant at which the meter above them leaves the spaces of the sum', async () => {
    await apply(studio, bedroom, { main: { since: '2025-03-05T12:00:00Z' } })
    assert.deepEqual(await daily(bedroom, 'space'), always(2))
    // The heater counts in the kitchen when no meter above it is there.
    assert.deepEqual(await daily(kitchen, 'space'), tenDays(4, 4, 4, 4, 2.5, 1, 1, 1, 1, 1))
    assert.deepEqual(await daily(kitchen, 'cluster'), tenDays(4, 4, 4, 4, 3, 2, 2, 2, 2, 2))
    assert.deepEqual(await daily(studio, 'space'), [null, null, null, null, ...tenDays(2, 4, 4, 4, 4, 4)])
    const hours = await getSeries(client, `/spaces/${kitchen}/aggregate/electricity/hourly`, {
      scope: 'cluster',
      fromDateTime: '2025-03-05T10:00:00Z',
      toDateTime: '2025-03-05T14:00:00Z',
    })
    assert.deepEqual(listValues(hours), [4, 4, 2, 2])
  })

  test('do not count where the meter above them is, from the instant at which they move there', async () => {
    await apply(studio, studio, {
      main: { since: '2025-03-05T12:00:00Z' },
      plug: { since: '2025-03-08T00:00:00Z' },
    })
    assert.deepEqual(await daily(studio, 'space'), [null, null, null, null, ...tenDays(2, 4, 4, 4, 4, 4)])
    assert.deepEqual(await daily(kitchen, 'cluster'), tenDays(4, 4, 4, 4, 3, 2, 2, 1, 1, 1))
  })

  test('count again in all sums, also of days that are rolled up, when they are no longer sub-meters', async () => {
    const placed = await exportInventory(installation, siteUuid)
    const parted = placed.devices.map((one) => without(one, 'submeterOf', 'since'))
    await applyInventory(installation, { ...house.document, devices: parted })
    assert.deepEqual(await daily(studio, 'space'), [null, null, null, null, ...tenDays(2, 4, 4, 6, 6, 6)])
    assert.deepEqual(await daily(kitchen, 'space'), tenDays(5, 5, 5, 5, 3, 1, 1, 1, 1, 1))
    assert.deepEqual(await daily(kitchen, 'cluster'), tenDays(7, 7, 7, 7, 5, 3, 3, 1, 1, 1))
    await applyInventory(installation, {
      ...house.document,
      devices: placed.devices.map((one) => without(one, 'since')),
    })
    assert.deepEqual(await daily(studio, 'space'), [null, null, null, null, ...tenDays(2, 4, 4, 4, 4, 4)])
    assert.deepEqual(await daily(kitchen, 'cluster'), tenDays(4, 4, 4, 4, 3, 2, 2, 1, 1, 1))
    assert.deepEqual(await daily(house.secondBedroom, 'space'), none)
  })

  test('version 1 and the overview follow the same rule', async () => {
    const from = Math.floor(Date.now() / hourMs) * hourMs - 72 * hourMs
    const since = new Date(from).toISOString()
    await apply(kitchen, kitchen, { main: { since }, plug: { since } })
    await deliver(
      [main, plug, heater].flatMap((uuid, index) =>
        hourly(uuid, 'electricity', from, 72, (hour) => 10_000 + hour * (4 >> index)),
      ),
    )
    const exported = await exportInventory(installation, siteUuid)
    const id = asInteger(exported.spaces.find(({ spaceUuid }) => spaceUuid === kitchen)?.['legacyId'])
    const { data } = await v1Client(client).get(
      `/spaces/utilities/${id}/history?from=2025-03-05&to=2025-03-06`,
    )
    const kitchenDay = (await daily(kitchen, 'space'))[4]
    assert.deepEqual(
      asArray(data).map((row) => asObject(asObject(row)['electricity'])['value']),
      [kitchenDay],
    )
    const { utilities } = await client.get(`/spaces/${bedroom}/overview`)
    assert.equal(asObject(asArray(utilities)[0])['yesterday'], 96)
  })
})

describe('the climate of a space', () => {
  const house = makeSmallSite({ timeZone: 'UTC' })
  const { kitchen, bedroom, siteUuid } = house
  const [air, cylinder, outdoors] = [randomUUID(), randomUUID(), randomUUID()]
  const now = Math.floor(Date.now() / hourMs) * hourMs
  const from = now - 72 * hourMs
  let client: V2Client

  const apply = (outside: string, water?: string) =>
    applyInventory(installation, {
      ...house.document,
      devices: [
        device(air, 'thermostat', kitchen, { metrics: { temperature: { kind: 'gauge' } } }),
        device(cylinder, 'hotWaterCylinder', kitchen, {
          metrics: {
            temperature: { kind: 'gauge', ...(water ? { of: water } : {}) },
            noise: { kind: 'gauge' },
          },
        }),
        device(outdoors, 'multiSensor', kitchen, {
          metrics: { temperature: { kind: 'gauge', of: outside }, humidity: { kind: 'gauge' } },
        }),
      ],
    })

  const mean = async (spaceUuid: string, scope: string): Promise<unknown> => {
    const path = `/spaces/${spaceUuid}/aggregate/temperature/hourly`
    return (await getSeries(client, path, { scope, fromDateTime: new Date(from).toISOString() })).summary[
      'mean'
    ]
  }

  before(async () => {
    await apply('outdoor')
    client = await addClient(installation, [siteUuid])
    await deliver([
      ...hourly(air, 'temperature', from, 72, () => 20),
      ...hourly(cylinder, 'temperature', from, 72, () => 56),
      ...hourly(cylinder, 'noise', from, 72, () => 30),
      ...hourly(outdoors, 'temperature', from, 72, () => -1),
      ...hourly(outdoors, 'humidity', from, 72, () => 80),
    ])
  })

  test('is that of its air, in every figure of both versions', async () => {
    assert.equal(await mean(kitchen, 'space'), 20)
    assert.equal(await mean(bedroom, 'cluster'), 20)
    const overview = await client.get(`/spaces/${kitchen}/overview`)
    assert.deepEqual(overview['metricTypes'], ['temperature', 'humidity'])
    assert.deepEqual(
      asArray(overview['environment']).map((one) => [asObject(one)['metricType'], asObject(one)['value']]),
      [
        ['temperature', 20],
        ['humidity', 80],
      ],
    )
    const exported = await exportInventory(installation, siteUuid)
    const id = asInteger(exported.spaces.find(({ spaceUuid }) => spaceUuid === kitchen)?.['legacyId'])
    const { temperature, noise } = await v1Client(client).get(`/spaces/multiSensor/${id}`)
    assert.deepEqual([asObject(temperature)['value'], noise], [20, undefined])
    const quiet = await getSeries(client, `/spaces/${kitchen}/aggregate/noise/hourly`, {})
    assert.equal(quiet.json['hasData'], false)
  })

  test('a device shows what it measures', async () => {
    for (const [uuid, value] of [
      [cylinder, 56],
      [outdoors, -1],
    ] as const) {
      const path = `/devices/${uuid}/consumption/temperature`
      const series = await getSeries(client, path, { fromDateTime: new Date(from).toISOString() })
      assert.equal(series.summary['mean'], value)
    }
  })

  test('follows a change of what a gauge measures, also for days that are rolled up', async () => {
    await apply('air')
    assert.equal(await mean(kitchen, 'space'), 9.5)
    await apply('surface', 'air')
    assert.equal(await mean(kitchen, 'space'), 38)
    await apply('outdoor')
    assert.equal(await mean(kitchen, 'space'), 20)
  })
})
