import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { asArray, asInstant, asObject, type JsonObject } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, metricIn, type MqttSite, rejectedAt, valuesAt } from '../support/fixtures/mqtt-site.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'

let installation: Installation
let site: MqttSite
let gateway: MqttDevice
const house = makeSmallSite()
const elsewhere = makeSmallSite()

before(async () => {
  installation = await startInstallation()
  await addMqttSite(installation, elsewhere)
  site = await addMqttSite(installation, house)
  gateway = await site.connect()
})
after(async () => {
  endDevices()
  await installation.stop()
})

const at = '2026-03-01T00:00:00Z'
const one = (value: unknown, timestamp: unknown = at, metric: unknown = 'electricity'): string =>
  toReadingsPayload([metric, timestamp, value])

/** Messages of a broken or hostile device, on its meter's readings topic unless another is given. */
const poisons: [name: string, reason: string, payload: string | Buffer, unit?: string, kind?: string][] = [
  ['nothing', 'not-json', ''],
  ['text', 'not-json', 'hello'],
  [
    'a value of NaN',
    'not-json',
    `{"readings":[{"metricType":"electricity","timestamp":"${at}","value":NaN}]}`,
  ],
  ['bytes that are no text', 'not-json', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ['a list', 'bad-message', '[]'],
  ['no readings', 'bad-message', '{}'],
  ['null', 'bad-message', 'null'],
  ['readings that are no list', 'bad-message', '{"readings":{}}'],
  ['a field of its own', 'bad-message', '{"readings":[],"extra":1}'],
  ['a record that is not an object', 'malformed', '{"readings":[7]}'],
  ['a record with a field of its own', 'unknown-field', `{"readings":[{"deviceUuid":"${house.meter}"}]}`],
  ['a metric that cannot be made text', 'metric-not-declared', one(1, at, { toString: 1 })],
  ['a metric of another device', 'metric-not-declared', one(1, at, 'co2')],
  ['a value of 1e308', 'out-of-range', one(1e308)],
  ['an infinite value', 'not-a-number', one(1).replace('"value":1', '"value":1e999')],
  ['a value in text', 'not-a-number', one('1')],
  ['a value of null', 'not-a-number', one(null)],
  ['a negative register', 'negative-register', one(-1)],
  ['the year 2099', 'in-the-future', one(1, '2099-01-01T00:00:00Z')],
  ['no time', 'bad-timestamp', one(1, null)],
  ['a time without an offset', 'bad-timestamp', one(1, '2026-03-01T00:00:00')],
  ['a device of another site', 'wrong-site', one(1), elsewhere.meter],
  ['an unknown device', 'unknown-device', one(1), randomUUID()],
  ['a presence that is not a known value', 'bad-message', 'ONLINE', house.meter, 'presence'],
  ['a presence of an unknown device', 'unknown-device', 'online', randomUUID(), 'presence'],
  ['an unknown kind', 'unknown-topic', '{}', house.meter, 'temperature'],
  ['no UUID', 'unknown-topic', one(1), 'meter-1'],
  ['10 MB', 'too-large', Buffer.alloc(10_000_000, 'x')],
  ['a byte more than allowed', 'too-large', Buffer.alloc(1024 * 1024 + 1, ' ')],
]

describe('an invalid message is rejected alone, counted and listed', () => {
  let good = 0
  const reasons = [...new Set(poisons.map(([, reason]) => reason))]
  const refusals = async (): Promise<number[]> => {
    const text = await readMetrics(installation.portico)
    return reasons.map((reason) => metricIn(text, 'portico_mqtt_rejected_total', `"${reason}"`))
  }
  let refusedBefore: number[]
  before(async () => {
    refusedBefore = await refusals()
  })

  for (const [name, reason, payload, unit = house.meter, kind = 'readings'] of poisons) {
    test(`${name}: ${reason}`, async () => {
      const topic = site.topic(unit, kind)
      const before = Date.now()
      await gateway.publish(topic, payload)
      const [entry = {}] = await rejectedAt(installation, 1)
      const bytes = Buffer.from(payload)
      assert.deepEqual(
        [entry['topic'], entry['reason'], entry['payloadBytes'], entry['gatewayUuid']],
        [topic, reason, bytes.length, site.gatewayUuid],
      )
      assert.ok(asInstant(entry['at']) >= before && asInstant(entry['at']) <= Date.now())
      assert.notEqual(entry['message'], '')
      // The connection stays open, and a valid message sent next is stored.
      good += 1
      const timestamp = new Date(Date.UTC(2026, 2, 2) + good * 60_000).toISOString()
      await gateway.publish(site.topic(house.meter, 'readings'), one(good, timestamp))
      assert.equal((await valuesAt(site.partner, house.meter, '2026-03-02')).length, good)
    })
  }

  test('each is counted by reason', async () => {
    const sent = reasons.map((reason) => poisons.filter(([, known]) => known === reason).length)
    const now = await refusals()
    assert.deepEqual(
      now.map((count, index) => count - (refusedBefore[index] ?? Number.NaN)),
      sent,
    )
  })

  test('a list contains only what its filters select', async () => {
    const { portico, operator } = installation
    const list = (query: string): Promise<Answer> =>
      api(portico, `/operator/rejected?limit=1000&${query}`, { token: operator })
    const read = async (query: string): Promise<JsonObject[]> =>
      asArray((await list(query)).json['data']).map(asObject)
    const all = await read('')
    for (const reason of reasons)
      assert.deepEqual(
        await read(`reason=${reason}`),
        all.filter((entry) => entry['reason'] === reason),
      )
    assert.deepEqual(
      await read('search=PRESENCE'),
      all.filter((entry) => JSON.stringify(entry).includes('presence')),
    )
    const middle = asInstant(all[3]?.['at'])
    assert.deepEqual(
      await read(`from=${new Date(middle).toISOString()}`),
      all.filter((entry) => asInstant(entry['at']) >= middle),
    )
    assert.deepEqual(await read('reason=no-such-reason'), [])
    for (const query of ['from=yesterday', 'reason=', 'colour=red'])
      assertProblem(portico, await list(query), 400)
    const first = await api(portico, '/operator/rejected?limit=1&reason=not-json', { token: operator })
    const { nextCursor } = asObject(first.json['pagination'])
    assertProblem(portico, await list(`reason=bad-message&cursor=${String(nextCursor)}`), 400)
  })

  test('a payload of exactly 1 MiB is accepted', async () => {
    const text = one(5, '2026-03-04T00:00:00Z')
    await gateway.publish(site.topic(house.meter, 'readings'), text.padEnd(1024 * 1024))
    assert.deepEqual(await valuesAt(site.partner, house.meter, '2026-03-04'), [5])
  })

  test('large messages before and after others lose none of them', async () => {
    const topic = site.topic(house.meter, 'readings')
    const large = Buffer.alloc(3_000_000, 'y')
    const sent = Array.from({ length: 12 }, (_, index) =>
      gateway.publish(topic, index % 2 === 0 ? large : one(index, `2026-03-05T${10 + index}:00:00Z`)),
    )
    await Promise.all(sent)
    assert.deepEqual(await valuesAt(site.partner, house.meter, '2026-03-05'), [1, 3, 5, 7, 9, 11])
  })

  test('the first 256 bytes are shown, binary content as such', async () => {
    const topic = site.topic(house.meter, 'readings')
    await gateway.publish(
      topic,
      Buffer.concat([Buffer.from('é\u0000'), Buffer.from([0xff]), Buffer.alloc(1000, 'a')]),
    )
    const [entry = {}] = await rejectedAt(installation, 1)
    assert.equal(entry['payload'], `é\\x00\\xff${'a'.repeat(252)}`)
    assert.equal(entry['payloadBytes'], 1004)
  })

  test('a flood of invalid messages is acknowledged, and the newest 10,000 are retained', async () => {
    const flooder = await site.connect()
    for (let round = 0; round < 21; round += 1) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => flooder.publish('flood', `${round} ${index}`)),
      )
    }
    const newest = await rejectedAt(installation, 1)
    assert.equal(newest[0]?.['payload'], '20 499')
    let count = 0
    let cursor: unknown = ''
    do {
      const query = cursor === '' ? '' : `&cursor=${String(cursor)}`
      const page = await api(installation.portico, `/operator/rejected?limit=1000${query}`, {
        token: installation.operator,
      })
      count += asArray(page.json['data']).length
      cursor = asObject(page.json['pagination'])['nextCursor'] ?? ''
    } while (cursor !== '')
    assert.equal(count, 10_000)
  })
})

