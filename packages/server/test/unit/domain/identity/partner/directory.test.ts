import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPartnerDirectory } from '../../../../../src/domain/identity/partner/directory.ts'
import { BACKENDS } from '../../../../support/backends.ts'
import { createClock } from '../../../../support/clock.ts'
import { addPartner, entry } from '../../../../support/seed.ts'

const [backend] = BACKENDS

test('a change by another process is visible within five seconds, one by this process immediately', async (t) => {
  const store = await (backend ?? assert.fail()).open(t)
  const clock = createClock()
  const directory = createPartnerDirectory(store.partners, clock)
  const { partner } = await addPartner(store)
  assert.equal((await directory.find(partner.clientId))?.enabled, true)

  await store.partners.change(partner.partnerUuid, { enabled: false }, entry())
  clock.at += 4_999
  assert.equal((await directory.find(partner.clientId))?.enabled, false)

  await store.partners.change(partner.partnerUuid, { enabled: true }, entry())
  directory.invalidate()
  assert.equal((await directory.find(partner.clientId))?.enabled, true)
})

test('setting the clock back does not extend the life of cached entries', async (t) => {
  const store = await (backend ?? assert.fail()).open(t)
  const clock = createClock()
  const directory = createPartnerDirectory(store.partners, clock)
  const { partner } = await addPartner(store)
  await directory.find(partner.clientId)
  await store.partners.change(partner.partnerUuid, { enabled: false }, entry())
  clock.at -= 3_600_000
  assert.equal((await directory.find(partner.clientId))?.enabled, false)
})

test('an unknown client is found as soon as it is added', async (t) => {
  const store = await (backend ?? assert.fail()).open(t)
  const directory = createPartnerDirectory(store.partners, createClock())
  const clientId = '00000000-0000-4000-8000-000000000001'
  assert.equal(await directory.find(clientId), undefined)
  await addPartner(store, { clientId })
  assert.equal((await directory.find(clientId))?.clientId, clientId)
})
