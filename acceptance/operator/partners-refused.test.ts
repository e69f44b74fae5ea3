import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { addPartner, partnerRoles } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import { api, operatorToken } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const token = await operatorToken(portico)
const partner = await addPartner(portico, token)
const good = { name: 'Refused', sites: [portico.demoEnv.SITE_ID], roles: ['Devices.Read'] }

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api(portico, '/operator/partners', { method: 'POST', token, body, headers })
const patch = (body: unknown) =>
  api(portico, `/operator/partners/${partner.partnerUuid}`, { method: 'PATCH', token, body })

const wrongFields: [field: string, values: unknown[]][] = [
  ['name', ['', 1, null, ['x'], {}, true]],
  ['sites', [portico.demoEnv.SITE_ID, [1], ['x'], [''], [null], {}, null, [[]]]],
  ['roles', ['Devices.Read', ['devices.read'], ['Admin'], [1], [null], null]],
]

describe('POST /operator/partners rejects with 400, naming the field', () => {
  for (const [field, values] of [...wrongFields, ['clientId', ['x', 1, '', [], {}]] as const]) {
    for (const value of values) {
      test(`${field}: ${JSON.stringify(value)}`, async () => {
        assertFieldRefused(portico, await post({ ...good, [field]: value }), field)
      })
    }
  }

  test('a missing name', async () => {
    assertFieldRefused(portico, await post({ sites: good.sites, roles: good.roles }), 'name')
  })

  test('an unknown field, including one that differs only in letter case', async () => {
    for (const field of ['colour', 'Name', 'clientSecret', 'enabledd', 'constructor']) {
      assertFieldRefused(portico, await post({ ...good, [field]: 'x' }), field)
    }
  })

  test('a site that does not exist', async () => {
    assertFieldRefused(portico, await post({ ...good, sites: [good.sites[0], randomUUID()] }), 'sites')
  })

  test('an unknown role, listing the allowed ones', async () => {
    const answer = await post({ ...good, roles: ['Devices.Read', 'Admin'] })
    assertFieldRefused(portico, answer, 'roles')
    for (const role of [...partnerRoles, 'Operator']) assert.ok(answer.text.includes(role), role)
  })

  test('several errors, each named', async () => {
    const answer = await post({ ...good, name: 1, colour: 'x' })
    assertFieldRefused(portico, answer, 'name')
    assertFieldRefused(portico, answer, 'colour')
  })
})

describe('PATCH /operator/partners/{partnerUuid} rejects with 400, naming the field', () => {
  for (const [field, values] of [...wrongFields, ['enabled', ['true', 'false', 1, 0, null, []]] as const]) {
    for (const value of values) {
      test(`${field}: ${JSON.stringify(value)}`, async () => {
        assertFieldRefused(portico, await patch({ [field]: value }), field)
      })
    }
  }

  test('a field that cannot be changed, or that does not exist', async () => {
    for (const field of ['partnerUuid', 'clientId', 'clientSecret', 'colour']) {
      assertFieldRefused(portico, await patch({ [field]: randomUUID() }), field)
    }
  })

  test('an unknown site and an unknown role', async () => {
    assertFieldRefused(portico, await patch({ sites: [randomUUID()] }), 'sites')
    assertFieldRefused(portico, await patch({ roles: ['Admin'] }), 'roles')
  })
})

describe('a body that is not a JSON object is a 4xx problem', () => {
  const bodies: [name: string, body: string][] = [
    ['nothing', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['broken JSON', '{"name":'],
    ['two documents', '{}{}'],
    ['a byte order mark and half a document', '\ufeff{'],
    ['a prototype', '{"__proto__":{"name":"x"},"sites":[],"roles":[]}'],
    ['a thousand brackets', '['.repeat(1_000)],
  ]
  for (const [name, body] of bodies) {
    test(`${name}: 400`, async () => {
      assertProblem(portico, await post(body), 400)
    })
  }

  test('another content type: 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      assertProblem(portico, await post(JSON.stringify(good), { 'content-type': type }), 415)
    }
  })

  test('a name of 2 MB: 400 or 413', async () => {
    const answer = await post({ ...good, name: 'x'.repeat(2_000_000) })
    assert.ok(answer.status === 400 || answer.status === 413, String(answer.status))
    assertProblem(portico, answer, answer.status)
  })
})

test('any other JSON as the body is a 400 problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      assertProblem(portico, await post(JSON.stringify(value)), 400)
      // A partner without roles is allowed.
      if (Array.isArray(value) && value.length === 0) return
      assertProblem(portico, await post({ ...good, roles: value }), 400)
    }),
    { numRuns: 100, examples: [[{}], [[]], [null]] },
  )
})

test('nothing of this is stored', async () => {
  const { text } = await api(portico, '/operator/partners', { token })
  assert.ok(!text.includes('Refused'), text)
})
