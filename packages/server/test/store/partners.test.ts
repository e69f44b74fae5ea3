import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUuid } from '../../src/kernel/ids.ts'
import type { PartnerChanges } from '../../src/domain/identity/partner/partner.ts'
import { createSecret } from '../../src/domain/identity/partner/secret.ts'
import { BACKENDS } from '../support/backends.ts'
import { addPartner, addSite, entry, NOON, newPartner } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`partners on ${backend.name}`, () => {
    test('secrets that expire soon are listed, those of disabled partners and expired ones are not', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store, { name: 'Example Energy' })
      await addPartner(store, { enabled: false })
      const { secretId, hint, expiresAt } = secret
      const expiring = {
        partnerUuid: partner.partnerUuid,
        partnerName: 'Example Energy',
        secretId,
        hint,
        expiresAt,
      }
      const list = (now: number, until: number) => store.partners.expiringSecrets({ now, until }, 9)
      assert.deepEqual(await list(NOON, expiresAt), [expiring])
      assert.deepEqual(await list(NOON, expiresAt - 1), [])
      assert.deepEqual(await list(expiresAt, expiresAt), [])
    })

    test('a partner is read back as it was added, with its sites and roles', async (t) => {
      const store = await backend.open(t)
      const sites = [await addSite(store), await addSite(store)].map(({ siteUuid }) => siteUuid).toSorted()
      const { partner, secret } = await addPartner(store, { sites, roles: ['Operator', 'Spaces.Read'] })
      const client = await store.partners.findClient(partner.clientId)
      assert.deepEqual(await store.partners.get(partner.partnerUuid), partner)
      assert.deepEqual({ ...client, secrets: [] }, { ...partner, secrets: [] })
      assert.deepEqual(
        client?.secrets.map((known) => ({ ...known, hash: Buffer.from(known.hash).toString('hex') })),
        [{ ...secret, hash: Buffer.from(secret.hash).toString('hex') }],
      )
    })

    test('a client id belongs to one partner', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { secret } = createSecret(NOON, 1)
      const second = newPartner({ clientId: partner.clientId })
      assert.deepEqual(await store.partners.add(second, secret, entry()), { outcome: 'client-id-taken' })
      assert.equal(await store.partners.get(second.partnerUuid), undefined)
    })

    test('concurrent grants and revocations all take effect', async (t) => {
      const store = await backend.open(t)
      const [kept, revoked, ...granted] = await Promise.all(
        Array.from({ length: 6 }, async () => (await addSite(store)).siteUuid),
      )
      assert.ok(kept && revoked)
      const { partner } = await addPartner(store, { sites: [kept, revoked] })
      const outcomes = await Promise.all([
        ...granted.map((siteUuid) =>
          store.partners.change(partner.partnerUuid, { grantSites: [siteUuid] }, entry()),
        ),
        store.partners.change(partner.partnerUuid, { revokeSites: [revoked] }, entry()),
      ])
      assert.ok(outcomes.every(({ outcome }) => outcome === 'changed'))
      const found = await store.partners.get(partner.partnerUuid)
      assert.deepEqual(found?.sites.toSorted(), [kept, ...granted].toSorted())
      const unknown = newUuid()
      assert.deepEqual(await store.partners.change(partner.partnerUuid, { grantSites: [unknown] }, entry()), {
        outcome: 'unknown-sites',
        siteUuids: [unknown],
      })
    })

    test('a partner with an unknown site is not added, and the sites are named', async (t) => {
      const store = await backend.open(t)
      const unknown = newUuid()
      const partner = newPartner({ sites: [(await addSite(store)).siteUuid, unknown] })
      const outcome = await store.partners.add(partner, createSecret(NOON, 1).secret, entry())
      assert.deepEqual(outcome, { outcome: 'unknown-sites', siteUuids: [unknown] })
      assert.equal(await store.partners.get(partner.partnerUuid), undefined)
    })

    test('a change touches only the fields it names', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addSite(store)
      const { partner } = await addPartner(store, { sites: [siteUuid] })
      const outcome = await store.partners.change(
        partner.partnerUuid,
        { name: 'New name' },
        entry('x', NOON + 5),
      )
      const expected = { ...partner, name: 'New name', updatedAt: NOON + 5 }
      assert.deepEqual(outcome, { outcome: 'changed', partner: expected })
      assert.deepEqual(await store.partners.get(partner.partnerUuid), expected)
    })

    test('an unchanged partner is not written, and nothing is recorded', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const outcome = await store.partners.change(
        partner.partnerUuid,
        { name: partner.name },
        entry('same', NOON + 5),
      )
      assert.deepEqual(outcome, { outcome: 'unchanged', partner })
      assert.deepEqual(await store.partners.get(partner.partnerUuid), partner)
      assert.deepEqual(await store.audit.list({ before: undefined, limit: 10, action: 'same' }), [])
    })

    test('a change with an unknown site changes nothing', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      await store.partners.change(partner.partnerUuid, { name: 'New name', sites: [newUuid()] }, entry())
      assert.deepEqual(await store.partners.get(partner.partnerUuid), partner)
    })

    test('the last enabled operator keeps its role and stays enabled', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store, { roles: ['Operator', 'Spaces.Read'] })
      const { partner: disabled } = await addPartner(store, { roles: ['Operator'], enabled: false })
      await addPartner(store, { roles: ['Spaces.Read'] })
      const change = (partnerUuid: string, changes: PartnerChanges) =>
        store.partners.change(partnerUuid, changes, entry())
      for (const changes of [{ enabled: false }, { roles: [] }, { roles: ['Spaces.Read' as const] }]) {
        assert.deepEqual(await change(partner.partnerUuid, changes), { outcome: 'last-operator' })
        assert.deepEqual(await store.partners.get(partner.partnerUuid), partner)
      }
      assert.equal((await change(partner.partnerUuid, { name: 'Renamed' })).outcome, 'changed')
      assert.equal((await change(disabled.partnerUuid, { enabled: true })).outcome, 'changed')
      assert.equal((await change(partner.partnerUuid, { enabled: false })).outcome, 'changed')
      assert.deepEqual(await change(disabled.partnerUuid, { roles: [] }), { outcome: 'last-operator' })
    })

    test('if all operators are disabled at the same time, one stays enabled', async (t) => {
      const store = await backend.open(t)
      const operators = await Promise.all(
        Array.from({ length: 6 }, () => addPartner(store, { roles: ['Operator'] })),
      )
      const outcomes = await Promise.all(
        operators.map(({ partner }, index) =>
          store.partners.change(
            partner.partnerUuid,
            index % 2 === 0 ? { enabled: false } : { roles: [] },
            entry(),
          ),
        ),
      )
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'changed').length, 5)
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'last-operator').length, 1)
    })

    test('disabling revokes the tokens issued up to that second; enabling does not restore them', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      await store.partners.change(partner.partnerUuid, { enabled: false }, entry('x', NOON + 1_500))
      await store.partners.change(partner.partnerUuid, { enabled: true }, entry('x', NOON + 9_000))
      const after = await store.partners.get(partner.partnerUuid)
      assert.equal(after?.enabled, true)
      assert.equal(after.tokensNotBefore, NOON / 1000 + 2)
    })

    test('the limit counts live secrets only, also when they are added concurrently', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const add = (days: number) =>
        store.partners.addSecret(
          partner.partnerUuid,
          createSecret(NOON, days).secret,
          { maxLive: 5 },
          entry(),
        )
      assert.equal(await add(0), 'added')
      const outcomes = await Promise.all([add(1), add(1), add(1), add(1), add(1), add(1)])
      assert.equal(outcomes.filter((outcome) => outcome === 'added').length, 4)
      assert.equal(outcomes.filter((outcome) => outcome === 'too-many').length, 2)
    })

    test('a secret is removed only by the partner it belongs to', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store)
      const other = await addPartner(store)
      const { partnerUuid } = other.partner
      assert.equal(await store.partners.removeSecret(partnerUuid, secret.secretId, entry()), 'unknown')
      assert.equal(
        await store.partners.removeSecret(partner.partnerUuid, secret.secretId, entry()),
        'removed',
      )
      assert.deepEqual(await store.partners.secrets(partner.partnerUuid), [])
    })

    test('the last use of a secret never goes back', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store)
      const { secretId } = secret
      await store.partners.recordUse([{ secretId, at: NOON + 10 }])
      await store.partners.recordUse([{ secretId, at: NOON + 5 }])
      assert.equal((await store.partners.secrets(partner.partnerUuid))[0]?.lastUsedAt, NOON + 10)
    })

    test('pages in order of id are the whole list', async (t) => {
      const store = await backend.open(t)
      const uuids: string[] = []
      for (let index = 0; index < 7; index += 1) uuids.push((await addPartner(store)).partner.partnerUuid)
      const seen: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await store.partners.list({ after, limit: 3 })
        if (page.length === 0) break
        seen.push(...page.map(({ partnerUuid }) => partnerUuid))
        after = seen.at(-1)
      }
      assert.deepEqual(seen, uuids.toSorted())
    })
  })
}
