import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuditPage } from '../../src/domain/identity/audit.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { addPartner, addSite, entry, NOON } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`audit on ${backend.name}`, () => {
    test('a change and its entry are stored together, newest first', async (t) => {
      const store = await backend.open(t)
      await addSite(store)
      await addPartner(store)
      const entries = await store.audit.list({ before: undefined, limit: 10 })
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['partner.added', 'site.added'],
      )
      const { id: _, ...recorded } = entries[0] ?? assert.fail()
      assert.deepEqual(recorded, entry('partner.added', NOON))
    })

    test('a rejected change leaves no entry', async (t) => {
      const store = await backend.open(t)
      await store.partners.change(newUuid(), { name: 'x' }, entry())
      await store.partners.removeSecret(newUuid(), newUuid(), entry())
      assert.deepEqual(await store.audit.list({ before: undefined, limit: 10 }), [])
    })

    test('an event that changes nothing else can be recorded', async (t) => {
      const store = await backend.open(t)
      await store.audit.add(entry('readings.imported'))
      const [{ id: _, ...recorded } = assert.fail()] = await store.audit.list({
        before: undefined,
        limit: 10,
      })
      assert.deepEqual(recorded, entry('readings.imported'))
    })

    test('entries are found by action, actor, text and time', async (t) => {
      const { audit } = await backend.open(t)
      const actor = { kind: 'partner', id: newUuid(), name: 'Platform team', traceId: null } as const
      await audit.add({ ...entry('partner.added', NOON), target: 'One', detail: { name: 'Näme 50%_' } })
      await audit.add({ ...entry('secret.added', NOON + 1), target: 'Two' })
      await audit.add({ ...entry('partner.added', NOON + 2), actor, target: 'Three' })
      const find = async (filter: Omit<AuditPage, 'before' | 'limit'>): Promise<string[]> =>
        (await audit.list({ before: undefined, limit: 10, ...filter })).map(({ target }) => target)
      assert.deepEqual(await find({}), ['Three', 'Two', 'One'])
      assert.deepEqual(await find({ action: 'partner.added' }), ['Three', 'One'])
      assert.deepEqual(await find({ actor: actor.id }), ['Three'])
      assert.deepEqual(await find({ actor: 'Platform team' }), ['Three'])
      assert.deepEqual(await find({ actor: 'Platform' }), [])
      assert.deepEqual(await find({ search: 'NäME 50%_' }), ['One'])
      assert.deepEqual(await find({ search: 'secret.' }), ['Two'])
      assert.deepEqual(await find({ search: 'PLATFORM' }), ['Three'])
      assert.deepEqual(await find({ search: 'two' }), ['Two'])
      assert.deepEqual(await find({ search: '%' }), ['One'])
      assert.deepEqual(await find({ from: NOON + 1 }), ['Three', 'Two'])
      assert.deepEqual(await find({ from: NOON + 1, action: 'partner.added', search: 'three' }), ['Three'])
      assert.deepEqual(await find({ action: "' OR 1=1 --" }), [])
    })

    test('pages are the whole list', async (t) => {
      const store = await backend.open(t)
      for (let index = 0; index < 5; index += 1) await addSite(store)
      const first = await store.audit.list({ before: undefined, limit: 3 })
      const second = await store.audit.list({ before: first.at(-1)?.id, limit: 3 })
      assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 5)
    })
  })
}