describe('GET /operator/rejected', () => {
  const get = (query: string, token = installation.operator) =>
    api(installation.portico, `/operator/rejected${query}`, { token })

  test('is a list in pages, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await gateway.publish('elsewhere', name)
    const payloads = (json: JsonObject): unknown[] =>
      asArray(json['data']).map((entry) => asObject(entry)['payload'])
    const first = await get('?limit=2')
    assert.deepEqual(payloads(first.json), ['c', 'b'])
    const cursor = String(asObject(first.json['pagination'])['nextCursor'])
    const second = await get(`?limit=2&cursor=${cursor}`)
    assert.equal(payloads(second.json)[0], 'a')
    assert.deepEqual(Object.keys(asObject(asArray(first.json['data'])[0])).toSorted(), [
      'at',
      'gatewayUuid',
      'message',
      'payload',
      'payloadBytes',
      'reason',
      'topic',
    ])
    assertProblem(installation.portico, await get('?cursor=x'), 400)
    assertProblem(installation.portico, await get('?limit=0'), 400)
  })

  test('requires an operator', async () => {
    assertProblem(installation.portico, await get('', site.partner.token), 403)
    const answer = await api(installation.portico, '/operator/rejected')
    assertUnauthorized(installation.portico, answer, 'TokenNotPresent')
  })
})

