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

    test('a search finds a part of the name in any case, or the whole UUID, in pages', async (t) => {
      const store = await backend.open(t)
      const tower = await addSite(store, 'East Tower')
      const yard = await addSite(store, 'Brick Yard')
      const court = await addSite(store, 'North Tower_1')
      const search = async (text: string) =>
        await store.sites.listAll({ after: undefined, limit: 10, search: text })
      assert.deepEqual(await search('TOWER'), [tower, court])
      assert.deepEqual(await search(yard.siteUuid.toUpperCase()), [yard])
      assert.deepEqual(await search(yard.siteUuid.slice(0, 8)), [])
      // Characters that have a meaning in patterns are searched for as they are.
      assert.deepEqual(await search('r_1'), [court])
      assert.deepEqual(await search('t_t'), [])
      assert.deepEqual(await store.sites.listAll({ after: tower, limit: 10, search: 'tower' }), [court])
    })
  })
}
