import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { api } from '../support/clients/requests.ts'
import { getSeries } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { postReadings, write } from '../support/clients/ingest-channels.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

/** The examples of docs/api/figures.md; random-histories.test.ts searches for others. */
const house = makeSmallSite({ timeZone: 'Europe/London' })
const { kitchen, studio, siteUuid } = house

const day = '2026-02-03'
const at = (clock: string): string => `${day}T${clock}:00Z`

function add(deviceType: string, spaceUuid: string, metrics: JsonObject): string {
  const deviceUuid = randomUUID()
  house.document.devices.push(device(deviceUuid, deviceType, spaceUuid, { metrics }))
  return deviceUuid
}

const hourly = add('multiSensor', kitchen, { co2: { kind: 'gauge' } })
const silent = add('multiSensor', studio, { temperature: { kind: 'gauge' } })
const patient = add('multiSensor', studio, { humidity: { kind: 'gauge', maxGapMinutes: 240 } })
const counters = [0, 1].map(() => add('occupancySensor', studio, { occupancy: { kind: 'gauge' } }))
const register = (spec: JsonObject = {}): string =>
  add('electricityMeter', studio, { electricity: { kind: 'register', ...spec } })
const [dipping, sizedDipping, reset, rollover] = [
  register(),
  register({ registerSize: 1_000_000 }),
  register({ registerSize: 1_000_000 }),
  register({ registerSize: 1_000_000 }),
]
const delta = (spec: JsonObject = {}): string =>
  add('electricityMeter', studio, { electricity: { kind: 'delta', ...spec } })
const [free, stepped, ending, halfHourly] = [
  delta(),
  delta({ stepMinutes: 30 }),
  delta({ stamp: 'end', stepMinutes: 60 }),
  delta({ stamp: 'end', stepMinutes: 30 }),
]
const gasMeter = add('gasMeter', studio, { gas: { kind: 'delta' } })

let installation: Installation
let client: V2Client

before(async () => {
  installation = await shareDemo()
  await applyInventory(installation, house.document)
  client = await addClient(installation, [siteUuid])
})

async function deliver(deviceUuid: string, metricType: string, readings: [clock: string, value: number][]) {
  const records = readings.map(([clock, value]) => ({ deviceUuid, metricType, timestamp: at(clock), value }))
  const report = await postReadings(installation, 'ndjson', write(records, 'ndjson'))
  assert.equal(report['refusedCount'], 0)
}

type Shown = [value: number | null, quality: string, coverage: number]

/** The hours of a device or a space from one clock to another. */
async function hours(path: string, from: string, to: string, interval = 'PT1H'): Promise<Shown[]> {
  const params = { interval, fromDateTime: at(from), toDateTime: at(to) }
  const { points } = await getSeries(client, path, params)
  return points.map(({ value, quality, coverage }) => [value, quality, coverage])
}

const ofDevice = (deviceUuid: string, metric = 'electricity'): string =>
  `/devices/${deviceUuid}/consumption/${metric}`
const ofStudio = (metric: string): string => `/spaces/${studio}/aggregate/${metric}/hourly`

describe('a sensor', () => {
  test('that reports every hour and misses nothing is measured, to the day', async () => {
    const clocks = Array.from({ length: 24 }, (_, hour): [string, number] => [
      `${String(hour).padStart(2, '0')}:50`,
      400 + hour,
    ])
    await deliver(hourly, 'co2', clocks)
    for (const shown of await hours(ofDevice(hourly, 'co2'), '01:00', '23:00'))
      assert.deepEqual(shown.slice(1), ['measured', 1])
  })

  test('that falls silent leaves windows partial, then missing; the last value stands for an hour', async () => {
    const clocks = ['09:00', '09:30', '10:00', '10:30', '13:30', '14:00', '14:30']
    await deliver(
      silent,
      'temperature',
      clocks.map((clock, index) => [clock, 20 + index]),
    )
    const expected: Shown[] = [
      [20.5, 'measured', 1],
      [22.5, 'measured', 1],
      [23, 'partial', 0.5],
      [null, 'missing', 0],
      [24, 'partial', 0.5],
      [25.5, 'measured', 1],
    ]
    assert.deepEqual(await hours(ofDevice(silent, 'temperature'), '09:00', '15:00'), expected)
    assert.deepEqual(await hours(ofStudio('temperature'), '09:00', '15:00'), expected)
    const quarters = await hours(ofStudio('temperature'), '11:00', '12:00', 'PT15M')
    assert.deepEqual(quarters, [
      [23, 'estimated', 1],
      [23, 'estimated', 1],
      [null, 'missing', 0],
      [null, 'missing', 0],
    ])
  })

  test('with maxGapMinutes stands for longer', async () => {
    await deliver(patient, 'humidity', [
      ['10:30', 40],
      ['13:30', 50],
    ])
    assert.deepEqual(await hours(ofDevice(patient, 'humidity'), '10:00', '15:00'), [
      [40, 'partial', 0.5],
      [40, 'estimated', 1],
      [40, 'estimated', 1],
      [50, 'measured', 1],
      [50, 'estimated', 1],
    ])
  })

  test('of people counts with the value that stands', async () => {
    const [first = '', second = ''] = counters
    await deliver(first, 'occupancy', [['10:00', 3]])
    await deliver(second, 'occupancy', [['10:30', 2]])
    assert.deepEqual(await hours(ofStudio('occupancy'), '10:00', '11:30', 'PT30M'), [
      [3, 'measured', 1],
      [5, 'measured', 1],
      [2, 'estimated', 1],
    ])
  })

  test('has the same figures in version 1', async () => {
    const sites = await api(installation.portico, '/v2/migration/id-map?type=space', {
      token: client.token,
      headers: { SiteId: siteUuid },
    })
    const row = asArray(sites.json['data'])
      .map(asObject)
      .find(({ uuid }) => uuid === studio)
    const dates = 'from=2026-02-03&to=2026-02-04'
    const older = await api(
      installation.portico,
      `/v1/spaces/multiSensor/${String(row?.['id'])}/history?${dates}`,
      { token: client.token, headers: { SiteId: siteUuid } },
    )
    assert.equal(older.status, 200, older.text)
    const [first] = asArray(older.json['data']).map(asObject)
    const { points } = await getSeries(client, `/spaces/${studio}/aggregate/temperature/daily`, {
      fromDateTime: day,
      toDateTime: '2026-02-04',
    })
    assert.equal(points[0]?.value, 23)
    assert.equal(asObject(first?.['temperature'])['value'], 23)
  })
})

