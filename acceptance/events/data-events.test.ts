import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePartner } from '../support/clients/operator.ts'
import { mqttChannel } from '../support/clients/mqtt-channel.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { useControl } from '../support/control/control-harness.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'

const byText = (one: unknown, other: unknown): number => String(one).localeCompare(String(other))

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The start of the first day that is closed while the test runs. */
const FIRST = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS
const toDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

const control = await useControl({ at: FIRST + 20 * HOUR_MS })
const house = makeSmallSite({ timeZone: 'UTC' })
for (const device of house.document.devices)
  if (device['deviceUuid'] === house.trv || device['deviceUuid'] === house.cylinder)
    device['metrics'] = { ...asObject(device['metrics']), battery: { kind: 'gauge' } }
const site = await control.addSite(house)

const read = (deviceUuid: string, metricType: string, at: number, value: number): ReadingRecord => ({
  deviceUuid,
  metricType,
  timestamp: new Date(at).toISOString(),
  value,
})

/** Sends readings as a gateway does; the server has stored them when this resolves. */
const send = (readings: readonly ReadingRecord[]): Promise<unknown> =>
  mqttChannel(control.installation, house.siteUuid, site.account).send(readings)

/** Hourly readings of both meters and the sensor. */
const readHours = (from: number, to: number): ReadingRecord[] =>
  [house.meter, house.secondMeter, house.sensor].flatMap((deviceUuid) =>
    Array.from({ length: Math.floor((to - from) / HOUR_MS) + 1 }, (_, index) => {
      const at = from + index * HOUR_MS
      return deviceUuid === house.sensor
        ? read(deviceUuid, 'temperature', at, 20)
        : read(deviceUuid, 'electricity', at, (at - FIRST) / HOUR_MS + 1000)
    }),
  )

const list = async (type: string): Promise<JsonObject[]> => {
  const page = await (await site.client()).get(`/events?after=0&types=${type}&limit=1000`)
  return asArray(page['data']).map(asObject)
}

const listDates = async (): Promise<unknown[]> =>
  (await list('day.closed')).map(({ data }) => asObject(data)['date'])

/** Space, metric, first date and number of days of each. */
const listCorrections = async (): Promise<string[]> =>
  (await list('data.corrected')).map((event) => {
    const { spaceUuid, metricType, fromDateTime, days } = asObject(event['data'])
    assert.equal(event['spaceUuid'], spaceUuid)
    return [spaceUuid, metricType, asString(fromDateTime).slice(0, 10), days].join(' ')
  })

/** Follows a link of an event. */
const follow = async (path: unknown): Promise<JsonObject> =>
  (await site.client()).get(asString(path).replace(/^\/v2/, ''))

test('a day is closed when its readings are complete, with links to its figures', async () => {
  await send(readHours(FIRST - DAY_MS, FIRST + 20 * HOUR_MS))
  await send(readHours(FIRST + 21 * HOUR_MS, FIRST + DAY_MS - HOUR_MS))
  control.clock.moveTo(FIRST + DAY_MS + 11 * 60_000)
  await send(readHours(FIRST + DAY_MS, FIRST + DAY_MS))
  await eventually(async () => assert.deepEqual(await listDates(), [toDate(FIRST)]))
  const [event] = await list('day.closed')
  const { links, ...data } = asObject(event?.['data'])
  assert.deepEqual(data, {
    date: toDate(FIRST),
    fromDateTime: `${toDate(FIRST)}T00:00:00+00:00`,
    toDateTime: `${toDate(FIRST + DAY_MS)}T00:00:00+00:00`,
    series: 3,
    complete: 3,
  })
  assert.deepEqual([event?.['deviceUuid'], event?.['spaceUuid']], [null, null])
  const { daily, windows } = asObject(links)
  const batch = await follow(daily)
  assert.deepEqual(batch['timestamps'], [data['fromDateTime']])
  assert.deepEqual(
    asArray(batch['series'])
      .map(asObject)
      .filter(({ hasData }) => hasData === true)
      .map(({ spaceUuid, metricType }) => `${asString(spaceUuid)} ${asString(metricType)}`)
      .toSorted(byText),
    [
      `${house.bedroom} electricity`,
      `${house.bedroom} temperature`,
      `${house.secondBedroom} electricity`,
    ].toSorted(byText),
  )
  const exported = await (await site.client()).send(asString(windows).replace(/^\/v2/, ''))
  assert.equal(exported.status, 200)
  assert.deepEqual(await listCorrections(), [], 'live readings correct nothing')
})

test('a late reading of a closed day is a correction of its space, also if the server is killed', async () => {
  await send([
    read(house.meter, 'electricity', FIRST + 10 * HOUR_MS + 1, 1010.5),
    read(house.sensor, 'temperature', FIRST + 5 * HOUR_MS, 21),
  ])
  await control.end('SIGKILL')
  await control.start()
  const expected = [
    `${house.bedroom} electricity ${toDate(FIRST)} 1`,
    `${house.bedroom} temperature ${toDate(FIRST)} 1`,
  ]
  await eventually(async () =>
    assert.deepEqual((await listCorrections()).toSorted(byText), expected.toSorted(byText)),
  )
  const [event] = await list('data.corrected')
  const { links } = asObject(event?.['data'])
  const batch = await follow(asObject(links)['daily'])
  assert.deepEqual(
    asArray(batch['series']).map((series) => asObject(series)['spaceUuid']),
    [house.bedroom],
  )
  assert.deepEqual(batch['timestamps'], [`${toDate(FIRST)}T00:00:00+00:00`])
})