describe('GET /v2/devices/{deviceuuid}/rejected', () => {
  const path = `/devices/${house.sensor}/rejected`

  test('lists the messages of the device, newest first, without payloads and accounts', async () => {
    const topic = site.topic(house.sensor, 'readings')
    for (const payload of ['first', '[]', 'third']) await gateway.publish(topic, payload)
    await gateway.publish(site.topic(house.meter, 'readings'), 'of another device')
    const listed = await site.partner.list(path)
    assert.deepEqual(
      listed.map((entry) => [entry['topic'], entry['reason']]),
      [
        [topic, 'not-json'],
        [topic, 'bad-message'],
        [topic, 'not-json'],
      ],
    )
    const known = await rejectedAt(installation, 4)
    assert.deepEqual(
      listed,
      known
        .filter((entry) => entry['topic'] === topic)
        .map(({ at, topic, reason, message }) => ({ timestamp: at, topic, reason, message })),
    )
    const first = await site.partner.get(`${path}?limit=2`)
    const { nextCursor } = asObject(first['pagination'])
    const second = await site.partner.get(`${path}?limit=2&cursor=${String(nextCursor)}`)
    assert.deepEqual([...asArray(first['data']), ...asArray(second['data'])], listed)
    const other = await site.partner.send(`/devices/${house.meter}/rejected?cursor=${String(nextCursor)}`)
    assertProblem(installation.portico, other, 400)
  })

  test('has nothing that the gateway of another site sent in its name', async () => {
    const before = await site.partner.list(path)
    const stranger = await (await addMqttSite(installation)).connect()
    await stranger.publish(site.topic(house.sensor, 'readings'), 'forged')
    const [entry = {}] = await rejectedAt(installation, 1)
    assert.deepEqual(
      [entry['reason'], entry['topic']],
      ['forbidden-topic', site.topic(house.sensor, 'readings')],
    )
    assert.deepEqual(await site.partner.list(path), before)
  })
})