describe('a register that falls', () => {
  const fall = async (deviceUuid: string, before: number, after: number): Promise<Shown[]> => {
    await deliver(deviceUuid, 'electricity', [
      ['10:00', before - 1],
      ['11:00', before],
      ['12:00', after],
      ['13:00', after + 2],
    ])
    return hours(ofDevice(deviceUuid), '10:00', '13:00')
  }

  test('a little dipped: the fall counts as 0 and is suspect, whatever the size of the register', async () => {
    for (const meter of [dipping, sizedDipping])
      assert.deepEqual(await fall(meter, 500, 499.9), [
        [1, 'measured', 1],
        [0, 'suspect', 1],
        [2, 'measured', 1],
      ])
  })

  test('to less than half was reset, unless it is near its top', async () => {
    assert.deepEqual(await fall(reset, 500, 3), [
      [1, 'measured', 1],
      [3, 'measured', 1],
      [2, 'measured', 1],
    ])
    assert.deepEqual(await fall(rollover, 999_999, 4), [
      [1, 'measured', 1],
      [5, 'measured', 1],
      [2, 'measured', 1],
    ])
  })
})

describe('deltas', () => {
  const three: [string, number][] = [
    ['10:00', 1],
    ['10:30', 2],
    ['12:30', 4],
  ]

  test('last until the next one', async () => {
    await deliver(free, 'electricity', three)
    assert.deepEqual(await hours(ofDevice(free), '10:00', '15:00'), [
      [1.5, 'measured', 1],
      [1, 'estimated', 1],
      [1.5, 'measured', 1],
      [2, 'estimated', 1],
      [1, 'partial', 0.5],
    ])
  })

  test('last as long as the declared step', async () => {
    await deliver(stepped, 'electricity', three)
    assert.deepEqual(await hours(ofDevice(stepped), '10:00', '13:00'), [
      [3, 'measured', 1],
      [null, 'missing', 0],
      [4, 'partial', 0.5],
    ])
  })

  test('may be stamped with the end of their interval', async () => {
    await deliver(ending, 'electricity', [
      ['11:00', 1],
      ['12:00', 2],
    ])
    assert.deepEqual(await hours(ofDevice(ending), '10:00', '13:00'), [
      [1, 'measured', 1],
      [2, 'measured', 1],
      [null, 'missing', 0],
    ])
    // A half-hourly file names the intervals themselves.
    const slots = Array.from({ length: 50 }, (_, slot) => (slot < 48 ? '0.5' : ''))
    const header = `deviceUuid,metricType,date,${slots.map((_, slot) => `hh${String(slot + 1).padStart(2, '0')}`).join()}`
    const line = `${halfHourly},electricity,2026-02-05,${slots.join()}`
    const report = await postReadings(installation, 'csv', `${header}\n${line}\n`)
    assert.equal(report['accepted'], 48)
    const range = { interval: 'P1D', fromDateTime: '2026-02-05', toDateTime: '2026-02-06' }
    const { points } = await getSeries(client, ofDevice(halfHourly), range)
    assert.deepEqual([points[0]?.value, points[0]?.quality], [24, 'measured'])
  })

  test('below 0 are rejected', async () => {
    const record = { deviceUuid: free, metricType: 'electricity', timestamp: at('20:00'), value: -0.5 }
    const report = await postReadings(installation, 'ndjson', write([record], 'ndjson'))
    assert.deepEqual(
      asArray(report['refused']).map((one) => asObject(one)['code']),
      ['negative-delta'],
    )
  })
})

test('consumption above the default limit of its metric is shown and suspect', async () => {
  await deliver(gasMeter, 'gas', [
    ['10:00', 500],
    ['11:00', 501],
    ['12:00', 1],
    ['13:00', 1],
  ])
  assert.deepEqual(await hours(ofDevice(gasMeter, 'gas'), '10:00', '13:00'), [
    [500, 'measured', 1],
    [501, 'suspect', 1],
    [1, 'measured', 1],
  ])
})