test('a repeated import corrects nothing, and a changed one only what it changes', async () => {
  const before = (await listCorrections()).length
  const earlier = readHours(FIRST - DAY_MS, FIRST - HOUR_MS)
  const changed = read(house.secondMeter, 'electricity', FIRST - 7 * HOUR_MS, 993.5)
  await postReadings(control.installation, 'ndjson', write(earlier, 'ndjson'))
  await postReadings(control.installation, 'ndjson', write([changed], 'ndjson'))
  await eventually(async () => assert.equal((await listCorrections()).length, before + 1))
  assert.equal(
    (await listCorrections()).at(-1),
    `${house.secondBedroom} electricity ${toDate(FIRST - DAY_MS)} 1`,
  )
})

test('a corrected move of a device is a correction of both spaces', async () => {
  const before = (await listCorrections()).length
  const { document, meter, studio } = house
  const place = (since: number): Promise<JsonObject> =>
    applyInventory(control.installation, {
      ...document,
      devices: document.devices.map((device) =>
        device['deviceUuid'] === meter
          ? { ...device, spaceUuid: studio, since: new Date(since).toISOString() }
          : device,
      ),
    })
  await place(control.clock.now())
  await place(FIRST + 12 * HOUR_MS)
  await eventually(async () => assert.equal((await listCorrections()).length, before + 2))
  assert.deepEqual(
    (await listCorrections()).slice(before).toSorted(byText),
    [house.bedroom, studio].map((space) => `${space} electricity ${toDate(FIRST)} 1`).toSorted(byText),
  )
})

test('days that end while the server is down are closed in order and once, however often it is killed', async () => {
  await control.end('SIGKILL')
  control.clock.moveTo(FIRST + 5 * DAY_MS + 3 * HOUR_MS)
  for (let kill = 0; kill < 2; kill += 1) {
    await control.start()
    await eventually(async () => assert.ok((await listDates()).length > 1))
    await control.end('SIGKILL')
  }
  await control.start()
  const expected = [0, 1, 2, 3, 4].map((day) => toDate(FIRST + day * DAY_MS))
  await eventually(async () => assert.deepEqual(await listDates(), expected))
  const [last] = (await list('day.closed')).slice(-1)
  assert.equal(asObject(last?.['data'])['series'], 0)
})

test('a battery below 15 % is reported once, until it was above 25 %', async () => {
  const measure = (deviceUuid: string, percent: number): Promise<unknown> =>
    send([read(deviceUuid, 'battery', control.clock.now(), percent)])
  /** Waits until these are reported. All devices are observed together, every minute. */
  const untilReported = (...expected: [string, number][]): Promise<void> =>
    eventually(async () => {
      control.clock.moveTo(control.clock.now() + 61_000)
      assert.deepEqual(
        (await list('device.battery_low')).map(({ deviceUuid, data }) => [
          deviceUuid,
          asObject(data)['percent'],
        ]),
        expected,
      )
    })
  const { sensor, trv, cylinder } = house
  await measure(sensor, 14)
  await untilReported([sensor, 14])
  await measure(sensor, 20)
  await measure(trv, 5)
  await untilReported([sensor, 14], [trv, 5])
  await measure(sensor, 10)
  await measure(sensor, 30)
  await measure(cylinder, 6)
  await untilReported([sensor, 14], [trv, 5], [cylinder, 6])
  await measure(sensor, 9)
  await untilReported([sensor, 14], [trv, 5], [cylinder, 6], [sensor, 9])
  const [event] = await list('device.battery_low')
  const { since, ...data } = asObject(event?.['data'])
  assert.equal(event?.['timestamp'], since)
  assert.deepEqual(data, {
    deviceName: 'The multiSensor',
    deviceType: 'multiSensor',
    spaceName: 'The bedroom',
    percent: 14,
    gatewayUuid: null,
  })
  assert.deepEqual([event?.['deviceUuid'], event?.['spaceUuid']], [house.sensor, house.bedroom])
})

test('figures are seen with Spaces.Read, batteries with Devices.Read', async () => {
  await control.restart()
  const { installation } = control
  const reader = await addClient(installation, [house.siteUuid], ['Events.Read'])
  const seen = async (): Promise<unknown[]> => {
    const caller = await control.createClient(reader.partner, house.siteUuid)
    const { data } = await caller.get('/events?after=0&limit=1000')
    return [...new Set(asArray(data).map((event) => asString(asObject(event)['type'])))].toSorted(byText)
  }
  const grant = (role: string): Promise<unknown> =>
    changePartner(control.portico, installation.operator, reader.partner.partnerUuid, {
      roles: ['Events.Read', role],
    })
  assert.deepEqual(await seen(), ['inventory.changed'])
  await grant('Spaces.Read')
  await eventually(async () =>
    assert.deepEqual(await seen(), ['data.corrected', 'day.closed', 'inventory.changed']),
  )
  await grant('Devices.Read')
  await eventually(async () =>
    assert.deepEqual(
      (await seen()).filter((type) => type !== 'device.online'),
      ['device.battery_low', 'device.offline', 'inventory.changed'],
    ),
  )
})
