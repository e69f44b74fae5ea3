import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { signMessage, toSecretText } from '../../../../src/domain/webhook/secret.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index)
const WEBHOOK = {
  webhookUuid: 'f4a1c7d2-5e83-4b96-a0d7-3c9b8e1f6a42',
  secretNumber: 1,
  previousEndsAt: null,
}

test('the derivation of a secret never changes', () => {
  assert.equal(toSecretText(KEY, WEBHOOK), 'whsec_yOO3eIM73OM/mxPSaWZNBg8b7ZVHHn+DpKoEXk5VNZA=')
  assert.equal(
    toSecretText(KEY, { ...WEBHOOK, secretNumber: 2 }),
    'whsec_QorwYcwBSp5hDd7D4caXs4ZcaJcv6lyjUzH108zIwd4=',
  )
})

test('the signature is that of Standard Webhooks', () => {
  const message = { id: 'msg_1', timestampSeconds: 1_700_000_000, body: '{"a":"é"}' }
  const secret = Buffer.from(toSecretText(KEY, WEBHOOK).slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', secret).update('msg_1.1700000000.{"a":"é"}').digest('base64')
  assert.equal(signMessage(KEY, WEBHOOK, message, 5), `v1,${expected}`)
})

test('after a rotation, both secrets sign until the previous one ends', () => {
  const message = { id: 'msg_1', timestampSeconds: 1, body: '{}' }
  const rotated = { ...WEBHOOK, secretNumber: 2, previousEndsAt: 100 }
  const previous = signMessage(KEY, WEBHOOK, message, 0)
  const current = signMessage(KEY, { ...rotated, previousEndsAt: null }, message, 0)
  assert.equal(signMessage(KEY, rotated, message, 99), `${current} ${previous}`)
  assert.equal(signMessage(KEY, rotated, message, 100), current)
})
