import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomUUID } from 'node:crypto'
import { silent } from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { changePartner } from '../support/clients/operator.ts'
import { eventually } from '../support/eventually.ts'
import { openEventStream } from '../support/clients/event-stream.ts'
import type { Answer } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

const control = await useControl({ env: { EVENT_RETENTION: 'P1D' } })
const site = await control.addSite()
const device = await site.device()
// Its event comes when it has been online for 30 seconds, and would otherwise arrive during a test.
await eventually(async () => {
  control.clock.moveBy(31 / 3600)
  const { data } = await (await site.client()).get('/events?after=0&types=device.online')
  assert.equal(asArray(data).length, 1)
})
const HOUR_MS = 3_600_000

const client = (): Promise<V2Client> => site.client()

interface EventPage {
  data: JsonObject[]
  nextAfter: number
  hasMore: boolean
}

const readPage = async (answer: Answer): Promise<EventPage> => {
  assert.equal(answer.status, 200, answer.text)
  const { nextAfter, hasMore } = asObject(answer.json['pagination'])
  return {
    data: asArray(answer.json['data']).map(asObject),
    nextAfter: Number(nextAfter),
    hasMore: hasMore === true,
  }
}

const read = async (query = '', headers: Record<string, string> = {}): Promise<EventPage> =>
  readPage(await (await client()).send(`/events${query}`, { headers }))

const getState = (event: JsonObject): string =>
  asString(asObject(asObject(event['data'])['command'])['state'])
const getNumber = (event: JsonObject): number => Number(event['number'])

/** The number of the newest event. */
const getNewest = async (): Promise<number> => (await read()).nextAfter

