import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BACKENDS } from '../support/backends.ts'
import { addPartner, addSite } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`installation on ${backend.name}`, () => {
    test('migrating a second time changes nothing', async (t) => {
      const store = await backend.open(t)
      const key = await store.installationKey()
      assert.deepEqual(await store.migrate(), [])
      assert.deepEqual(await store.pendingMigrations(), [])
      assert.deepEqual(await store.installationKey(), key)
    })

    test('two installations have different keys', async (t) => {
      const [one, other] = [await backend.open(t), await backend.open(t)]
      assert.notDeepEqual(await one.installationKey(), await other.installationKey())
    })

    test('an empty store becomes a demo store and stays one; a store in use does not', async (t) => {
      const empty = await backend.open(t)
      assert.equal(await empty.isDemo(), false)
      assert.equal(await empty.markAsDemo(), true)
      await addSite(empty)
      assert.equal(await empty.markAsDemo(), true)
      const used = await backend.open(t)
      await addPartner(used)
      assert.equal(await used.markAsDemo(), false)
      assert.equal(await used.isDemo(), false)
    })

    test('the addresses of the server that started last are stored', async (t) => {
      const store = await backend.open(t)
      assert.equal(await store.serverAddresses(), undefined)
      for (const tenant of ['auth', 'other']) {
        const addresses = { publicUrl: 'https://api.example.com', tenant, mqttUrl: 'mqtt://127.0.0.1:1883' }
        await store.recordServer(addresses)
        assert.deepEqual(await store.serverAddresses(), addresses)
      }
    })

    test('an intact store has no problems', async (t) => {
      assert.deepEqual(await (await backend.open(t)).checkIntegrity(), [])
    })
  })
}
