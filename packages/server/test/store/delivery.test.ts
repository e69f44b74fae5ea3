import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Standing } from '../../src/domain/webhook/standing.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { createClock } from '../support/clock.ts'
import { startDelivery, startEndpoint, status, until } from '../support/delivery.ts'
import { addWebhook, createEvents } from '../support/webhooks.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const [A, B, C] = [newUuid(), newUuid(), newUuid()] as const

async function setUp(t: TestContext, store: Store, isHeartbeat = false) {
  const siteUuid = newUuid()
  const endpoint = await startEndpoint(t)
  const webhook = await addWebhook(store, [siteUuid], { url: endpoint.url, heartbeat: isHeartbeat })
  const { webhookUuid } = webhook
  const clock = createClock()
  return {
    siteUuid,
    endpoint,
    webhookUuid,
    clock,
    append: (...devices: string[]) =>
      store.events.append(siteUuid, createEvents(devices, { at: clock.at, recordedAt: clock.at })),
    load: async () => (await store.webhooks.find(webhookUuid)) ?? assert.fail(),
    progress: async () => (await store.webhooks.progress([webhookUuid])).get(webhookUuid) ?? assert.fail(),
  }
}

/** The numbers that were accepted, by device, each for the first time. */
function acceptedOf(
  { requests, accepted }: { requests: { number: number; deviceUuid: string }[]; accepted: number[] },
  device: string,
): number[] {
  const own = new Set(requests.filter(({ deviceUuid }) => deviceUuid === device).map(({ number }) => number))
  return [...new Set(accepted)].filter((number) => own.has(number))
}

