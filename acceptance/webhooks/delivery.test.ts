import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { changePartner } from '../support/clients/operator.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'
import { makeClock } from '../support/control/clock.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { fails, ok, type ReceivedRequest, startReceiver } from '../support/webhooks/receiver.ts'
import { verifies } from '../support/webhooks/verify.ts'
import {
  type AddedWebhook,
  addWebhook,
  getWebhook,
  listDeliveries,
  LOOPBACK,
} from '../support/webhooks/webhooks.ts'

const receiver = await startReceiver()
const clock = makeClock(await mkdtemp(join(tmpdir(), 'portico-webhooks-')))
const installation = await startInstallation({ ...LOOPBACK, ...clock.env })
const { portico, operator } = installation
after(async () => {
  await installation.stop()
  await receiver[Symbol.asyncDispose]()
})
const [house, other] = [makeSmallSite(), makeSmallSite()]
for (const { document } of [house, other]) await applyInventory(installation, document)

beforeEach(() => {
  receiver.requests.length = 0
  receiver.respond = ok
})

type Client = Awaited<ReturnType<typeof addClient>>

/** The client with a new token: the clock may have passed the expiry of the previous one. */
async function renew(client: Client): Promise<V2Client> {
  const { clientId, clientSecret } = client.partner
  return v2Client(portico, await tokenFor(portico, clientId, clientSecret), client.siteId)
}

/** Sends a command, which writes events of the device. */
async function command(client: V2Client, deviceUuid: string): Promise<void> {
  const answer = await client.post(`/devices/${deviceUuid}/schedule`, { type: 'resume' })
  assert.equal(answer.status, 202, answer.text)
}

const toNumber = ({ event }: ReceivedRequest): number => Number(event['number'])

/** The log of a site, in order. */
async function readLog(client: V2Client): Promise<JsonObject[]> {
  const { data } = await client.get('/events?after=0&limit=1000')
  return asArray(data).map(asObject)
}

async function remove(client: V2Client, { webhookUuid }: AddedWebhook): Promise<void> {
  assert.equal((await client.send(`/webhooks/${webhookUuid}`, { method: 'DELETE' })).status, 204)
}