describe('GET /v2/events', () => {
  test('every state of a command is an event with the command as it was', async () => {
    const after = await getNewest()
    const command = await site.confirmed(override(20))
    const { data, nextAfter, hasMore } = await read(`?after=${after}`)
    const states = data.map(getState)
    assert.equal(states[0], 'PENDING')
    assert.equal(states.at(-1), 'CONFIRMED')
    assert.deepEqual(
      data.map((event) => asObject(event['data'])['previousState']),
      [null, ...states.slice(0, -1)],
    )
    assert.deepEqual(
      data.map(getNumber),
      data.map((_, index) => after + 1 + index),
    )
    assert.deepEqual([nextAfter, hasMore], [after + data.length, false])
    const last = data.at(-1) ?? assert.fail()
    assert.deepEqual(asObject(last['data'])['command'], await site.command(command))
    assert.deepEqual(
      [last['type'], last['version'], last['siteUuid'], last['deviceUuid'], last['spaceUuid']],
      ['command.updated', 1, site.house.siteUuid, device.deviceUuid, site.house.bedroom],
    )
    assert.deepEqual(await (await client()).get(`/events/${asString(last['eventUuid'])}`), last)
  })

  test('waiting for a command through all its states takes at most four requests', async () => {
    const after = await getNewest()
    device.answering = silent
    const command = await site.accept(override(21))
    let requests = 0
    let next = after
    let states: string[] = []
    while (!states.includes('CONFIRMED')) {
      requests += 1
      const { data, nextAfter } = await read(`?after=${next}&deviceUuid=${device.deviceUuid}`, {
        prefer: 'wait=30',
      })
      states = [...states, ...data.map(getState)]
      next = nextAfter
      if (data.at(-1) && getState(data.at(-1) ?? {}) === 'SENT') await device.say(getId(command), 'delivered')
      if (states.at(-1) === 'DELIVERED') await device.say(getId(command), 'confirmed')
    }
    assert.deepEqual(states, ['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED'])
    assert.ok(requests <= 4, String(requests))
  })

  test('pages follow each other without holes, and filters select', async () => {
    const paged: JsonObject[] = []
    let after = 0
    for (let isMore = true; isMore; ) {
      const page = await read(`?after=${after}&limit=2`)
      paged.push(...page.data)
      ;({ nextAfter: after, hasMore: isMore } = page)
    }
    const all = (await read('?after=0&limit=1000')).data
    // The device may have come online meanwhile.
    assert.deepEqual(
      paged,
      all.filter((event) => getNumber(event) <= after),
    )
    assert.ok(all.length > 4)
    const changed = await read('?after=0&types=inventory.changed')
    assert.deepEqual(
      changed.data,
      all.filter(({ type }) => type === 'inventory.changed'),
    )
    assert.ok(changed.data.length > 0)
    assert.ok(changed.nextAfter >= after)
    for (const name of ['deviceUuid', 'spaceUuid'] as const) {
      const own = name === 'deviceUuid' ? device.deviceUuid : site.house.bedroom
      const filtered = await read(
        `?after=0&types=command.updated,inventory.changed&${name}=${own.toUpperCase()}`,
      )
      assert.deepEqual(
        filtered.data,
        all.filter((event) => event[name] === own && event['type'] === 'command.updated'),
      )
      assert.deepEqual((await read(`?after=0&${name}=${randomUUID()}`)).data, [])
    }
  })

  test('a long poll ends with the next event, and with an empty page when the time is up', async () => {
    const after = await getNewest()
    const waiting = client().then((caller) =>
      caller.send(`/events?after=${after}&types=inventory.changed`, { headers: { prefer: 'wait=30' } }),
    )
    const { document } = site.house
    const renamed = { ...document, site: { ...document.site, siteName: `Renamed ${randomUUID()}` } }
    await site.accept(override(19))
    await applyInventory(control.installation, renamed)
    const answer = await waiting
    assert.equal(answer.headers.get('preference-applied'), 'wait')
    const { data } = await readPage(answer)
    assert.deepEqual(
      data.map((event) => [event['type'], asObject(event['data'])['updated']]),
      [['inventory.changed', 1]],
    )
    // Its last event: the device does not answer.
    await eventually(async () => {
      const { data: commandEvents } = await read(`?after=${after}&types=command.updated`)
      assert.equal(getState(commandEvents.at(-1) ?? {}), 'SENT')
    })
    const newest = await getNewest()
    const empty = await (await client()).send(`/events?after=${newest}`, { headers: { prefer: 'wait=1' } })
    assert.equal(empty.headers.get('preference-applied'), 'wait')
    assert.deepEqual(await readPage(empty), { data: [], nextAfter: newest, hasMore: false })
  })

  test('roles are checked when events are read', async () => {
    const { siteUuid } = site.house
    const reader = await addClient(control.installation, [siteUuid], ['Events.Read'])
    const token = (await control.createClient(reader.partner, siteUuid)).token
    const list = async (): Promise<unknown[]> => {
      const caller = await control.createClient(reader.partner, siteUuid)
      assert.equal(caller.token, token)
      const { data } = await readPage(await caller.send('/events?after=0&limit=1000'))
      // Whether the device has come online yet depends on the time that the tests take.
      return [...new Set(data.map(({ type }) => type))].filter((type) => type !== 'device.online')
    }
    assert.deepEqual(await list(), ['inventory.changed'])
    const [event] = (await read('?after=0&types=command.updated')).data
    const path = `/events/${asString(event?.['eventUuid'])}`
    assertProblem(control.portico, await reader.send(path), 404)
    await changePartner(control.portico, control.installation.operator, reader.partner.partnerUuid, {
      roles: ['Events.Read', 'Devices.Read'],
    })
    assert.deepEqual(await list(), ['inventory.changed', 'command.updated'])
    assert.equal((await reader.send(path)).status, 200)
  })

  test('invalid parameters are 400, whatever they contain', async () => {
    const caller = await client()
    const newest = await getNewest()
    for (const query of [
      '?after=-1',
      '?after=x',
      `?after=${newest + 1}`,
      '?after=999999999999999',
      '?after=1e3',
      '?after=',
      '?limit=0',
      '?limit=1001',
      '?types=',
      '?types=command.updated,',
      '?types=constructor',
      '?types=webhook.test',
      '?deviceUuid=x',
      '?spaceUuid=1',
      '?after=1&after=2',
    ])
      assertProblem(control.portico, await caller.send(`/events${query}`), 400)
    assertProblem(control.portico, await caller.send('/events/x'), 400)
    assertProblem(control.portico, await caller.send(`/events/${randomUUID()}`), 404)
    const { response } = await openEventStream(caller, { lastEventId: newest + 1 })
    assert.equal(response.status, 400)
  })

  test('GET /v2/event-types has the schema and an example of every type', async () => {
    const types = await (await client()).list('/event-types')
    assert.deepEqual(
      types.map(({ type }) => type),
      [
        'command.updated',
        'device.online',
        'device.offline',
        'inventory.changed',
        'device.battery_low',
        'day.closed',
        'data.corrected',
      ],
    )
    const { json } = await (await client()).send('/../openapi/v2.json')
    const described = asObject(json['webhooks'])
    for (const { type, example, schema } of types) {
      assert.equal(asObject(example)['type'], type)
      assert.ok(!JSON.stringify(schema).includes('$ref'))
      assert.ok(asString(type) in described)
    }
  })
})

describe('retention', () => {
  test('old events are removed in order; after names the oldest that is kept', async () => {
    const before = await getNewest()
    // A start removes old events, as the server does every minute.
    await control.restart({ at: control.clock.now() + 25 * HOUR_MS })
    await site.accept(override(18))
    const oldest = await eventually(async () => {
      const answer = await (await client()).send('/events?after=0')
      const problem = assertProblem(control.portico, answer, 410)
      assert.match(asString(problem['type']), /\/errors\/events-gone$/)
      const [error] = asArray(problem['errors']).map(asObject)
      assert.equal(error?.['field'], 'after')
      const [, number] = /^the oldest is (\d+)$/.exec(asString(error['message'])) ?? []
      assert.ok(Number(number) > before, String(number))
      return Number(number)
    })
    const { data } = await read(`?after=${oldest - 1}`)
    assert.equal(getNumber(data[0] ?? {}), oldest)
    assert.equal(getNumber((await read()).data[0] ?? {}), oldest)
    const { response } = await openEventStream(await client(), { lastEventId: oldest - 2 })
    assert.equal(response.status, 410)
  })
})
