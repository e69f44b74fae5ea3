import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { V2Client } from '../support/clients/v2-client.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { type EventStream, openEventStream } from '../support/clients/event-stream.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { type Instances, startInstances } from '../support/servers/instances.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { addWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'

let instances: Instances

before(async () => {
  instances = await startInstances(LOOPBACK)
})
after(() => instances.remove())

test('a stream at one instance brings what happens at the other, and is resumed there without holes or duplicates', async () => {
  const house = makeSmallSite()
  await applyInventory(instances.at(instances.one), house.document)
  const { one, other } = await instances.addClients(house.siteUuid)
  const resume = async (client: V2Client): Promise<void> => {
    const answer = await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })
    assert.equal(answer.status, 202, answer.text)
  }
  const listNumbers = async (): Promise<unknown[]> =>
    asArray((await one.get('/events?after=0&limit=1000'))['data']).map((event) => asObject(event)['number'])

  const first = await openEventStream(other, { query: '?after=0' })
  await resume(one)
  const commandIn = (stream: EventStream): boolean =>
    stream.messages.some(({ event }) => event === 'command.updated')
  await eventually(async () => assert.ok(commandIn(first)))
  first.close()
  await first.ended
  const seen = first.messages.map(({ id }) => id)

  await resume(other)
  const lastEventId = seen.at(-1) ?? assert.fail()
  const second = await openEventStream(one, { lastEventId })
  await eventually(async () => {
    assert.ok(commandIn(second))
    assert.deepEqual([...seen, ...second.messages.map(({ id }) => id)], await listNumbers())
  })
  second.close()
})

const EVENTS = 60
const KILLED_AFTER = 25

test('an instance that is killed with requests in flight loses nothing, and a device has one request at a time', async () => {
  const house = makeSmallSite()
  await applyInventory(instances.at(instances.one), house.document)
  const { one, other } = await instances.addClients(house.siteUuid)
  await using receiver = await startReceiver()
  const running = new Map<string, number>()
  let overlaps = 0
  receiver.respond = ({ event }, response) => {
    const lane = String(event['deviceUuid'])
    const count = (running.get(lane) ?? 0) + 1
    running.set(lane, count)
    if (count > 1) overlaps += 1
    response.on('close', () => running.set(lane, (running.get(lane) ?? 1) - 1))
    setTimeout(() => response.end(), 10)
  }
  await addWebhook(other, receiver.url)
  for (let n = 0; n < EVENTS; n += 1) {
    const client = n % 2 === 0 && n < KILLED_AFTER ? one : other
    const answer = await client.post(`/devices/${n % 3 === 0 ? house.trv : house.cylinder}/schedule`, {
      type: 'resume',
    })
    assert.equal(answer.status, 202, answer.text)
    if (n === KILLED_AFTER) await instances.one.kill()
  }
  const { data } = await other.get('/events?after=0&limit=1000')
  const expected = asArray(data)
    .map(asObject)
    .filter(({ type }) => type === 'command.updated')
    .map(({ eventUuid }) => asString(eventUuid))
  // Deliveries that the killed instance had in flight are sent again when their leases expire, with the same ids.
  await eventually(async () => {
    const received = new Set(receiver.requests.map(({ id }) => id))
    assert.deepEqual(
      expected.filter((id) => !received.has(id)),
      [],
    )
  }, 300_000)
  assert.equal(overlaps, 0)
  for (const device of [house.trv, house.cylinder]) {
    const numbers = receiver.requests
      .filter(({ event }) => event['deviceUuid'] === device)
      .map(({ event }) => Number(event['number']))
    const first = [...new Set(numbers)]
    assert.deepEqual(
      first,
      first.toSorted((a, b) => a - b),
    )
  }
})