describe('a webhook', () => {
  test('receives the events of the log as they are there, in order, each once', async () => {
    const client = await addClient(installation, [house.siteUuid])
    const webhook = await addWebhook(client, receiver.url)
    const before = (await readLog(client)).length
    for (let n = 0; n < 5; n += 1) await command(client, house.trv)
    const log = await eventually(async () => {
      const written = (await readLog(client)).slice(before)
      assert.ok(written.length >= 5)
      assert.deepEqual(
        receiver.requests.map(({ event }) => event),
        written,
      )
      return written
    })
    for (const { id, event } of receiver.requests) assert.equal(id, event['eventUuid'])
    await eventually(async () => {
      const { waiting, lastDeliveredAt, failingSince } = await getWebhook(client, webhook.webhookUuid)
      assert.deepEqual([waiting, typeof lastDeliveredAt, failingSince], [0, 'string', null])
    })
    const deliveries = await listDeliveries(client, webhook.webhookUuid)
    assert.deepEqual(
      deliveries.map(({ number, state, tries }) => [number, state, tries]),
      log.map(({ number }) => [number, 'delivered', 1]).toReversed(),
    )
    const first = asString(log[0]?.['eventUuid'])
    const { attempts } = await client.get(`/webhooks/${webhook.webhookUuid}/deliveries/${first}`)
    const [attempt] = asArray(attempts).map(asObject)
    assert.deepEqual([attempt?.['status'], attempt?.['error'], attempt?.['response']], [200, null, 'ok'])
    assert.match(await readMetrics(portico), /^portico_webhook_deliveries_total\{result="delivered"\} \d+$/m)
    await remove(client, webhook)
  })

  test('receives only the types and sites that it asks for and its partner may see', async () => {
    const client = await addClient(installation, [house.siteUuid, other.siteUuid])
    const limited = await addClient(installation, [house.siteUuid], ['Webhooks.Manage', 'Devices.Control'])
    const added = [
      await addWebhook(client, `${receiver.url}?inventory`, { eventTypes: ['inventory.changed'] }),
      await addWebhook(client, `${receiver.url}?other`, { siteUuids: [other.siteUuid] }),
      await addWebhook(client, `${receiver.url}?all`),
    ]
    const own = await addWebhook(limited, `${receiver.url}?limited`)
    await command(client, house.trv)
    const site = { ...asObject(house.document.site), siteName: 'Another name' }
    await applyInventory(installation, { ...house.document, site })
    const at = (name: string) => receiver.requests.filter(({ path }) => path.endsWith(name))
    await eventually(async () => {
      assert.ok(at('?all').some(({ event }) => event['type'] === 'inventory.changed'))
      assert.ok(at('?all').some(({ event }) => event['type'] === 'command.updated'))
      assert.equal(at('?inventory').length, 1)
      assert.equal(at('?limited').length, 1, 'without Devices.Read, only events of the inventory')
    })
    assert.deepEqual(at('?other'), [])
    for (const name of ['?inventory', '?limited'])
      assert.deepEqual(
        at(name).map(({ event }) => event['type']),
        ['inventory.changed'],
      )
    for (const webhook of added) await remove(client, webhook)
    await remove(limited, own)
  })

  test('of a partner that is disabled, or has lost the site, receives nothing', async () => {
    const client = await addClient(installation, [house.siteUuid])
    const sender = await addClient(installation, [house.siteUuid, other.siteUuid])
    const lost = await addClient(installation, [house.siteUuid, other.siteUuid])
    await addWebhook(client, `${receiver.url}?disabled`)
    await addWebhook(lost, `${receiver.url}?lost`)
    const control = await addWebhook(sender, `${receiver.url}?control`)
    await changePartner(portico, operator, client.partner.partnerUuid, { enabled: false })
    await changePartner(portico, operator, lost.partner.partnerUuid, { sites: [other.siteUuid] })
    // A change by the operator API may go unnoticed for two seconds.
    clock.moveBy(0.01)
    for (let n = 0; n < 3; n += 1) await command(sender, house.trv)
    const at = (name: string) => receiver.requests.filter(({ path }) => path.endsWith(name))
    await eventually(async () => assert.ok(at('?control').length >= 3))
    assert.deepEqual([at('?disabled').length, at('?lost').length], [0, 0])
    await remove(sender, control)
  })

  test('that is paused or disabled continues where it stopped, or now', async () => {
    const client = await addClient(installation, [house.siteUuid])
    const webhook = await addWebhook(client, receiver.url)
    const path = `/webhooks/${webhook.webhookUuid}`
    await client.send(path, { method: 'PATCH', body: { state: 'paused' } })
    const before = (await readLog(client)).length
    for (let n = 0; n < 3; n += 1) await command(client, house.trv)
    const log = (await readLog(client)).slice(before)
    await eventually(async () => assert.equal((await client.get(path))['waiting'], log.length))
    assert.equal(receiver.requests.length, 0)
    assert.equal((await client.post(`${path}/enable`, {})).status, 200)
    await eventually(async () =>
      assert.deepEqual(
        receiver.requests.map(({ id }) => id),
        log.map(({ eventUuid }) => eventUuid),
      ),
    )
    await client.send(path, { method: 'PATCH', body: { state: 'paused' } })
    await command(client, house.trv)
    assert.equal((await client.post(`${path}/enable`, { from: 'now' })).status, 200)
    const skipped = (await readLog(client)).length
    await command(client, house.trv)
    const next = (await readLog(client)).slice(skipped).map(({ number }) => Number(number))
    await eventually(async () => assert.deepEqual(receiver.requests.slice(log.length).map(toNumber), next))
    await remove(client, webhook)
  })

  test('that is changed uses its new settings from the next event on', async () => {
    const client = await addClient(installation, [house.siteUuid, other.siteUuid])
    const control = await addWebhook(client, `${receiver.url}?control`)
    const webhook = await addWebhook(client, receiver.url)
    const path = `/webhooks/${webhook.webhookUuid}`
    const change = (body: JsonObject) => client.send(path, { method: 'PATCH', body })
    for (const eventTypes of [['inventory.changed'], null])
      for (const siteUuids of [[other.siteUuid], null]) {
        if (eventTypes === null && siteUuids === null) continue
        await change({ eventTypes, siteUuids })
        const sent = receiver.requests.length
        await command(client, house.trv)
        // The server has dealt out events with these settings.
        await eventually(async () => assert.ok(receiver.requests.length > sent))
        await change({ eventTypes: ['command.updated'], siteUuids: [other.siteUuid, house.siteUuid] })
        const rotated = await client.post(`${path}/secrets`, undefined)
        const { json } = await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })
        const isNext = ({ path: to, event }: ReceivedRequest): boolean =>
          to === '/hook' &&
          asObject(asObject(event['data'])['command'])['commandUuid'] === json['commandUuid']
        const next = await eventually(async () => receiver.requests.find(isNext) ?? assert.fail())
        assert.equal(asObject(next.event['data'])['previousState'], null, 'its first event')
        assert.ok(verifies(asString(rotated.json['secret']), next), 'signed with the new secret')
        clock.moveBy(0.05)
      }
    for (const one of [control, webhook]) await remove(client, one)
  })

  test('replays events with the same ids, marked late', async () => {
    const client = await addClient(installation, [house.siteUuid])
    const webhook = await addWebhook(client, receiver.url)
    const before = (await readLog(client)).length
    for (let n = 0; n < 3; n += 1) await command(client, house.trv)
    const log = (await readLog(client)).slice(before)
    await eventually(async () => assert.equal(receiver.requests.length, log.length))
    await eventually(async () => assert.equal((await getWebhook(client, webhook.webhookUuid))['waiting'], 0))
    const path = `/webhooks/${webhook.webhookUuid}/replay`
    const replay = (body: object) => client.post(path, { siteUuid: house.siteUuid, ...body })
    assert.equal((await replay({ only: 'failed', fromNumber: before + 1 })).json['count'], 0)
    assert.equal((await replay({ fromNumber: 1, fromDateTime: '2026-01-01' })).status, 400)
    assert.equal((await replay({ fromDateTime: 'yesterday' })).status, 400)
    assert.equal((await client.post(path, { siteUuid: other.siteUuid })).status, 400)
    const answer = await replay({ fromNumber: before + 1, toNumber: before + 2 })
    assert.deepEqual([answer.status, answer.json['count']], [202, 2])
    await eventually(async () => assert.equal(receiver.requests.length, log.length + 2))
    const again = receiver.requests.slice(log.length)
    assert.deepEqual(
      again.map(({ id, headers }) => [id, headers['portico-late']]),
      log.slice(0, 2).map(({ eventUuid }) => [eventUuid, 'true']),
    )
    await remove(client, webhook)
  })
})

