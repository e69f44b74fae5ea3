import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asString, type JsonObject } from '../support/json.ts'
import { changePartner, partnerRoles } from '../support/clients/operator.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { sendRequest } from '../support/clients/raw-http.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import {
  fill,
  listIdParameters,
  type PathIds,
  requiredQuery,
  loadRoutes,
  nameRoute as named,
  type Route,
  specifiedRoutes,
} from '../support/fixtures/routes.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico, operator } = installation

const own = makeSmallSite()
const second = makeSmallSite()
const foreign = makeSmallSite()
for (const house of [own, second, foreign]) await applyInventory(installation, house.document)

const client = await addClient(installation, [own.siteUuid, second.siteUuid])
const stranger = await addClient(installation, [foreign.siteUuid])

async function commandOn(caller: V2Client, deviceUuid: string): Promise<string> {
  const answer = await caller.post(`/devices/${deviceUuid}/schedule`, { type: 'resume' })
  assert.equal(answer.status, 202, answer.text)
  return asString(answer.json['commandUuid'])
}
const command = await commandOn(client, own.trv)
const foreignCommand = await commandOn(stranger, foreign.trv)

/** An event that needs no role besides Events.Read. */
async function eventOn(caller: V2Client): Promise<string> {
  const [event] = await caller.list('/events?types=inventory.changed')
  return asString(event?.['eventUuid'])
}
const foreignEvent = await eventOn(stranger)
/** For each parameter of a path: a resource of the site, and some of other sites or kinds. */
const resources: Record<keyof PathIds, { own: string; elsewhere: string[] }> = {
  deviceuuid: { own: own.trv, elsewhere: [foreign.trv, foreign.meter, second.trv, own.bedroom] },
  spaceuuid: { own: own.bedroom, elsewhere: [foreign.bedroom, foreign.studio, second.bedroom, own.trv] },
  commandUuid: { own: command, elsewhere: [foreignCommand, own.trv] },
  eventUuid: { own: await eventOn(client), elsewhere: [foreignEvent, own.trv] },
}
const ids = Object.fromEntries(Object.entries(resources).map(([name, one]) => [name, one.own])) as PathIds

const all = await loadRoutes(portico)
const withSite = all.filter(({ hasSite }) => hasSite)
/**
 * Without the sandbox operation, which rejects other sites before it validates the request: see control/sandbox-
 * call.test.ts.
 */
const routes = withSite.filter(({ path }) => !path.startsWith('/sandbox/'))
/**
 * Operations that succeed on every call. Cancelling works once per command: see control/cancel.test.ts. A stream does
 * not end: see events/stream.test.ts.
 */
const repeatable = routes.filter(({ method, isStream }) => method !== 'DELETE' && !isStream)

const call = (caller: V2Client, { method, path, body }: Route, headers: Record<string, string> = {}) =>
  caller.send(`${fill(path, ids)}${requiredQuery(path)}`, { method, headers, ...(body && { body }) })

function assertCode(answer: Answer, status: number, code: string): JsonObject {
  const body = assertProblem(portico, answer, status)
  assert.equal(body['type'], `${portico.url}/errors/${code}`)
  assert.equal(answer.headers.get('api-version'), '2')
  return body
}

test('the API description has every endpoint of the specification', () => {
  const described = all.map(named)
  for (const route of specifiedRoutes) assert.ok(described.includes(route), route)
})

test('every operation but the account, the list of sites and webhooks requires SiteId', () => {
  const withoutSite = all.filter(({ hasSite, path }) => !hasSite && !path.startsWith('/webhooks'))
  assert.deepEqual(withoutSite.map(named), ['GET /account', 'GET /sites'])
})

