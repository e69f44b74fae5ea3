import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_LINE } from '../../src/audit/audit.ts'
import { createGatewayService } from '../../src/gateway/service.ts'
import { mosquittoFiles } from '../../src/gateway/mosquitto-files.ts'
import { BACKENDS } from '../support/backends.ts'
import { createClock } from '../support/clock.ts'
import { addSite } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`gateway accounts on ${backend.name}`, () => {
    test('the right password opens its own account, until it is removed or made anew', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addSite(store)
      const gateways = createGatewayService({ store: store.gateways, clock: createClock() })
      const one = await gateways.add(siteUuid, { name: 'One' }, COMMAND_LINE)
      const two = await gateways.add(siteUuid, { name: 'Two' }, COMMAND_LINE)
      const found = (await gateways.authenticate(one.mqttUsername, one.mqttPassword)) ?? assert.fail()
      assert.equal(found.gatewayUuid, one.gatewayUuid)
      assert.equal(await gateways.authenticate(one.mqttUsername, two.mqttPassword), undefined)
      assert.equal(await gateways.authenticate('nobody', one.mqttPassword), undefined)
      assert.equal(await gateways.isCurrent(found), true)
      await gateways.remove(siteUuid, one.gatewayUuid, COMMAND_LINE)
      assert.equal(await gateways.isCurrent(found), false)
      await gateways.add(siteUuid, { name: 'One', gatewayUuid: one.gatewayUuid }, COMMAND_LINE)
      assert.equal(await gateways.isCurrent(found), false)
      assert.equal(await gateways.authenticate(one.mqttUsername, one.mqttPassword), undefined)
    })

    test('an account from before Mosquitto’s hash was kept is left out of the files by name', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addSite(store)
      const gateways = createGatewayService({ store: store.gateways, clock: createClock() })
      await gateways.add(siteUuid, { name: 'New' }, COMMAND_LINE)
      const account = (await store.gateways.accounts())[0] ?? assert.fail()
      const old = { ...account, name: 'Old', mqttUsername: 'old', mosquittoHash: null }
      const { passwords, acl, missing } = mosquittoFiles([old, account], undefined)
      assert.match(passwords, /^gateway-[0-9a-f-]{36}:\$7\$101\$[\w+/]{16}\$[\w+/]{86}==\n$/)
      assert.doesNotMatch(passwords + acl, /old/i)
      assert.deepEqual(missing, [old])
    })
  })
}