// Added before the clock moves, while the token of the operator is valid.
const [poisoned, offline, gone, beating] = [
  await addClient(installation, [house.siteUuid]),
  await addClient(installation, [house.siteUuid]),
  await addClient(installation, [house.siteUuid]),
  await addClient(installation, [house.siteUuid]),
]

describe('a receiver that fails', () => {
  test('holds up one device for four tries and no other; the event comes late', async () => {
    const client = poisoned
    const webhook = await addWebhook(client, receiver.url)
    let isPoison = true
    let poison: string | undefined
    receiver.respond = (request, response) => {
      if (request.event['deviceUuid'] === house.trv) poison ??= request.id
      return (isPoison && request.id === poison ? fails() : ok)(request, response)
    }
    await command(client, house.trv)
    await eventually(async () => assert.ok(poison !== undefined))
    let current: V2Client = client
    const isRecorded = async (tries: number): Promise<void> => {
      const delivery = await current.get(`/webhooks/${webhook.webhookUuid}/deliveries/${poison}`)
      assert.ok(Number(delivery['tries']) >= tries)
    }
    for (const [index, hours] of [0.002, 0.1, 0.6].entries()) {
      const tries = index + 1
      await eventually(() => isRecorded(tries))
      // Other events are delivered between two tries; otherwise the endpoint could be down, and would be probed.
      clock.moveBy(hours / 2)
      const others = () => receiver.requests.filter(({ event }) => event['deviceUuid'] === house.cylinder)
      const before = others().length
      await command(current, house.cylinder)
      await eventually(async () => assert.ok(others().length > before, 'other lanes never wait'))
      clock.moveBy(hours / 2)
      current = await renew(client)
      await eventually(async () =>
        assert.equal(receiver.requests.filter(({ id }) => id === poison).length, tries + 1),
      )
    }
    await eventually(() => isRecorded(4))
    await command(current, house.trv)
    const lane = () =>
      receiver.requests.filter(({ event, id }) => event['deviceUuid'] === house.trv && id !== poison)
    await eventually(async () => assert.ok(lane().length > 0, 'the lane is free'))
    isPoison = false
    clock.moveBy(2.5)
    current = await renew(client)
    await eventually(async () => {
      const last = receiver.requests.findLast(({ id }) => id === poison)
      assert.deepEqual([last?.headers['portico-late'], last?.headers['portico-try']], ['true', '5'])
    })
    await remove(current, webhook)
  })

  test('for six days is disabled after five, and gets everything when it is enabled', async () => {
    const client = offline
    let current = await renew(client)
    const webhook = await addWebhook(current, receiver.url)
    const before = (await readLog(current)).length
    receiver.respond = fails(503)
    for (const device of [house.trv, house.cylinder, house.trv, house.cylinder, house.trv, house.cylinder])
      await command(current, device)
    await eventually(async () => {
      clock.moveBy(0.002)
      assert.notEqual((await getWebhook(current, webhook.webhookUuid))['failingSince'], null)
    })
    assert.deepEqual((await current.get('/account'))['webhooks'], { enabled: 0, failing: 1, disabled: 0 })
    const countRows = async (): Promise<number> =>
      (await listDeliveries(current, webhook.webhookUuid, '?limit=500')).length
    let rows = 0
    for (let day = 0; day < 6; day += 1) {
      const tried = receiver.requests.length
      clock.moveBy(24)
      current = await renew(client)
      await command(current, house.trv)
      await eventually(async () => {
        const { state } = await getWebhook(current, webhook.webhookUuid)
        assert.ok(receiver.requests.length > tried || state === 'disabled')
      })
      if (day === 0) rows = await countRows()
    }
    await eventually(async () => {
      const { state, reason } = await getWebhook(current, webhook.webhookUuid)
      assert.deepEqual([state, reason], ['disabled', 'failing'])
    })
    assert.deepEqual((await current.get('/account'))['webhooks'], { enabled: 0, failing: 0, disabled: 1 })
    assert.equal(await countRows(), rows, 'events of an outage stay in the log only')
    receiver.requests.length = 0
    receiver.respond = ok
    const log = (await readLog(current)).slice(before)
    const enabled = await current.post(`/webhooks/${webhook.webhookUuid}/enable`, undefined)
    assert.equal(enabled.status, 200, enabled.text)
    await eventually(async () => assert.ok(new Set(receiver.requests.map(({ id }) => id)).size >= log.length))
    for (const { eventUuid } of log) assert.ok(receiver.requests.some(({ id }) => id === eventUuid))
    for (const device of [house.trv, house.cylinder]) {
      const numbers = receiver.requests.filter(({ event }) => event['deviceUuid'] === device).map(toNumber)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
    }
    await remove(current, webhook)
  })

  test('with 410 is disabled immediately', async () => {
    const client = await renew(gone)
    const webhook = await addWebhook(client, receiver.url)
    receiver.respond = fails(410)
    await command(client, house.trv)
    await eventually(async () => {
      const { state, reason } = await getWebhook(client, webhook.webhookUuid)
      assert.deepEqual([state, reason], ['disabled', 'gone'])
    })
    await remove(client, webhook)
  })

  test('with 410 after its address was changed does not disable the new one', async () => {
    const client = await renew(gone)
    const webhook = await addWebhook(client, `${receiver.url}?old`)
    let answer: (() => void) | undefined
    receiver.respond = (request, response) => {
      if (request.path.endsWith('?old')) answer ??= () => response.writeHead(410).end()
      else response.end()
    }
    await command(client, house.trv)
    await eventually(async () => assert.ok(answer))
    const path = `/webhooks/${webhook.webhookUuid}`
    await client.send(path, { method: 'PATCH', body: { url: `${receiver.url}?new` } })
    answer?.()
    await eventually(async () => {
      const [delivery] = (await listDeliveries(client, webhook.webhookUuid)).slice(-1)
      assert.equal(delivery?.['state'], 'delivered')
    })
    assert.equal((await getWebhook(client, webhook.webhookUuid))['state'], 'enabled')
    await remove(client, webhook)
  })
})

test('a heartbeat is sent every hour', async () => {
  const webhook = await addWebhook(await renew(beating), receiver.url, { heartbeat: true })
  const beats = () => receiver.requests.filter(({ event }) => event['type'] === 'webhook.heartbeat')
  await eventually(async () => assert.equal(beats().length, 1))
  assert.deepEqual(asObject(beats()[0]?.event['data']), { waiting: 0, oldestWaitingAt: null })
  clock.moveBy(1.01)
  await eventually(async () => assert.equal(beats().length, 2))
  await remove(await renew(beating), webhook)
})
