import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { goodCommands, plan, wrongCommands } from '../support/fixtures/commands.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import type { JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico } = installation

const house = makeSmallSite()
const weekly = randomUUID()
const capabilities = {
  schedule: { types: ['weekly'] },
  setpoint: { min: 10, max: 20, step: 1, unit: 'degC' },
}
house.document.devices.push(device(weekly, 'trv', house.studio, { capabilities }))
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

const send = (body: unknown, deviceUuid = house.trv): Promise<Answer> =>
  client.post(`/devices/${deviceUuid}/schedule`, body)

describe('a command that no device accepts is 400, naming the field', () => {
  for (const [name, body, field] of wrongCommands) {
    test(`${name}: ${field ?? 'as a whole'}`, async () => {
      if (field === undefined) assertProblem(portico, await send(body), 400)
      else assertFieldRefused(portico, await send(body), field)
    })
  }

  const bodies = [
    '',
    'null',
    '[]',
    '"resume"',
    '1',
    '{',
    '{}{}',
    '{"type":"resume"',
    'type=resume',
    '\u0000',
    '['.repeat(1_000),
  ]
  for (const body of bodies) {
    test(`a body that is not a JSON object: ${JSON.stringify(body.slice(0, 20))}`, async () => {
      assertProblem(portico, await send(body), 400)
    })
  }

  test('any other JSON as the body or a target', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        assertProblem(portico, await send(JSON.stringify(value)), 400)
        assertProblem(portico, await send({ type: 'override', permanent: true, target: value }), 400)
        assertProblem(portico, await send({ ...plan(), periods: [value] }), 400)
      }),
      { numRuns: 60 },
    )
  })
})

describe('other rejections', () => {
  test('a device without the capability is 409 not-controllable', async () => {
    for (const body of Object.values(goodCommands)) {
      const { type } = assertProblem(portico, await send(body, house.meter), 409)
      assert.equal(type, `${portico.url}/errors/not-controllable`)
    }
    assert.equal((await send(plan(), weekly)).status, 202)
    assertProblem(portico, await send({ type: 'boost', durationMinutes: 30 }, weekly), 409)
  })

  test('a body above 64 KiB is 413, and one below is read', async () => {
    const long = (size: number): JsonObject => ({ type: 'resume', colour: 'x'.repeat(size) })
    assertProblem(portico, await send(long(66_000)), 413)
    assertProblem(portico, await send(long(2_000_000)), 413)
    assertFieldRefused(portico, await send(long(60_000)), 'colour')
  })

  test('another content type is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const headers = { 'content-type': type }
      const answer = await client.post(`/devices/${house.trv}/schedule`, '{"type":"resume"}', headers)
      const { detail } = assertProblem(portico, answer, 415)
      assert.equal(detail, 'This endpoint accepts a body with the Content-Type application/json.')
    }
  })
})

test('no rejected command is stored', async () => {
  assert.deepEqual(await client.list(`/devices/${house.trv}/commands`), [])
  assert.deepEqual(await client.list(`/devices/${house.meter}/commands`), [])
})
