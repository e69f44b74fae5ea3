import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findStep, toExpiry } from '../../../src/operator/rotation.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const secret = (createdAt: string, lastUsedAt: string | null, expiresAt = '2027-11-16T00:00:00Z') => ({
  secretId: createdAt,
  hint: 'q7F',
  createdAt,
  expiresAt,
  lastUsedAt,
})

describe('the replacement of a secret', () => {
  const old = secret('2026-01-01T00:00:00Z', '2026-11-16T11:00:00Z')

  it('starts with one secret', () => {
    assert.equal(findStep([], NOW), 1)
    assert.equal(findStep([old], NOW), 1)
  })

  it('waits until the newest is used, and then asks to remove the old one', () => {
    assert.equal(findStep([secret('2026-11-16T00:00:00Z', null), old], NOW), 2)
    assert.equal(findStep([secret('2026-11-16T00:00:00Z', '2026-11-16T11:30:00Z'), old], NOW), 3)
  })

  it('does not count expired secrets', () => {
    assert.equal(findStep([old, secret('2025-01-01T00:00:00Z', null, '2026-01-01T00:00:00Z')], NOW), 1)
  })
})

it('a secret expires soon in the last 30 days', () => {
  assert.equal(toExpiry('2026-11-16T12:00:00Z', NOW), 'expired')
  assert.equal(toExpiry('2026-12-16T11:59:59Z', NOW), 'soon')
  assert.equal(toExpiry('2026-12-16T12:00:00Z', NOW), 'later')
})
