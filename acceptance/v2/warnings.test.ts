import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { parseCsv } from '../support/oracles/csv.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { confirms, rejects } from '../support/control/device-behaviours.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { eventually } from '../support/eventually.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asInstant, asObject, asString, type JsonObject } from '../support/json.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// In UTC, a day of the site starts at a known instant.
const house = makeSmallSite({ timeZone: 'Etc/UTC' })
const metrics = { electricity: { kind: 'register', maxPerHour: 10 }, temperature: { kind: 'gauge' } }
const battery = { battery: { kind: 'gauge' } }
/** Adds a separate device for a test, so that tests do not depend on each other. */
const add = (fields: JsonObject = { metrics }): string => {
  const deviceUuid = randomUUID()
  house.document.devices.push(device(deviceUuid, 'multiSensor', house.studio, fields))
  return deviceUuid
}
const gatewayUuid = randomUUID()
const behindGateway = add({ metrics, gatewayUuid })
const halfHourly = add()
const slow = add()
const late = add()
const single = add()
const twoMetrics = add()
const declared = add({ metrics: { electricity: { kind: 'delta', stepMinutes: 60 } } })
const sensor = add({ metrics: battery })
const jumping = add()
const corrected = add()
const unlimited = add({ metrics: { electricity: { kind: 'register' } } })
const plain = add({ metrics: {} })

const control = await useControl()
const site = await control.addSite(house)

const now = Date.now()
const read = async (uuid: string): Promise<JsonObject> => (await site.client()).get(`/devices/${uuid}`)
const toWarnings = (shown: JsonObject): JsonObject[] => asArray(shown['warnings']).map(asObject)
const codes = async (uuid: string): Promise<string[]> =>
  toWarnings(await read(uuid)).map(({ code }) => asString(code))
const warning = async (uuid: string, code: string): Promise<JsonObject> =>
  toWarnings(await read(uuid)).find((one) => one['code'] === code) ?? assert.fail(`no ${code}`)

type Point = [at: number, value: number]

const post = (deviceUuid: string, metricType: string, points: readonly Point[]): Promise<JsonObject> => {
  const toRecord = ([at, value]: Point): ReadingRecord => ({
    deviceUuid,
    metricType,
    timestamp: new Date(at).toISOString(),
    value,
  })
  return postReadings(control.installation, 'ndjson', write(points.map(toRecord), 'ndjson'))
}

/** Ten readings `stepMs` apart, of which the last is `agoMs` ago. */
const steadily = (stepMs: number, agoMs: number, value = 20): Point[] =>
  Array.from({ length: 10 }, (_, index) => [now - agoMs - (9 - index) * stepMs, value])

test('a device that has nothing to report has no warnings', async () => {
  assert.deepEqual((await read(plain))['warnings'], [])
  assert.deepEqual((await read(plain))['status'], 'unknown')
})

describe('offline', () => {
  test('begins when the device reports it, and ends when it is back', async () => {
    const trv = await site.device()
    assert.deepEqual(await codes(house.trv), [])
    const before = control.clock.now()
    await trv.present('offline')
    await eventually(async () => assert.deepEqual(await codes(house.trv), ['offline']))
    const { since, message } = await warning(house.trv, 'offline')
    assert.ok(asInstant(since) >= before - MINUTE_MS && asInstant(since) <= control.clock.now() + MINUTE_MS)
    assert.match(asString(message), /^The device is offline/)
    await trv.present('online')
    await eventually(async () => assert.deepEqual(await codes(house.trv), []))
  })

  test('begins two hours after the last reading of a device with a gateway', async () => {
    await post(behindGateway, 'temperature', steadily(HOUR_MS, 3 * HOUR_MS))
    assert.deepEqual(await codes(behindGateway), ['offline'])
    assert.equal((await read(behindGateway))['status'], 'offline')
    const { since } = await warning(behindGateway, 'offline')
    assert.equal(asInstant(since), now - HOUR_MS)
    await post(behindGateway, 'temperature', [[now, 20]])
    assert.deepEqual(await codes(behindGateway), [])
  })

  test('begins two hours after a reading if that is the only one', async () => {
    await post(single, 'temperature', [[now - 3 * HOUR_MS, 20]])
    assert.deepEqual(await codes(single), ['offline'])
  })
})

describe('stale', () => {
  test('begins four usual steps after the last reading, and ends with the next', async () => {
    await post(halfHourly, 'temperature', steadily(30 * MINUTE_MS, 90 * MINUTE_MS))
    assert.deepEqual(await codes(halfHourly), [])
    await post(twoMetrics, 'temperature', steadily(30 * MINUTE_MS, 130 * MINUTE_MS))
    assert.deepEqual(await codes(twoMetrics), ['stale'])
    const { since, message } = await warning(twoMetrics, 'stale')
    assert.equal(asInstant(since), now - 10 * MINUTE_MS)
    assert.match(asString(message), /^No reading of temperature since .* every 30 minutes\.$/)
    await post(twoMetrics, 'temperature', [[now, 20]])
    assert.deepEqual(await codes(twoMetrics), [])
  })

  test('a device without gateway and presence is online for four steps, however long they are', async () => {
    await post(slow, 'temperature', steadily(6 * HOUR_MS, 23 * HOUR_MS))
    assert.deepEqual([(await read(slow))['status'], await codes(slow)], ['online', []])
    const overview = await (await site.client()).get(`/spaces/${house.studio}/overview`)
    const shown = asArray(overview['devices']).map(asObject)
    assert.equal(shown.find(({ deviceUuid }) => deviceUuid === slow)?.['status'], 'online')
    for (const [status, isListed] of [
      ['online', true],
      ['offline', false],
    ] as const) {
      const found = await (await site.client()).list(`/devices?status=${status}`)
      assert.equal(
        found.some(({ deviceUuid }) => deviceUuid === slow),
        isListed,
        status,
      )
    }
    await post(slow, 'electricity', steadily(6 * HOUR_MS, 25 * HOUR_MS))
    assert.deepEqual([(await read(slow))['status'], await codes(slow)], ['online', ['stale']])
    assert.match(asString((await warning(slow, 'stale'))['message']), /^No reading of electricity/)
  })

  test('such a device is offline after four steps, and the warning is that it is stale', async () => {
    await post(late, 'temperature', steadily(HOUR_MS, 5 * HOUR_MS))
    assert.deepEqual([(await read(late))['status'], await codes(late)], ['offline', ['stale']])
  })

  test('the step is the one that the inventory declares, if it does', async () => {
    await post(declared, 'electricity', steadily(10 * MINUTE_MS, 3 * HOUR_MS))
    assert.deepEqual(await codes(declared), [])
  })
})

