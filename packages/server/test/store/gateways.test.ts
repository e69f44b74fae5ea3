import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import type { Gateway, StoredGateway } from '../../src/domain/estate/gateway/gateway.ts'
import { createGatewayService } from '../../src/domain/estate/gateway/service.ts'
import { mosquittoFiles } from '../../src/domain/estate/gateway/mosquitto-files.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { createClock } from '../support/clock.ts'
import { addSite, entry, NOON } from '../support/seed.ts'

const newGateway = (siteUuid: string, changes: Partial<StoredGateway> = {}): StoredGateway => ({
  siteUuid,
  gatewayUuid: newUuid(),
  name: 'Plant room',
  mqttUsername: newUuid(),
  createdAt: NOON,
  passwordHash: Uint8Array.of(0, 1, 255),
  mosquittoHash: null,
  ...changes,
})

const toGateway = (account: StoredGateway): Gateway => {
  const { passwordHash: _, mosquittoHash: __, ...gateway } = account
  return gateway
}

/** The hash as text: backends may return different types of bytes. */
const readable = (account: StoredGateway | undefined) =>
  account && { ...account, passwordHash: Buffer.from(account.passwordHash).toString('hex') }

for (const backend of BACKENDS) {
  describe(`gateways on ${backend.name}`, () => {
    test('an account is found by name, and listed with its site, oldest first, without its hash', async (t) => {
      const store = await backend.open(t)
      const [here, there] = [await addSite(store), await addSite(store)]
      const second = newGateway(here.siteUuid, { createdAt: NOON + 1, mosquittoHash: '$7$' })
      const first = newGateway(here.siteUuid)
      const other = newGateway(there.siteUuid)
      for (const one of [second, first, other])
        assert.equal(await store.gateways.add(one.siteUuid, one, entry('gateway.added')), 'added')
      assert.deepEqual(await store.gateways.list(here.siteUuid), [first, second].map(toGateway))
      assert.deepEqual(await store.gateways.list(newUuid()), [])
      for (const one of [first, second, other])
        assert.deepEqual(readable(await store.gateways.findAccount(one.mqttUsername)), readable(one))
      assert.equal(await store.gateways.findAccount('nobody'), undefined)
      assert.equal(await store.gateways.findAccount('\0'), undefined)
      const accounts = await store.gateways.accounts()
      const ofSite = (siteUuid: string) => accounts.filter((one) => one.siteUuid === siteUuid).map(readable)
      assert.equal(accounts.length, 3)
      assert.deepEqual(ofSite(here.siteUuid), [first, second].map(readable))
      assert.deepEqual(ofSite(there.siteUuid), [readable(other)])
    })

    test('a gateway of an unknown site, or with a duplicate id or name, is not added and leaves no entry', async (t) => {
      const store = await backend.open(t)
      const [here, there] = [await addSite(store), await addSite(store)]
      const known = newGateway(here.siteUuid)
      await store.gateways.add(here.siteUuid, known, entry())
      const before = await store.audit.list({ before: undefined, limit: 10 })
      const lost = newGateway(newUuid())
      assert.equal(await store.gateways.add(lost.siteUuid, lost, entry()), 'unknown-site')
      for (const taken of [
        newGateway(there.siteUuid, { gatewayUuid: known.gatewayUuid }),
        newGateway(here.siteUuid, { gatewayUuid: known.gatewayUuid }),
        newGateway(there.siteUuid, { mqttUsername: known.mqttUsername }),
      ])
        assert.equal(await store.gateways.add(taken.siteUuid, taken, entry()), 'uuid-taken')
      assert.deepEqual((await store.gateways.accounts()).map(readable), [readable(known)])
      assert.deepEqual(await store.audit.list({ before: undefined, limit: 10 }), before)
    })

    test('of concurrent adds with one id, one succeeds', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addSite(store)
      const gatewayUuid = newUuid()
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () =>
          store.gateways.add(siteUuid, newGateway(siteUuid, { gatewayUuid }), entry()),
        ),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'added').length, 1)
      assert.equal((await store.gateways.list(siteUuid)).length, 1)
    })

    test('a gateway is removed through its own site only, and with an entry', async (t) => {
      const store = await backend.open(t)
      const [here, there] = [await addSite(store), await addSite(store)]
      const { gatewayUuid, mqttUsername } = newGateway(here.siteUuid)
      await store.gateways.add(
        here.siteUuid,
        newGateway(here.siteUuid, { gatewayUuid, mqttUsername }),
        entry(),
      )
      const remove = (siteUuid: string) =>
        store.gateways.remove(siteUuid, gatewayUuid, entry('gateway.removed'))
      assert.equal(await remove(there.siteUuid), 'unknown')
      assert.ok(await store.gateways.findAccount(mqttUsername))
      assert.equal(await remove(here.siteUuid), 'removed')
      assert.equal(await remove(here.siteUuid), 'unknown')
      assert.equal(await store.gateways.findAccount(mqttUsername), undefined)
      const actions = (await store.audit.list({ before: undefined, limit: 10 })).map(({ action }) => action)
      assert.equal(actions.filter((action) => action === 'gateway.removed').length, 1)
    })
  })

  describe(`gateway accounts on ${backend.name}`, () => {
    test('the password opens its own account, until it is removed or recreated', async (t) => {
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

    test('an account from before the Mosquitto hash was stored is omitted from the files and named', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addSite(store)
      const gateways = createGatewayService({ store: store.gateways, clock: createClock() })
      await gateways.add(siteUuid, { name: 'New' }, COMMAND_LINE)
      const account = (await store.gateways.accounts())[0] ?? assert.fail()
      const old = { ...account, name: 'Old', mqttUsername: 'old', mosquittoHash: null }
      const { passwords, acl, missing } = mosquittoFiles([old, account], undefined)
      assert.match(passwords, /^gateway-[0-9a-f-]{36}:\$7\$101\$[\w+/]{16}\$[\w+/]{86}==\n$/)
      assert.doesNotMatch(passwords + acl, /^(old:|# Old|user old)/m)
      assert.deepEqual(missing, [old])
    })
  })
}
