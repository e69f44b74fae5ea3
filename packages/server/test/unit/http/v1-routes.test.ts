import assert from 'node:assert/strict'
import { test } from 'node:test'
import { V1_ROUTES } from '../../../src/http/v1/routes.ts'
import { V1_CATALOGUE } from '../../../src/domain/v1-lifecycle/catalogue.ts'

test('every endpoint of the catalogue has a handler, and every handler an endpoint', () => {
  assert.deepEqual(
    Object.keys(V1_ROUTES).toSorted(),
    V1_CATALOGUE.map(({ path }) => path as string).toSorted(),
  )
  assert.equal(V1_CATALOGUE.length, 23)
})

test('the kind of a handler matches its path, and no two endpoints share one', () => {
  for (const { path, subject } of V1_CATALOGUE) {
    assert.equal(V1_ROUTES[path].subject, subject, path)
    assert.equal(path.includes(`{${subject}Id}`), subject !== 'tenant', path)
  }
  assert.equal(new Set(Object.values(V1_ROUTES)).size, 23)
})

test('exactly the replaced endpoints have a replacement', () => {
  for (const { path, state, replacement } of V1_CATALOGUE)
    assert.equal(replacement !== null, state === 'replaced', path)
})
