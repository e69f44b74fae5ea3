import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OPERATOR_ROUTES } from '../../../src/http/operator/routes.ts'
import { operatorNetwork } from '../../../src/http/operator/surface.ts'
import { anyRole, bearer, ready } from '../../../src/http/pipeline/gates.ts'
import { createValidator } from '../../../src/http/pipeline/validate.ts'
import { V1_ROUTES } from '../../../src/http/v1/surface.ts'
import { V2_ROUTES } from '../../../src/http/v2/routes.ts'

const ROUTES = [...V2_ROUTES, ...V1_ROUTES, ...OPERATOR_ROUTES]

test('every route requires a token and names its role, or states that any role will do', () => {
  for (const { operationId, gates } of ROUTES) {
    const others = gates.filter((gate) => gate !== operatorNetwork)
    assert.deepEqual(others.slice(0, 2), [ready, bearer], operationId)
    const roles = gates.filter((gate) => gate.role !== undefined || gate === anyRole)
    assert.equal(roles.length, 1, `${operationId}: one gate must be role(…) or anyRole`)
  }
  for (const { operationId, gates } of OPERATOR_ROUTES) assert.equal(gates[0], operatorNetwork, operationId)
  const open = V2_ROUTES.filter(({ gates }) => gates.includes(anyRole)).map(({ path }) => path)
  assert.deepEqual(open, [
    '/account',
    '/sites',
    '/metric-types',
    '/migration/id-map',
    '/migration/usage',
    '/event-types',
  ])
})

test('every version 2 route except the account, the list of sites and webhooks requires a site', () => {
  const withoutSite = V2_ROUTES.filter(({ gates }) => !gates.some(({ isSite }) => isSite))
  assert.deepEqual(
    withoutSite.filter(({ tags }) => !tags.includes('Webhooks')).map(({ operationId }) => operationId),
    ['getAccount', 'listSites'],
  )
})

test('every route validates its query and every parameter of its path', () => {
  for (const { operationId, path, query, params } of ROUTES) {
    assert.equal('additionalProperties' in query && query.additionalProperties, false, operationId)
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described: object = params && 'properties' in params ? (params.properties as object) : {}
    assert.deepEqual(Object.keys(described), named, operationId)
  }
})

test('no two operations of a surface have the same name', () => {
  for (const routes of [V2_ROUTES, V1_ROUTES, OPERATOR_ROUTES])
    assert.equal(new Set(routes.map(({ operationId }) => operationId)).size, routes.length)
})

test('the schemas of every route compile', () => {
  for (const { operationId, params, query, body, headers } of ROUTES)
    for (const schema of [params, query, body, headers])
      if (schema) assert.doesNotThrow(() => createValidator(schema).isValid(undefined), operationId)
})

const DOCS = join(import.meta.dirname, '../../../../../docs/api')

test('the documents name every route', () => {
  const read = (...files: string[]): string =>
    files.map((file) => readFileSync(join(DOCS, file), 'utf8')).join('\n')
  const documents = [
    { routes: V2_ROUTES, text: read('v2.md', 'webhooks.md'), name: 'v2.md or webhooks.md' },
    { routes: OPERATOR_ROUTES, text: read('operator.md'), name: 'operator.md' },
  ]
  for (const { routes, text, name } of documents)
    for (const { method, path } of routes)
      assert.ok(text.includes(`${method} ${path}`), `${method} ${path} is missing in docs/api/${name}`)
})
