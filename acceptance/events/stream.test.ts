import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { addClient } from '../support/servers/installation.ts'
import { changePartner } from '../support/clients/operator.ts'
import { type EventStream, openEventStream } from '../support/clients/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'

const control = await useControl()
const site = await control.addSite()
await site.device()
// Its event comes when it has been online for 30 seconds, and would otherwise arrive during a test.
await eventually(async () => {
  control.clock.moveBy(31 / 3600)
  const { data } = await (await site.client()).get('/events?after=0&types=device.online')
  assert.equal(asArray(data).length, 1)
})
const { siteUuid } = site.house

const listEvents = async (query = '?after=0&limit=1000'): Promise<JsonObject[]> =>
  asArray((await (await site.client()).get(`/events${query}`))['data']).map(asObject)

/** Waits until the stream has brought the newest event. */
const caughtUp = (stream: EventStream): Promise<void> =>
  eventually(async () => {
    const [newest] = (await listEvents()).slice(-1)
    assert.equal(stream.messages.at(-1)?.id, newest?.['number'])
  })

describe('GET /v2/events/stream', () => {
  test('brings every event of the log, with its number, type and body', async () => {
    const stream = await openEventStream(await site.client(), { query: '?after=0' })
    const { headers } = stream.response
    assert.equal(stream.response.status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream\b/)
    assert.equal(headers.get('x-accel-buffering'), 'no')
    assert.equal(headers.get('cache-control'), 'no-store')
    await site.confirmed(override(20))
    await caughtUp(stream)
    stream.close()
    const expected = await listEvents()
    assert.deepEqual(
      stream.messages.map(({ data }) => data),
      expected,
    )
    assert.deepEqual(
      stream.messages.map(({ id, event }) => [id, event]),
      expected.map(({ number, type }) => [number, type]),
    )
  })

  test('without a number it begins with the next event, and filters select', async () => {
    const caller = await site.client()
    const all = await openEventStream(caller)
    const filtered = await openEventStream(caller, { query: '?types=inventory.changed' })
    const ofDevice = await openEventStream(caller, { query: `?deviceUuid=${site.house.meter}` })
    for (const stream of [all, filtered, ofDevice])
      await eventually(async () => assert.ok(stream.comments > 0))
    const [newest] = (await listEvents()).slice(-1)
    await site.confirmed(override(21))
    await caughtUp(all)
    assert.equal(all.messages[0]?.id, Number(newest?.['number']) + 1)
    assert.deepEqual([...filtered.messages, ...ofDevice.messages], [])
    for (const stream of [all, filtered, ofDevice]) stream.close()
  })

  test('continues after a restart with Last-Event-ID, without holes or duplicates', async () => {
    const first = await openEventStream(await site.client(), { query: '?after=0' })
    await caughtUp(first)
    await control.restart()
    await first.ended
    assert.deepEqual(first.messages.at(-1), {
      id: undefined,
      event: 'end',
      data: { reason: 'server-stopping' },
    })
    const seen = first.messages.slice(0, -1)
    await site.confirmed(override(22))
    const lastEventId = seen.at(-1)?.id ?? assert.fail()
    const second = await openEventStream(await site.client(), { lastEventId, query: '?after=0' })
    await caughtUp(second)
    second.close()
    assert.deepEqual(
      [...seen, ...second.messages].map(({ id }) => id),
      (await listEvents()).map(({ number }) => number),
    )
  })

  test('ends within five seconds after the partner is disabled, or loses the role or the site', async () => {
    const { operator } = control.installation
    for (const changes of [{ enabled: false }, { roles: ['Devices.Read'] }, { sites: [] }]) {
      const { partner } = await addClient(control.installation, [siteUuid])
      const caller = await control.createClient(partner, siteUuid)
      const stream = await openEventStream(caller)
      await eventually(async () => assert.ok(stream.comments > 0))
      await changePartner(control.portico, operator, partner.partnerUuid, changes)
      const startedAt = performance.now()
      await stream.ended
      const seconds = (performance.now() - startedAt) / 1000
      assert.deepEqual(
        stream.messages.map(({ event, data }) => [event, data]),
        [['end', { reason: 'access-removed' }]],
      )
      // The server checks every two seconds; the rest is for a machine that stalls.
      assert.ok(seconds < 30, String(seconds))
    }
  })

  test('a sixth stream of a partner on a site is 429 until one is closed', async () => {
    const { partner } = await addClient(control.installation, [siteUuid])
    const caller = await control.createClient(partner, siteUuid)
    const streams: EventStream[] = []
    for (let count = 0; count < 5; count += 1) streams.push(await openEventStream(caller))
    assertProblem(control.portico, await caller.send('/events/stream', { headers: { accept: '*/*' } }), 429)
    streams[0]?.close()
    const another = await eventually(async () => {
      const stream = await openEventStream(caller)
      assert.equal(stream.response.status, 200)
      return stream
    })
    for (const stream of [...streams, another]) stream.close()
  })

  test('ends when the token expires, and says so', async () => {
    const { partner } = await addClient(control.installation, [siteUuid])
    const stream = await openEventStream(await control.createClient(partner, siteUuid))
    await eventually(async () => assert.ok(stream.comments > 0))
    control.clock.moveBy(2)
    await stream.ended
    assert.deepEqual(stream.messages.at(-1), {
      id: undefined,
      event: 'end',
      data: { reason: 'token-expired' },
    })
  })

  test('Accept: application/json is 406', async () => {
    const caller = await site.client()
    const answer = await caller.send('/events/stream', { headers: { accept: 'application/json' } })
    assertProblem(control.portico, answer, 406)
  })
})
