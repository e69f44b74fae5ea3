import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecret, findSecret, isLive } from '../../../../../src/domain/identity/partner/secret.ts'
import { NOON } from '../../../../support/seed.ts'

test('a value is 256 random bits in base64url, and only its hash is stored', () => {
  const { value, secret } = createSecret(NOON, 1)
  assert.match(value, /^[\w-]{43}$/)
  assert.equal(Buffer.from(value, 'base64url').byteLength, 32)
  assert.equal(secret.hash.byteLength, 32)
  assert.ok(!JSON.stringify(secret).includes(value))
  assert.notEqual(createSecret(NOON, 1).value, value)
})

test('a value matches its own secret among many, at any position', () => {
  const made = Array.from({ length: 5 }, () => createSecret(NOON, 1))
  const secrets = made.map(({ secret }) => secret)
  for (const { value, secret } of made) assert.equal(findSecret(secrets, value), secret)
  for (const { secret } of made) assert.equal(findSecret(secrets, secret.secretId), undefined)
  assert.equal(findSecret(secrets, ''), undefined)
})

test('a secret is valid until its expiry, exclusive', () => {
  const { secret } = createSecret(NOON, 1)
  assert.ok(isLive(secret, NOON + 86_400_000 - 1))
  assert.ok(!isLive(secret, NOON + 86_400_000))
  assert.ok(!isLive(createSecret(NOON, 0).secret, NOON))
})
