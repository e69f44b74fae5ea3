import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretUsage } from '../../../../../src/domain/identity/partner/secret-usage.ts'
import { BACKENDS } from '../../../../support/backends.ts'
import { createClock } from '../../../../support/clock.ts'
import { override } from '../../../../support/override.ts'
import { addPartner } from '../../../../support/seed.ts'

const [backend] = BACKENDS

test('a use that could not be stored is stored with the next one', async (t) => {
  const store = await (backend ?? assert.fail()).open(t)
  const { partner } = await addPartner(store)
  const [secret] = await store.partners.secrets(partner.partnerUuid)
  assert.ok(secret)
  const clock = createClock()
  let isFull = true
  const moody = override(store.partners, {
    recordUse: (uses) =>
      isFull ? Promise.reject(new Error('the disk is full')) : store.partners.recordUse(uses),
  })
  const lastUse = createSecretUsage(moody, clock, () => {})
  lastUse.record(secret.secretId)
  await assert.rejects(lastUse.flush(), /full/)
  isFull = false
  await lastUse.close()
  const [stored] = await store.partners.secrets(partner.partnerUuid)
  assert.equal(stored?.lastUsedAt, clock.at)
})