for (const backend of BACKENDS) {
  describe(`delivery on ${backend.name}`, () => {
    test('every event arrives, in order for each device, one at a time', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, ...rest } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, ...rest })
      await append(...Array.from({ length: 60 }, (_, index) => [A, B, C][index % 3] ?? A))
      let calls = 0
      endpoint.respond = (request, response) => {
        calls += 1
        if (calls % 7 === 3) status(500)(request, response)
        else if (calls % 11 === 5) response.destroy()
        else setTimeout(() => response.writeHead(204).end(), 3)
      }
      await until(
        'all have arrived',
        () => {
          rest.clock.at += 1_000
          return new Set(endpoint.accepted).size === 60
        },
        deliverer,
      )
      for (const device of [A, B, C]) {
        const numbers = acceptedOf(endpoint, device)
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        )
      }
      assert.equal(endpoint.mostPerLane, 1)
      await until('all are recorded', async () => (await rest.progress()).waiting === 0, deliverer)
    })

    test('an event that is never accepted frees its lane after the fourth try and comes late', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, clock, progress, ...rest } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, clock, ...rest })
      let isPoison = true
      endpoint.respond = (request, response) =>
        status(request.number === 1 && isPoison ? 500 : 200)(request, response)
      const recordedTries = async () =>
        (await store.webhooks.deliveries(rest.webhookUuid, {}, undefined, 99)).find(
          ({ number }) => number === 1,
        )?.tries
      const poisonTries = () => endpoint.requests.filter(({ number }) => number === 1).length
      await append(A, A, B)
      await until('the other lane passes', () => endpoint.accepted.includes(3), deliverer)
      for (const [tries, pauseMs] of [
        [2, 5_000],
        [3, 5 * MINUTE],
        [4, 30 * MINUTE],
      ] as const) {
        await until('the try is recorded', async () => (await recordedTries()) === tries - 1, deliverer)
        const before = endpoint.accepted.length
        await append(B)
        await until('other lanes never wait', () => endpoint.accepted.length === before + 1, deliverer)
        assert.ok(!endpoint.accepted.includes(2), 'the lane waits')
        clock.at += pauseMs
        await until(`try ${tries}`, () => poisonTries() === tries, deliverer)
      }
      await until('the lane is free', () => endpoint.accepted.includes(2), deliverer)
      isPoison = false
      clock.at += 2 * 3_600_000
      await until('it arrives late', () => endpoint.accepted.includes(1), deliverer)
      const last = endpoint.requests.findLast(({ number }) => number === 1)
      assert.deepEqual([last?.headers['portico-late'], last?.headers['portico-try']], ['true', '5'])
      assert.ok(endpoint.requests.every(({ number, headers }) => number === 1 || !headers['portico-late']))
      await until('nothing waits', async () => (await progress()).waiting === 0, deliverer)
      assert.equal((await rest.load()).failingSince, null)
    })

    test('an endpoint that is down is probed, disabled after five days, and continues where it stopped', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, clock, load, progress, webhookUuid, siteUuid } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, clock, siteUuid })
      endpoint.respond = status(503)
      await append(A, B, C, A, B, C)
      await until(
        'the endpoint is failing',
        async () => {
          clock.at += 1_000
          return (await load()).failingSince !== null
        },
        deliverer,
      )
      let triesBefore: number[] | undefined
      for (let hours = 0; hours < 144 && (await load()).state === 'enabled'; hours += 6) {
        await append(...Array.from({ length: 20 }, (_, index) => [A, B, C][index % 3] ?? A))
        const before = endpoint.requests.length
        clock.at += 6 * 3_600_000
        const isOver = async () => (await load()).state !== 'enabled'
        await until('one probe', async () => endpoint.requests.length > before || (await isOver()), deliverer)
        assert.ok(endpoint.requests.length <= before + 1, 'one probe at a time')
        // A probe is sent when nothing is in flight: the outcomes of all requests before it are recorded.
        triesBefore ??= (await store.webhooks.deliveries(webhookUuid, {}, undefined, 99)).map(
          ({ tries }) => tries,
        )
        await until(
          'the probe is recorded',
          async () => ((await load()).probeAt ?? 0) > clock.at || (await isOver()),
        )
      }
      const { state, reason, failingSince } = await load()
      assert.deepEqual([state, reason], ['disabled', 'failing'])
      assert.ok(clock.at - (failingSince ?? 0) >= 5 * DAY && clock.at - (failingSince ?? 0) < 5.5 * DAY)
      const rows = await store.webhooks.deliveries(webhookUuid, {}, undefined, 9_999)
      assert.ok(rows.length <= 6, 'the backlog is in the log')
      assert.deepEqual(
        rows.map(({ tries }) => tries),
        triesBefore,
        'no delivery has used up a try',
      )
      const { lastNumber } = (await store.events.heads([siteUuid])).get(siteUuid) ?? assert.fail()
      assert.equal((await progress()).waiting, lastNumber)
      endpoint.respond = status(200)
      const changes = {
        state: 'enabled',
        reason: null,
        failingSince: null,
        probeAt: null,
        probes: 0,
      } as const
      await store.webhooks.update(webhookUuid, {}, changes)
      await store.webhooks.makeDue(webhookUuid, clock.at)
      await until('all have arrived', () => new Set(endpoint.accepted).size === lastNumber, deliverer)
      for (const device of [A, B, C]) {
        const numbers = acceptedOf(endpoint, device)
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        )
      }
    })

    test('after the first success, everything that waits is due', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, clock, load, ...rest } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, clock, ...rest })
      endpoint.respond = status(429, { 'retry-after': '600' })
      await append(A, B, C, A)
      await until('it waits', async () => (await load()).failingSince !== null, deliverer)
      const asked = endpoint.requests.length
      clock.at += 599_000
      for (let n = 0; n < 20; n += 1) deliverer.notify()
      await until('it still waits', async () => (await load()).probes === 0, deliverer)
      assert.equal(endpoint.requests.length, asked)
      endpoint.respond = status(200)
      clock.at += 2_000
      await until('all have arrived', () => new Set(endpoint.accepted).size === 4, deliverer)
      assert.equal((await load()).failingSince, null)
      const deliveries = await store.webhooks.deliveries(rest.webhookUuid, {}, undefined, 9)
      await until('all are recorded', async () => (await rest.progress()).waiting === 0, deliverer)
      assert.ok(deliveries.every(({ tries }) => tries <= 1))
    })

    test('a single device with an event that is never accepted does not look dead for long', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, clock, load, ...rest } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, clock, ...rest })
      endpoint.respond = (request, response) => status(request.number === 1 ? 500 : 200)(request, response)
      await append(A, A, A)
      await until(
        'the later events pass',
        () => {
          clock.at += MINUTE
          return endpoint.accepted.includes(2) && endpoint.accepted.includes(3)
        },
        deliverer,
      )
      await until('the endpoint is healthy', async () => (await load()).failingSince === null, deliverer)
      assert.equal((await load()).state, 'enabled')
    })

    test('an endpoint that answers 410 is not called again', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, load, ...rest } = await setUp(t, store)
      const deliverer = startDelivery(t, { store, ...rest })
      endpoint.respond = status(410)
      await append(A)
      await until('it is disabled', async () => (await load()).state === 'disabled', deliverer)
      assert.equal((await load()).reason, 'gone')
      assert.equal((await rest.progress()).waiting, 1)
      assert.equal(endpoint.requests.length, 1)
    })

    test('what the partner may not see is not sent, and a partner that is disabled gets nothing', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, siteUuid, ...rest } = await setUp(t, store)
      let standing: Standing = { isActive: true, siteUuids: [siteUuid], types: ['inventory.changed'] }
      let lookups = 0
      const lookUp = () => {
        lookups += 1
        return standing
      }
      const deliverer = startDelivery(t, { store, siteUuid, standing: lookUp, ...rest })
      /** Resolves when nothing is in progress that began before. */
      const changeStanding = async (changed: Standing): Promise<void> => {
        standing = changed
        const before = lookups
        await until('it is looked up', () => lookups > before, deliverer)
      }
      await append(A, B)
      await until('the events are passed over', async () => (await rest.progress()).waiting === 0, deliverer)
      await changeStanding({ ...standing, types: ['device.online'] })
      await append(C)
      await until('the next one arrives', () => endpoint.accepted.length === 1, deliverer)
      assert.equal(endpoint.requests[0]?.deviceUuid, C)
      endpoint.respond = status(500)
      await append(A)
      const hasFailed = async () =>
        (await store.webhooks.deliveries(rest.webhookUuid, {}, undefined, 1))[0]?.lastStatus === 500
      await until('it waits', hasFailed, deliverer)
      await changeStanding({ isActive: false, siteUuids: [], types: [] })
      rest.clock.at += MINUTE
      await append(B)
      await until('the log is passed over', async () => (await rest.progress()).waiting === 1, deliverer)
      await changeStanding({ isActive: true, siteUuids: [], types: ['device.online'] })
      await until('what waits is dropped', async () => (await rest.progress()).waiting === 0, deliverer)
      assert.equal(endpoint.requests.length, 2)
    })

    test('deliveries that another instance has dealt out after a change are sent, not dropped', async (t) => {
      const store = await backend.open(t)
      const { endpoint, append, siteUuid, webhookUuid, ...rest } = await setUp(t, store)
      await append(A)
      const types = ['device.online'] as const
      const options = { types, lastNumber: 1, maxWaiting: 9, batch: 9 }
      await store.webhooks.dealOut({ siteUuid, webhookUuid }, options, rest.clock.at)
      let isKnown = false
      const standing = (): Standing => {
        const known = { isActive: true, siteUuids: [siteUuid], types: isKnown ? types : [] }
        isKnown = true
        return known
      }
      const deliverer = startDelivery(t, { store, siteUuid, standing, ...rest })
      await until('it arrives', () => endpoint.accepted.length === 1, deliverer)
    })

    test('two instances deliver each event once, and share the heartbeat', async (t) => {
      const open = await backend.locate(t)
      const [store, second] = [await open(), await open()]
      const { endpoint, append, ...rest } = await setUp(t, store, true)
      const options = { isShared: true, ...rest }
      const one = startDelivery(t, { store, ...options })
      const two = startDelivery(t, { store: second, ...options })
      endpoint.respond = (_request, response) => void setTimeout(() => response.end(), 2)
      await append(...Array.from({ length: 90 }, (_, index) => [A, B, C][index % 3] ?? A))
      await until('all have arrived', () => new Set(endpoint.accepted).size >= 90, one, two)
      await until('all are recorded', async () => (await rest.progress()).waiting === 0, one, two)
      const events = endpoint.requests.filter(({ number }) => Number.isInteger(number))
      assert.equal(events.length, 90, 'no event was sent twice')
      assert.equal(endpoint.requests.length - events.length, 1, 'one heartbeat')
      for (const device of [A, B, C]) {
        const numbers = acceptedOf(endpoint, device)
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        )
      }
      rest.clock.at += 3_600_000
      await until('the next heartbeat', () => endpoint.requests.length === events.length + 2, one, two)
    })

    test('an instance that ends with requests in flight leaves them to another, with the same id', async (t) => {
      const open = await backend.locate(t)
      const [store, second] = [await open(), await open()]
      const { endpoint, append, clock, ...rest } = await setUp(t, store)
      const one = startDelivery(t, { store, clock, isShared: true, ...rest })
      endpoint.respond = () => {}
      await append(A, A, B)
      await until('two requests are in flight', () => endpoint.requests.length === 2, one)
      await one.close()
      endpoint.respond = status(200)
      const two = startDelivery(t, { store: second, clock, isShared: true, ...rest })
      clock.at += MINUTE
      await until('all have arrived', () => new Set(endpoint.accepted).size === 3, two)
      const [first, again] = endpoint.requests.filter(({ number }) => number === 1)
      assert.equal(first?.id, again?.id)
    })
  })
}
