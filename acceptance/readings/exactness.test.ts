import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { getReadings, getSeries, millionths, type Series, listValues } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { postReadings, write } from '../support/clients/ingest-channels.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

/** Minimal histories in which a value was once wrong; random-histories.test.ts searches for more. */
const house = makeSmallSite({ timeZone: 'UTC' })
const { studio, kitchen, siteUuid } = house
const [meter, plug, finePlug, counter] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const register = { electricity: { kind: 'register' } }
const delta = { electricity: { kind: 'delta' } }
house.document.devices.push(
  device(meter, 'electricityMeter', kitchen, { metrics: register }),
  device(plug, 'smartPlug', kitchen, { metrics: delta }),
  device(finePlug, 'smartPlug', kitchen, { metrics: delta }),
  device(counter, 'occupancySensor', studio, { metrics: { occupancy: { kind: 'gauge' } } }),
)

let installation: Installation
let client: V2Client

before(async () => {
  installation = await shareDemo()
  await applyInventory(installation, house.document)
  client = await addClient(installation, [siteUuid])
})

async function deliver(deviceUuid: string, readings: [string, number][], metricType = 'electricity') {
  const records = readings.map(([timestamp, value]) => ({ deviceUuid, metricType, timestamp, value }))
  const report = await postReadings(installation, 'ndjson', write(records, 'ndjson'))
  assert.equal(report['refusedCount'], 0)
}

const ask = (
  deviceUuid: string,
  interval: string,
  fromDateTime: string,
  toDateTime: string,
): Promise<Series> =>
  getSeries(client, `/devices/${deviceUuid}/consumption/electricity`, { interval, fromDateTime, toDateTime })

test('a reading is shown with its milliseconds', async () => {
  await deliver(house.meter, [
    ['2025-01-05T00:00:00.250Z', 1],
    ['2025-01-05T00:00:00.520Z', 2],
  ])
  const range = { fromDateTime: '2025-01-05', toDateTime: '2025-01-06' }
  assert.deepEqual(await getReadings(client, house.meter, 'electricity', range), [
    { at: Date.parse('2025-01-05T00:00:00.250Z'), value: 1 },
    { at: Date.parse('2025-01-05T00:00:00.520Z'), value: 2 },
  ])
})

test('a day of deltas is the same in every requested range', async () => {
  // The delta of 13:00 covers the 16 hours until the next one, and that one as many.
  await deliver(plug, [
    ['2026-01-04T12:00:00Z', 1],
    ['2026-01-04T13:00:00Z', 1],
    ['2026-01-05T05:00:00Z', 1],
  ])
  const [, inBoth] = (await ask(plug, 'P1D', '2026-01-04', '2026-01-06')).points
  const [alone] = (await ask(plug, 'P1D', '2026-01-05', '2026-01-06')).points
  assert.deepEqual([inBoth?.value, inBoth?.coverage], [1.3125, 0.875])
  assert.deepEqual(alone, inBoth)
})

describe('shown values add up to the last decimal', () => {
  const assertQuartersAddUp = async (deviceUuid: string, from: string, to: string): Promise<void> => {
    const quarters = await ask(deviceUuid, 'PT15M', from, to)
    const hours = await ask(deviceUuid, 'PT1H', from, to)
    assert.equal(millionths(listValues(quarters)), millionths(listValues(hours)))
  }

  test('of deltas', async () => {
    await deliver(finePlug, [
      ['2026-01-05T00:10:00Z', 1],
      ['2026-01-05T00:50:00Z', 10],
      ['2026-01-05T01:20:00Z', 0.5],
      ['2026-01-05T05:20:00Z', 0.5],
    ])
    await assertQuartersAddUp(finePlug, '2026-01-05T01:00:00Z', '2026-01-05T02:00:00Z')
  })

  test('of a register that was reset, including one with more decimals than are shown', async () => {
    await deliver(meter, [
      ['2025-02-27T00:00:00Z', 0.800_293_5],
      ['2025-02-27T00:20:00Z', 0.389_845_6],
      ['2025-02-27T00:40:00Z', 0.212_189_7],
    ])
    await assertQuartersAddUp(meter, '2025-02-27T00:00:00Z', '2025-02-27T01:00:00Z')
  })
})

test('the people of a sensor that left a space and came back are counted once', async () => {
  const move = (spaceUuid: string, since: string): Promise<unknown> =>
    applyInventory(installation, {
      ...house.document,
      devices: house.document.devices.map((one) =>
        one['deviceUuid'] === counter ? { ...one, spaceUuid, since } : one,
      ),
    })
  await move(kitchen, '2026-02-01T10:00:00Z')
  await move(studio, '2026-02-01T11:00:00Z')
  await deliver(
    counter,
    [
      ['2026-02-01T09:00:00Z', 2],
      ['2026-02-01T12:00:00Z', 4],
    ],
    'occupancy',
  )
  const path = `/spaces/${studio}/aggregate/occupancy/daily`
  const { points } = await getSeries(client, path, { fromDateTime: '2026-02-01', toDateTime: '2026-02-02' })
  assert.equal(points[0]?.value, 3)
})
