import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { override } from '../support/control/bodies.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Demo } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

let demo: Demo
let client: V2Client
let valve = ''

before(async () => {
  demo = await shareDemo()
  client = demo.client
  const devices = await client.list('/devices')
  const takes = ({ capabilities }: JsonObject, type: string): boolean =>
    asArray(asObject(asObject(capabilities)['schedule'] ?? { types: [] })['types']).includes(type)
  const found = devices.find(
    (device) => device['deviceType'] === 'trv' && takes(device, 'override') && takes(device, 'weekly'),
  )
  valve = asString(found?.['deviceUuid'])
})

const simulate = (body: unknown, deviceUuid = valve, headers = {}): Promise<Answer> =>
  client.post(`/sandbox/devices/${deviceUuid}/simulate`, body, headers)

async function mode(name: string, more: JsonObject = {}): Promise<void> {
  const answer = await simulate({ mode: name, ...more })
  assert.ok(answer.status >= 200 && answer.status < 300, answer.text)
}

async function accept(body: JsonObject): Promise<JsonObject> {
  const answer = await client.post(`/devices/${valve}/schedule`, body)
  assert.equal(answer.status, 202, answer.text)
  return answer.json
}

const toPath = (command: JsonObject): string =>
  `/devices/${valve}/commands/${asString(command['commandUuid'])}`

const until = (command: JsonObject, state: string, code?: string): Promise<JsonObject> =>
  eventually(async () => {
    const now = await client.get(toPath(command))
    const reason = (now['failureReason'] ?? {}) as JsonObject
    assert.deepEqual([now['state'], reason['code']], [state, code], JSON.stringify(now))
    return now
  })

const hasStatus = (status: string): Promise<void> =>
  eventually(async () => assert.equal((await client.get(`/devices/${valve}`))['status'], status))

describe('the simulator of the demo responds, and a partner sees every outcome through the API alone', () => {
  test('by default a command is confirmed, and the schedule shows it', async () => {
    await until(await accept(plan()), 'CONFIRMED')
    await until(await accept(override(20)), 'CONFIRMED')
    const { now } = await client.get(`/devices/${valve}/schedule`)
    assert.deepEqual(asObject(now)['target'], { temperature: 20 })
  })

  test('offline: the device is offline, its command waits, failIfOffline fails; online delivers the waiting command', async () => {
    await mode('offline')
    await hasStatus('offline')
    const failed = await accept(override(19, { failIfOffline: true }))
    assert.deepEqual(
      [failed['state'], asObject(failed['failureReason'])['code']],
      ['FAILED', 'DEVICE_OFFLINE'],
    )
    const waits = await accept(override(21))
    assert.equal(waits['state'], 'PENDING')
    await mode('online')
    await hasStatus('online')
    await until(waits, 'CONFIRMED')
  })

  test('reject: FAILED DEVICE_REJECTED; online again, the next command is confirmed', async () => {
    await mode('reject')
    const failed = await until(await accept(override(18)), 'FAILED', 'DEVICE_REJECTED')
    assert.notEqual(asString(asObject(failed['failureReason'])['message']), '')
    await mode('online')
    await until(await accept(override(18)), 'CONFIRMED')
  })

  test('delay: confirmed after the delay, and cancellable during it', async () => {
    await mode('delay', { delaySeconds: 1 })
    await until(await accept(override(17)), 'CONFIRMED')
    await mode('delay', { delaySeconds: 600 })
    const command = await accept(override(18))
    await eventually(async () =>
      assert.match(asString((await client.get(toPath(command)))['state']), /^(SENT|DELIVERED)$/),
    )
    const answer = await client.send(toPath(command), { method: 'DELETE' })
    assert.equal(answer.status, 200, answer.text)
    await mode('online')
    await until(await accept(override(19)), 'CONFIRMED')
    await until(command, 'CANCELLED', 'REQUESTED')
  })
})

describe('rejected', () => {
  test('an unknown mode or an invalid delay: 400', async () => {
    const bodies = [
      {},
      { mode: 'broken' },
      { mode: 'OFFLINE' },
      { mode: null },
      { mode: 'delay', delaySeconds: -1 },
      { mode: 'delay', delaySeconds: '5' },
      { mode: 'offline', colour: 'blue' },
    ]
    for (const body of bodies) assertProblem(demo.portico, await simulate(body), 400)
  })

  test('a device that does not exist: 404', async () => {
    // The route exists; only the device is unknown.
    await mode('online')
    assertProblem(demo.portico, await simulate({ mode: 'offline' }, randomUUID()), 404)
  })

  test('without Devices.Control: 403', async () => {
    const { siteId } = client
    const reader = await addClient(demo, [siteId], ['Devices.Read', 'Spaces.Read', 'V1.Read'])
    const path = `/sandbox/devices/${valve}/simulate`
    assertProblem(demo.portico, await reader.post(path, { mode: 'offline' }), 403)
  })

  test('on a site that is not a sandbox: 4xx, for an existing device', async () => {
    await mode('online')
    const house = makeSmallSite()
    await applyInventory(demo, house.document)
    const real = await addClient(demo, [house.siteUuid])
    const answer = await real.post(`/sandbox/devices/${house.trv}/simulate`, { mode: 'offline' })
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
    assertProblem(demo.portico, answer, answer.status)
    assert.equal((await real.get(`/devices/${house.trv}`))['status'], 'unknown')
  })

  test('none of these requests affects the device', async () => {
    await until(await accept(override(20)), 'CONFIRMED')
  })
})
