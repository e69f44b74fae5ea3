import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { addSite } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`sites on ${backend.name}`, () => {
    test('only the requested sites are listed, by name', async (t) => {
      const store = await backend.open(t)
      const b = await addSite(store, 'B')
      const a = await addSite(store, 'A')
      await addSite(store, 'C')
      assert.deepEqual(await store.sites.list([b.siteUuid, a.siteUuid, newUuid()]), [a, b])
    })

    test('pages of all sites are the whole list, by name', async (t) => {
      const store = await backend.open(t)
      const [c, a, b] = [await addSite(store, 'C'), await addSite(store, 'A'), await addSite(store, 'B')]
      assert.deepEqual(await store.sites.listAll({ after: undefined, limit: 2 }), [a, b])
      assert.deepEqual(await store.sites.listAll({ after: b, limit: 2 }), [c])
    })
  })
}
