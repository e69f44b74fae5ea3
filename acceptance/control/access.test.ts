import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { partnerRoles } from '../support/clients/operator.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import type { Answer, ApiRequest } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

const control = await useControl()
const site = await control.addSite(makeSmallSite({ sandbox: true }))
const other = await control.addSite(makeSmallSite({ sandbox: true }))
const command = await site.accept(override(20))

interface Call {
  name: string
  role: string
  path: (deviceUuid: string, commandUuid: string) => string
  request: ApiRequest
}
const simulate = { method: 'POST', body: { mode: 'online' } }
const calls: Call[] = [
  {
    name: 'GET /devices/{deviceuuid}/schedule',
    role: 'Devices.Read',
    path: (id) => `/devices/${id}/schedule`,
    request: {},
  },
  {
    name: 'DELETE /devices/{deviceuuid}/commands/{commanduuid}',
    role: 'Devices.Control',
    path: (id, commandUuid) => `/devices/${id}/commands/${commandUuid}`,
    request: { method: 'DELETE' },
  },
  {
    name: 'POST /sandbox/devices/{deviceuuid}/simulate',
    role: 'Devices.Control',
    path: (id) => `/sandbox/devices/${id}/simulate`,
    request: simulate,
  },
]

const send = (
  client: V2Client,
  call: Call,
  more: ApiRequest = {},
  device = site.house.trv,
): Promise<Answer> => client.send(call.path(device, getId(command)), { ...call.request, ...more })

for (const call of calls) {
  describe(call.name, () => {
    test(`requires ${call.role}; all other roles together are 403`, async () => {
      const others = partnerRoles.filter((role) => role !== call.role)
      const client = await addClient(control.installation, [site.house.siteUuid], others)
      assertProblem(control.portico, await send(client, call), 403)
    })

    test('with a bad token is 401, without SiteId 400, on a foreign site 403', async () => {
      const client = await site.client()
      assertUnauthorized(control.portico, await send(client, call, { token: 'a.b.c' }), 'TokenInvalid')
      assertProblem(control.portico, await send(client, call, { headers: { SiteId: '' } }), 400)
      const headers = { SiteId: other.house.siteUuid }
      assertProblem(control.portico, await send(client, call, { headers }), 403)
    })

    test('an unknown device and one of another site get the same 404, an id that is not a UUID 400', async () => {
      const client = await site.client()
      const bodies: JsonObject[] = []
      for (const device of [randomUUID(), other.house.trv]) {
        const answer = await send(client, call, {}, device)
        const { type, title, status, detail, errors } = assertProblem(control.portico, answer, 404)
        bodies.push({ type, title, status, detail, errors })
      }
      assert.deepEqual(bodies[0], bodies[1])
      assertProblem(control.portico, await send(client, call, {}, 'x'), 400)
    })

    test('an unknown query parameter is 400', async () => {
      const client = await site.client()
      const path = `${call.path(site.house.trv, getId(command))}?colour=blue`
      assertProblem(control.portico, await client.send(path, call.request), 400)
    })
  })
}

test('Devices.Read alone reads commands and schedules, Devices.Control alone sends and cancels', async () => {
  const sites = [site.house.siteUuid]
  const reader = await addClient(control.installation, sites, ['Devices.Read'])
  const sender = await addClient(control.installation, sites, ['Devices.Control'])
  const path = `/devices/${site.house.trv}`
  await reader.get(`${path}/schedule`)
  await reader.get(`${path}/commands`)
  await reader.get(`${path}/commands/${getId(command)}`)
  const sent = await sender.post(`${path}/schedule`, override(21))
  assert.equal(sent.status, 202, sent.text)
  const cancel = `${path}/commands/${getId(sent.json)}`
  assert.equal((await sender.send(cancel, { method: 'DELETE' })).status, 200)
  assertProblem(control.portico, await sender.send(cancel), 403)
  assertProblem(control.portico, await reader.send(cancel, { method: 'DELETE' }), 403)
})

test('the commands of a device are listed in any state, in pages and as a whole', async () => {
  for (let count = 0; count < 6; count += 1) await site.accept(override(20 + count / 2))
  const path = `/devices/${site.house.trv}/commands`
  const client = await site.client()
  const states = (commands: JsonObject[]): unknown[] => commands.map((one) => [getId(one), one['createdAt']])
  const whole = await client.list(path)
  assert.ok(whole.length >= 7)
  const paged: JsonObject[] = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const page = await client.get(`${path}?limit=2${cursor === '' ? '' : `&cursor=${asString(cursor)}`}`)
    paged.push(...asArray(page['data']).map(asObject))
    cursor = asObject(page['pagination'])['nextCursor']
  }
  assert.deepEqual(states(paged), states(whole))
})

test('a device that accepts no commands has an empty schedule, or is reported as not controllable', async () => {
  const answer = await (await site.client()).send(`/devices/${site.house.meter}/schedule`)
  if (answer.status === 200) assert.equal(answer.json['plan'], null)
  else assertProblem(control.portico, answer, 409)
})
