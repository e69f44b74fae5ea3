import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecretValue } from '../../../src/kernel/ids.ts'

test('a secret has 43 characters of base64url, and no leading dash', () => {
  const values = Array.from({ length: 3_000 }, newSecretValue)
  for (const value of values) assert.match(value, /^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/)
  assert.equal(new Set(values).size, values.length)
})
