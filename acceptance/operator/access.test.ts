import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { asUuid } from '../support/json.ts'
import { addPartner, changePartner, partnerRoles } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertNoCors, assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { api, demoToken, operatorToken, send, tokenFor } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const operator = await operatorToken(portico)
const anyone = randomUUID()
const calls: [method: string, path: string, body?: unknown][] = [
  ['GET', '/operator/partners'],
  ['POST', '/operator/partners', { name: 'X', sites: [], roles: ['Operator'] }],
  ['GET', `/operator/partners/${anyone}`],
  ['PATCH', `/operator/partners/${anyone}`, { enabled: false }],
  ['POST', `/operator/partners/${anyone}/secrets`, {}],
  ['DELETE', `/operator/partners/${anyone}/secrets/${anyone}`],
  ['GET', '/operator/keys'],
  ['POST', '/operator/keys/rotate'],
  ['GET', '/operator/audit'],
  ['GET', '/operator/sessions'],
  ['GET', '/operator/health'],
  ['GET', '/operator/migration/days'],
  ['GET', '/operator/commands'],
  ['DELETE', `/operator/sessions/${'x'.repeat(43)}`],
  ['POST', '/operator/console-links', {}],
  ['GET', '/operator/sites'],
  ['GET', `/operator/sites/${anyone}/devices`],
  ['GET', `/operator/sites/${anyone}/commands`],
  ['PUT', '/operator/inventory?dryRun=true', {}],
  ['POST', '/operator/readings/imports', {}],
]

for (const [method, path, body] of calls) {
  const call = `${method} ${path.replaceAll(anyone, '{id}')}`

  test(`${call} without a token is 401 TokenNotPresent`, async () => {
    assertUnauthorized(portico, await api(portico, path, { method, body }), 'TokenNotPresent')
  })

  test(`${call} with a forged token is 401 TokenInvalid`, async () => {
    assertUnauthorized(portico, await api(portico, path, { method, body, token: 'a.b.c' }), 'TokenInvalid')
  })

  test(`${call} by a partner without the role Operator is 403`, async () => {
    const token = await demoToken(portico)
    assertProblem(portico, await api(portico, path, { method, body, token }), 403)
  })
}

test('the rejected calls above changed nothing', async () => {
  const { text } = await api(portico, '/operator/partners', { token: operator })
  assert.ok(!text.includes('"X"'), text)
})

test('the role is read live: removing it applies immediately to issued tokens', async () => {
  const second = await addPartner(portico, operator, { sites: [], roles: ['Operator'] })
  const token = await tokenFor(portico, second.clientId, second.clientSecret)
  assert.equal((await api(portico, '/operator/partners', { token })).status, 200)
  await changePartner(portico, operator, second.partnerUuid, { roles: partnerRoles })
  assertProblem(portico, await api(portico, '/operator/partners', { token }), 403)
})

describe('outside the known paths and methods', () => {
  test('an unknown path is 401 without a token and a 404 problem with one', async () => {
    assertUnauthorized(portico, await api(portico, '/operator/nothing'), 'TokenNotPresent')
    assertProblem(portico, await api(portico, '/operator/nothing', { token: operator }), 404)
  })

  test('a wrong method is 405 with Allow', async () => {
    const rows = [
      ['DELETE', '/operator/partners', /\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/],
      ['GET', '/operator/keys/rotate', /\bPOST\b/],
      ['PUT', `/operator/partners/${anyone}`, /\bPATCH\b/],
      ['POST', '/operator/audit', /\bGET\b/],
    ] as const
    for (const [method, path, allowed] of rows) {
      const answer = await api(portico, path, { method, token: operator })
      assertProblem(portico, answer, 405)
      assert.match(answer.headers.get('allow') ?? '', allowed)
    }
  })
})

test('responses have an X-Request-Id and no CORS headers', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await api(portico, '/operator/partners', { method, token: operator, headers })
    assertNoCors(answer.headers)
    asUuid(answer.headers.get('x-request-id'))
  }
})

test('the operator address in demo.env is the one that answers', async () => {
  const answer = await send(`${portico.demoEnv.OPERATOR_URL}/partners`, {
    headers: { authorization: `Bearer ${operator}` },
  })
  assert.equal(answer.status, 200, answer.text)
})
