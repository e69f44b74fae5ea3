import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { startMosquitto } from '../support/servers/mosquitto.ts'
import { connectDevice, endDevices } from '../support/clients/mqtt.ts'
import { startPortico } from '../support/servers/portico.ts'
import { demoToken } from '../support/clients/requests.ts'
import { v2Client } from '../support/clients/v2-client.ts'

/** On the test's own broker any client may publish a command, so the devices are observed without the server. */
const mosquitto = await startMosquitto()
const portico = await startPortico({ env: { RATE_LIMIT: 'off' }, mqttUrl: mosquitto.url })
after(async () => {
  endDevices()
  await portico.stop()
  await mosquitto.remove()
})
const siteUuid = portico.demoEnv.SITE_ID
const client = v2Client(portico, await demoToken(portico), siteUuid)
const [valve] = await client.list('/devices?deviceType=trv&limit=1')
const deviceUuid = asString(valve?.['deviceUuid'])
const commands = `portico/v1/${siteUuid}/${deviceUuid}/commands`

const server = await connectDevice(mosquitto.url)
await server.subscribe(`portico/v1/${siteUuid}/+/commands/+/status`)

async function simulate(body: JsonObject): Promise<void> {
  const answer = await client.post(`/sandbox/devices/${deviceUuid}/simulate`, body)
  assert.equal(answer.status, 200, answer.text)
}

async function send(message: JsonObject = {}): Promise<string> {
  const commandUuid = randomUUID()
  await sendMessage({ commandUuid, ...message })
  return asString(message['commandUuid'] ?? commandUuid)
}

const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
const sendMessage = (message: JsonObject): Promise<void> =>
  server.publish(
    commands,
    JSON.stringify({
      type: 'override',
      issuedAt: new Date().toISOString(),
      expiresAt: inAnHour,
      schedule: { type: 'override', target: { temperature: 20 }, permanent: true },
      ...message,
    }),
  )

const answersTo = (commandUuid: string): JsonObject[] =>
  server.received
    .filter(({ topic }) => topic === `${commands}/${commandUuid}/status`)
    .map(({ text }) => asObject(parseJson(text)))
const listStatuses = (commandUuid: string): unknown[] => answersTo(commandUuid).map(({ status }) => status)

/** All messages received once the last one has arrived; some devices send `confirmed` twice. */
const waitForStatus = (commandUuid: string, last: string): Promise<JsonObject[]> =>
  eventually(async () => {
    assert.deepEqual([...new Set(listStatuses(commandUuid))], ['delivered', last])
    return answersTo(commandUuid)
  })

// The gateway may still be connecting: a mode change is applied once it is connected.
await simulate({ mode: 'online' })

describe('a device of the demo', () => {
  for (const type of ['weekly', 'oneOff', 'override', 'boost', 'resume', 'target']) {
    test(`reports ${type} as delivered and as confirmed, each with its time`, async () => {
      const before = Date.now()
      for (const { timestamp } of await waitForStatus(await send({ type }), 'confirmed')) {
        const at = Date.parse(asString(timestamp))
        assert.ok(at >= before - 1000 && at <= Date.now() + 1000, asString(timestamp))
      }
    })
  }

  test('responds to a repeated command again, with the same outcome', async () => {
    const commandUuid = await send()
    await waitForStatus(commandUuid, 'confirmed')
    await simulate({ mode: 'reject' })
    await sleep(1_000)
    const count = answersTo(commandUuid).length
    await sendMessage({ commandUuid })
    await eventually(async () => assert.ok(answersTo(commandUuid).length >= count + 2))
    assert.deepEqual([...new Set(listStatuses(commandUuid))], ['delivered', 'confirmed'])
    await simulate({ mode: 'online' })
  })

  test('rejects with a reason in the mode reject', async () => {
    await simulate({ mode: 'reject' })
    const [, rejected] = await waitForStatus(await send(), 'rejected')
    assert.match(asString(rejected?.['reason']), /\w+ \w+/)
    await simulate({ mode: 'online' })
    await waitForStatus(await send(), 'confirmed')
  })

  test('responds late in the mode delay, and not at all to a command cancelled meanwhile', async () => {
    await simulate({ mode: 'delay', delaySeconds: 20 })
    const cancelled = await send()
    await sendMessage({ commandUuid: randomUUID(), type: 'cancel', cancels: cancelled })
    await simulate({ mode: 'delay', delaySeconds: 2 })
    const before = Date.now()
    const late = await send()
    await waitForStatus(late, 'confirmed')
    assert.ok(Date.now() - before >= 2_000)
    assert.deepEqual(answersTo(cancelled), [])
    await simulate({ mode: 'online' })
  })

  test('does not respond while offline, to an expired command or to an invalid message', async () => {
    await simulate({ mode: 'offline' })
    const unheard = await send()
    await sleep(1_500)
    await simulate({ mode: 'online' })
    const expired = await send({ expiresAt: '2026-01-01T00:00:00Z' })
    const unknown = await send({ type: 'dance' })
    await server.publish(commands, '{')
    await server.publish(commands, Buffer.from([0xff, 0xfe]))
    await waitForStatus(await send(), 'confirmed')
    assert.deepEqual([unheard, expired, unknown].flatMap(answersTo), [])
    await sendMessage({ commandUuid: unheard })
    await waitForStatus(unheard, 'confirmed')
  })

  test('stays offline when its gateway reconnects, which publishes presence for the others', async () => {
    await simulate({ mode: 'offline' })
    await mosquitto.stop()
    const before = Date.now()
    await mosquitto.start()
    const [, neighbour] = await client.list('/devices?deviceType=trv&limit=2')
    for (const [uuid, expected] of [
      [asString(neighbour?.['deviceUuid']), 'online'],
      [deviceUuid, 'offline'],
    ] as const) {
      await eventually(async () => {
        const { status, lastSeenAt } = await client.get(`/devices/${uuid}`)
        assert.equal(status, expected)
        assert.ok(Date.parse(asString(lastSeenAt)) > before)
      })
    }
  })
})