describe('SiteId', () => {
  for (const route of repeatable) {
    test(`${named(route)} works with the two headers of section 5`, async () => {
      const answer = await call(client, route)
      assert.equal(answer.status, route.method === 'POST' ? 202 : 200, answer.text)
    })
  }

  for (const route of withSite) {
    test(`${named(route)} without SiteId, or with one that is not a UUID, is 400 missing-site-id`, async () => {
      const wrong = ['', 'x', '7', `${own.siteUuid}x`, own.siteUuid.replaceAll('-', ''), `{${own.siteUuid}}`]
      for (const SiteId of wrong) {
        const answer = await call(client, route, { SiteId })
        assertCode(answer, 400, 'missing-site-id')
        if (SiteId !== '') assert.match(answer.text, /The SiteId header is not a UUID/)
      }
      const { method, path, body } = route
      const headers: [string, string][] = [['Authorization', `Bearer ${client.token}`]]
      if (body) headers.push(['Content-Type', 'application/json'])
      const sent = body ? JSON.stringify(body) : ''
      const bare = await sendRequest(portico, { method, path: `/v2${fill(path, ids)}`, headers, body: sent })
      assert.equal(bare.status, 400, bare.body)
      assert.match(bare.body, /\/errors\/missing-site-id"/)
    })

    test(`${named(route)} on a site that is not granted or unknown is 403, the same for both`, async () => {
      const answers: Answer[] = []
      for (const SiteId of [foreign.siteUuid, randomUUID()]) {
        const answer = await call(client, route, { SiteId })
        assertCode(answer, 403, 'forbidden')
        answers.push(answer)
      }
      assertAlike(answers)
    })

    test(`${named(route)} without a token is 401, for any site`, async () => {
      const { method, path, body } = route
      for (const SiteId of [own.siteUuid, foreign.siteUuid, 'x']) {
        const headers = { SiteId }
        const answer = await api(portico, `/v2${fill(path, ids)}`, { method, headers, ...(body && { body }) })
        assertUnauthorized(portico, answer, 'TokenNotPresent')
      }
    })
  }

  test('a repeated SiteId header is 400 missing-site-id, even if both are the same', async () => {
    for (const other of [own.siteUuid, second.siteUuid, foreign.siteUuid, 'x']) {
      const answer = await sendRequest(portico, {
        path: '/v2/spaces',
        headers: [
          ['Authorization', `Bearer ${client.token}`],
          ['SiteId', own.siteUuid],
          ['SiteId', other],
        ],
      })
      assert.equal(answer.status, 400, answer.body)
      assert.match(answer.body, /\/errors\/missing-site-id"/)
    }
  })

  test('a UUID is case-insensitive, in the header and in a path', async () => {
    const headers = { SiteId: own.siteUuid.toUpperCase() }
    const answer = await client.send(`/devices/${own.trv.toUpperCase()}`, { headers })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json['deviceUuid'], own.trv)
  })

  test('grants are read live: a revoked site is 403 for issued tokens', async () => {
    const partner = await addClient(installation, [own.siteUuid])
    assert.equal((await partner.send('/spaces')).status, 200)
    await changePartner(portico, operator, partner.partner.partnerUuid, { sites: [second.siteUuid] })
    assertCode(await partner.send('/spaces'), 403, 'forbidden')
    assert.equal((await partner.send('/spaces', { headers: { SiteId: second.siteUuid } })).status, 200)
  })
})

describe('roles', () => {
  for (const role of partnerRoles) {
    test(`a partner with ${role} alone can call what that role allows, and the rest is 403`, async () => {
      const single = await addClient(installation, [own.siteUuid], [role])
      for (const route of routes) {
        if (route.isStream && route.role === role) continue
        const answer = await call(single, route)
        if (route.role !== undefined && route.role !== role) assertCode(answer, 403, 'forbidden')
        else if (repeatable.includes(route)) assert.ok(answer.status < 300, named(route))
        else assert.notEqual(answer.status, 403, named(route))
      }
      assert.equal((await single.send('/sites')).status, 200)
    })
  }

  test('the roles are read live', async () => {
    const partner = await addClient(installation, [own.siteUuid], ['Spaces.Read'])
    assertCode(await partner.send('/devices'), 403, 'forbidden')
    await changePartner(portico, operator, partner.partner.partnerUuid, { roles: ['Devices.Read'] })
    assert.equal((await partner.send('/devices')).status, 200)
    assertCode(await partner.send('/spaces'), 403, 'forbidden')
  })
})

describe('the tenant matrix: a resource of another site is like one that does not exist', () => {
  const withIds = routes.flatMap((route) => listIdParameters(route.path).map((name) => ({ route, name })))
  for (const { route, name } of withIds) {
    const at = (id: string): Promise<Answer> => {
      const { method, path, body } = route
      return client.send(fill(path, { ...ids, [name]: id }), { method, ...(body && { body }) })
    }

    test(`${named(route)}: a foreign and an unknown {${name}} get the same 404, byte for byte`, async () => {
      const answers: Answer[] = []
      for (const id of [randomUUID(), ...resources[name].elsewhere]) {
        const answer = await at(id)
        assertCode(answer, 404, 'not-found')
        answers.push(answer)
      }
      assertAlike(answers)
    })

    test(`${named(route)}: a {${name}} that is not a UUID is 400`, async () => {
      for (const id of [
        'x',
        '1',
        `${own.trv}0`,
        own.trv.slice(1),
        own.trv.replaceAll('-', ''),
        '%20',
        '..%2f',
      ]) {
        assertProblem(portico, await at(id), 400)
      }
    })
  }

  test('a command of another device of the same site is 404, too', async () => {
    const answer = await client.send(`/devices/${own.meter}/commands/${command}`)
    assertCode(answer, 404, 'not-found')
  })

  test('a list filtered by a foreign identifier is empty, as for an unknown one', async () => {
    for (const [list, name, id] of [
      ['spaces', 'buildingUuid', foreign.buildingUuid],
      ['spaces', 'clusterUuid', foreign.clusterUuid],
      ['devices', 'buildingUuid', foreign.buildingUuid],
      ['devices', 'clusterUuid', foreign.clusterUuid],
      ['devices', 'spaceUuid', foreign.bedroom],
    ] as const) {
      for (const value of [id, randomUUID()]) {
        assert.deepEqual(await client.get(`/${list}?${name}=${value}`), {
          data: [],
          pagination: { nextCursor: null, hasMore: false },
        })
      }
    }
  })

  test('the lists of one site contain nothing of another site of the partner', async () => {
    for (const [list, field] of [
      ['spaces', 'spaceUuid'],
      ['devices', 'deviceUuid'],
    ] as const) {
      const first = (await client.list(`/${list}`)).map((record) => record[field])
      const answer = await client.send(`/${list}`, { headers: { SiteId: second.siteUuid } })
      for (const id of first) assert.ok(!answer.text.includes(String(id)))
    }
  })
})

describe('methods and parameters', () => {
  for (const route of routes) {
    test(`${named(route)} with an unknown query parameter is 400 naming it`, async () => {
      const path = fill(route.path, ids)
      for (const parameter of ['colour', 'siteId', 'FromDateTime', 'constructor']) {
        const { method, body } = route
        const answer = await client.send(`${path}?${parameter}=1`, { method, ...(body && { body }) })
        assertProblem(portico, answer, 400)
        assert.ok(answer.text.includes(parameter), answer.text)
      }
    })

    test(`${named(route)} with another method is 405 with Allow`, async () => {
      const known = all.filter(({ path }) => path === route.path).map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (known.includes(method)) continue
        const answer = await client.send(fill(route.path, ids), { method })
        assertProblem(portico, answer, 405)
        assert.ok((answer.headers.get('allow') ?? '').includes(route.method))
      }
    })
  }
})

/** Same status, headers and body, without what is specific to a request. */
function assertAlike(answers: Answer[]): void {
  const masked = answers.map(({ status, headers, text }) => ({
    status,
    headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
    text: text.replace(/"instance":"[^"]*"/, '"instance":""').replace(/"traceId":"[^"]*"/, '"traceId":""'),
  }))
  for (const one of masked) assert.deepEqual(one, masked[0])
}