describe('low-battery', () => {
  test('begins with the first of the readings below 15, and ends with one that is not', async () => {
    const minutes = (ago: number, value: number): Point => [now - ago * MINUTE_MS, value]
    await post(sensor, 'battery', [minutes(50, 9), minutes(40, 15), minutes(30, 14.9), minutes(20, 14)])
    assert.deepEqual(await codes(sensor), ['low-battery'])
    const { since, message } = await warning(sensor, 'low-battery')
    assert.equal(asInstant(since), now - 30 * MINUTE_MS)
    assert.equal(message, 'The battery is at 14 %.')
    await post(sensor, 'battery', [minutes(10, 15)])
    assert.deepEqual(await codes(sensor), [])
  })
})

describe('rejecting', () => {
  test('begins when the device rejects a command, and ends with the next command', async () => {
    const cylinder = await site.device(rejects('no water'), { deviceUuid: house.cylinder })
    const setTo = (temperature: number) => site.accept(override(temperature), house.cylinder)
    const rejected = await site.until(await setTo(55), 'FAILED', 'DEVICE_REJECTED')
    assert.deepEqual(await codes(house.cylinder), ['rejecting'])
    const { since, message } = await warning(house.cylinder, 'rejecting')
    assert.equal(since, rejected['completedAt'])
    assert.equal(message, 'The device rejected its last command: no water')
    cylinder.answering = confirms
    await site.until(await setTo(56), 'CONFIRMED')
    assert.deepEqual(await codes(house.cylinder), [])
  })
})

describe('suspect-readings', () => {
  const startOfDay = (ago: number): number => Math.floor(now / DAY_MS) * DAY_MS - ago * DAY_MS

  test('begins with the day of the implausible increase, for a week', async () => {
    const day = startOfDay(3)
    const jump = (from: number): Point[] => [
      [from, 100],
      [from + HOUR_MS, 101],
      [from + 2 * HOUR_MS, 200],
      [from + 3 * HOUR_MS, 201],
    ]
    await post(jumping, 'electricity', jump(startOfDay(9)))
    await post(jumping, 'electricity', [[now, 210]])
    assert.deepEqual(await codes(jumping), [])
    await post(jumping, 'electricity', [
      [day + HOUR_MS, 301],
      [day + 2 * HOUR_MS, 302],
      [now, 303],
    ])
    assert.deepEqual(await codes(jumping), [])
    await post(jumping, 'electricity', [
      [day + 2 * HOUR_MS, 702],
      [now, 703],
    ])
    assert.deepEqual(await codes(jumping), ['suspect-readings'])
    const { since, message } = await warning(jumping, 'suspect-readings')
    assert.equal(asInstant(since), day)
    const date = new Date(day).toISOString().slice(0, 10)
    assert.equal(
      message,
      `Readings of electricity on ${date} are implausible: the values of that day are suspect.`,
    )
  })

  test('of a meter without a declared limit begins above that of its metric', async () => {
    await post(unlimited, 'electricity', [
      [now - 2 * MINUTE_MS, 5],
      [now - MINUTE_MS, 35],
    ])
    assert.deepEqual(await codes(unlimited), [])
    await post(unlimited, 'electricity', [[now - MINUTE_MS, 105]])
    assert.deepEqual(await codes(unlimited), ['suspect-readings'])
  })

  test('ends as soon as the reading is corrected, without a newer one', async () => {
    await post(corrected, 'electricity', [
      [now - 2 * MINUTE_MS, 5],
      [now - MINUTE_MS, 105],
    ])
    assert.deepEqual(await codes(corrected), ['suspect-readings'])
    await post(corrected, 'electricity', [[now - MINUTE_MS, 5.1]])
    assert.deepEqual(await codes(corrected), [])
    await post(corrected, 'electricity', [[now - 2 * MINUTE_MS, 0]])
    assert.deepEqual(await codes(corrected), ['suspect-readings'])
    await post(corrected, 'electricity', [[now - 2 * MINUTE_MS, 5]])
    assert.deepEqual(await codes(corrected), [])
  })
})

test('the list, its pages and the record agree, and CSV contains the warnings as JSON', async () => {
  await post(sensor, 'battery', [[now, 3]])
  const client = await site.client()
  const list = await client.list('/devices')
  const page = await client.list('/devices?limit=3')
  for (const shown of [...list, ...page])
    assert.deepEqual(toWarnings(shown), toWarnings(await read(asString(shown['deviceUuid']))))
  const { text } = await client.send('/devices', { headers: { accept: 'text/csv' } })
  const row = parseCsv(text).find(({ deviceUuid }) => deviceUuid === sensor)
  assert.deepEqual(JSON.parse(row?.['warnings'] ?? ''), (await read(sensor))['warnings'])
})
