import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'
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
import { verifies } from '../support/webhooks/verify.ts'
import { addWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const DEVICES = scale(12, 50)
const COMMANDS = scale(90, 5_000)
const KILLS = scale(3, 20)
/**
 * The test need not wait for retries after 5 and 30 minutes: while events arrive, the clock runs faster than real time,
 * but not so fast that a request in flight outlives its lease or a healthy endpoint looks dead.
 */
const STEP_HOURS = 2 / 3_600
const JUMP_HOURS = 0.03
/** Polls without an event. */
const STALLED_AFTER = 10
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
  let secret = ''
  let unverified = 0
  receiver.respond = (request, response) => {
    const { id, event, headers } = request
    if (!verifies(secret, request)) unverified += 1
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
  ;({ secret } = await addWebhook(client, receiver.url))
  const connect = async ({ partner, siteId }: typeof client): Promise<V2Client> => {
    const { portico } = installation
    return v2Client(portico, await tokenFor(portico, partner.clientId, partner.clientSecret), siteId)
  }
  let current = await connect(client)
  for (let sent = 0; sent < COMMANDS; sent += 1) {
    const answer = await current.post(`/devices/${random.pick(house.valves)}/schedule`, { type: 'resume' })
    assert.equal(answer.status, 202, answer.text)
    clock.moveBy(STEP_HOURS)
    if (sent % PER_KILL !== PER_KILL - 1 || sent / PER_KILL > KILLS) continue
    const elsewhere = await connect(stranger)
    const strange = await elsewhere.post(`/devices/${foreign.trv}/schedule`, { type: 'resume' })
    assert.equal(strange.status, 202, strange.text)
    await installation.portico.kill()
    installation = await store.start({ env })
    current = await connect(client)
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
  let [before, polls] = [0, 0]
  await eventually(async () => {
    polls = accepted.length > before ? 0 : polls + 1
    before = accepted.length
    clock.moveBy(polls > STALLED_AFTER ? JUMP_HOURS : STEP_HOURS)
    const received = new Set(accepted.map(({ id }) => id))
    assert.equal(expected.filter((id) => !received.has(id)).length, 0)
  }, 1_200_000)
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
  assert.equal(unverified, 0, 'every request is signed with the secret of the webhook')
  await installation.stop()
  await store.remove()
})
