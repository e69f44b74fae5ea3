import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSiteDirectory } from '../../../../../src/domain/estate/inventory/site-directory.ts'
import { newInventory } from '../../../../support/seed.ts'

/** A store of one empty site that counts how often it is loaded. */
function countingStore() {
  const { site } = newInventory()
  const store = {
    siteUuid: site.siteUuid,
    current: 1,
    loads: 0,
    isAway: false,
    version: async () => store.current,
    async load() {
      store.loads += 1
      await Promise.resolve()
      if (store.isAway) throw new Error('away')
      return { version: store.current, site, buildings: [], spaces: [], devices: [] }
    },
  }
  return store
}

test('concurrent callers share one load, and the site is loaded again only after a change', async () => {
  const store = countingStore()
  const directory = createSiteDirectory(store)
  const ask = () => Promise.all(Array.from({ length: 100 }, async () => directory.find(store.siteUuid)))
  assert.equal(new Set(await ask()).size, 1)
  await ask()
  assert.equal(store.loads, 1)
  store.current = 2
  assert.deepEqual(new Set((await ask()).map((model) => model?.version)), new Set([2]))
  assert.equal(store.loads, 2)
})

test('a failed load is not cached', async () => {
  const store = countingStore()
  const directory = createSiteDirectory(store)
  store.isAway = true
  await assert.rejects(async () => directory.find(store.siteUuid), /away/)
  store.isAway = false
  assert.equal((await directory.find(store.siteUuid))?.version, 1)
})

test('a site that is inspected is not cached; one that is cached is not loaded', async () => {
  const store = countingStore()
  const directory = createSiteDirectory(store)
  await directory.inspect(store.siteUuid)
  await directory.inspect(store.siteUuid)
  assert.equal(store.loads, 2)
  const found = await directory.find(store.siteUuid)
  assert.equal(await directory.inspect(store.siteUuid), found)
  assert.equal(store.loads, 3)
})
