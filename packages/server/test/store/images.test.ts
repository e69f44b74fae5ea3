import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Image } from '../../src/domain/estate/image/image.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { entry, newInventory } from '../support/seed.ts'

const image = (...bytes: number[]): Image => ({ type: 'image/png', bytes: Uint8Array.from(bytes) })

for (const backend of BACKENDS) {
  describe(`images on ${backend.name}`, () => {
    test('the last image set is returned, byte for byte', async (t) => {
      const { images } = await backend.open(t)
      assert.equal(await images.logo(), undefined)
      await images.setLogo(image(1, 2), entry())
      await images.setLogo(image(0, 255), entry())
      assert.deepEqual(await images.logo(), image(0, 255))
    })

    test('an image belongs to a building of its own site; an unknown building has none', async (t) => {
      const { images, inventory, audit } = await backend.open(t)
      const document = newInventory()
      const { siteUuid } = document.site
      const buildingUuid = newUuid()
      document.buildings.push({ buildingUuid, buildingName: 'House', legacyId: null })
      await inventory.apply(siteUuid, document, entry())
      assert.equal(await images.setOfBuilding(buildingUuid, image(7), entry('set')), true)
      assert.equal(await images.setOfBuilding(newUuid(), image(7), entry('not set')), false)
      assert.deepEqual(await images.ofBuilding(siteUuid, buildingUuid), image(7))
      assert.equal(await images.ofBuilding(newUuid(), buildingUuid), undefined)
      assert.equal((await audit.list({ before: undefined, limit: 1 }))[0]?.action, 'set')
    })
  })
}
