import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v2Client } from '../support/clients/v2-client.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { makeClock } from '../support/control/clock.ts'
import { eventually } from '../support/eventually.ts'
import { device, makeSmallSite, scheduleTypes } from '../support/fixtures/small-site.ts'
import { randomFrom } from '../support/histories/random.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { makeStore } from '../support/servers/store.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { addWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const DEVICES = scale(12, 50)
const COMMANDS = scale(90, 5_000)
const KILLS = scale(3, 20)
const PER_KILL = Math.ceil(COMMANDS / (KILLS + 1))

/** A site with more valves, so that there are many lanes. */
function makeHouse() {
  const house = makeSmallSite()
  const valves = Array.from({ length: DEVICES }, () => crypto.randomUUID())
  const capabilities = {
    schedule: { types: scheduleTypes, minuteStep: 1, maxPeriodsPerDay: 10, execution: 'device' },
    setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' },
  }
  const metrics = { temperature: { kind: 'gauge' } }
  const added = valves.map((uuid) => device(uuid, 'trv', house.bedroom, { metrics, capabilities }))
  const document = { ...house.document, devices: [...house.document.devices, ...added] }
  return { ...house, document, valves }
}

test('no event is lost, reordered or sent to another partner, however often the server is killed', async () => {
  const random = randomFrom(SEED)
  await using receiver = await startReceiver()
  // A third of the requests is refused, dropped or answered after the server has given up or was killed.
  const accepted: { id: string; number: number; deviceUuid: unknown; isLate: boolean }[] = []
  receiver.respond = ({ id, event, headers }, response) => {
    if (random.chance(0.15)) response.writeHead(500).end()
    else if (random.chance(0.08)) response.destroy()
    else {
      const isLate = headers['portico-late'] === 'true'
      accepted.push({ id, number: Number(event['number']), deviceUuid: event['deviceUuid'], isLate })
      setTimeout(() => response.end(), random.below(20))
    }
  }
  const store = await makeStore()
  const clock = makeClock(store.dataDir)
  const env = { ...LOOPBACK, ...clock.env }
  const [house, foreign] = [makeHouse(), makeHouse()]
  let installation = await store.start({ env })
  for (const { document } of [house, foreign]) await applyInventory(installation, document)
  const client = await addClient(installation, [house.siteUuid])
  const stranger = await addClient(installation, [foreign.siteUuid])
  await addWebhook(client, receiver.url)
  const { clientId, clientSecret } = client.partner
  const connect = async () =>
    v2Client(
      installation.portico,
      await tokenFor(installation.portico, clientId, clientSecret),
      house.siteUuid,
    )
  let current = await connect()
  for (let sent = 0; sent < COMMANDS; sent += 1) {
    const answer = await current.post(`/devices/${random.pick(house.valves)}/schedule`, { type: 'resume' })
    assert.equal(answer.status, 202, answer.text)
    if (sent % PER_KILL !== PER_KILL - 1 || sent / PER_KILL > KILLS) continue
    await stranger.post(`/devices/${foreign.trv}/schedule`, { type: 'resume' }).catch(() => {})
    await installation.portico.kill()
    installation = await store.start({ env })
    current = await connect()
  }
  const log: JsonObject[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await current.get(`/events?after=${after}&limit=1000`)
    log.push(...asArray(page['data']).map(asObject))
    const { nextAfter, hasMore: more } = asObject(page['pagination'])
    ;[after, hasMore] = [Number(nextAfter), more === true]
  }
  const expected = log
    .filter(({ type }) => type === 'command.updated')
    .map(({ eventUuid }) => asString(eventUuid))
  assert.ok(expected.length >= COMMANDS)
  await eventually(async () => {
    // Retries after 5 and 30 minutes need not be waited for.
    clock.moveBy(0.02)
    const received = new Set(accepted.map(({ id }) => id))
    assert.deepEqual(
      expected.filter((id) => !received.has(id)),
      [],
    )
  }, 600_000)
  for (const valve of house.valves) {
    const seen = new Set<string>()
    const first = accepted.filter(({ id, deviceUuid }) => {
      const isFirst = deviceUuid === valve && !seen.has(id)
      if (isFirst) seen.add(id)
      return isFirst
    })
    const inOrder = first.filter(({ isLate }) => !isLate).map(({ number }) => number)
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((a, b) => a - b),
    )
  }
  const own = new Set(log.map(({ eventUuid }) => eventUuid))
  for (const { id } of accepted) assert.ok(own.has(id), 'no event of another partner arrives')
  await installation.stop()
  await store.remove()
})
