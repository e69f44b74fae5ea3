import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import type { Command } from '../../src/domain/control/command/command.ts'
import type { OutboxMessage } from '../../src/domain/control/command/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { createSecret } from '../../src/domain/identity/partner/secret.ts'
import type { Store } from '../../src/store/store.ts'
import { createSigningKey } from '../../src/domain/identity/token/keys.ts'
import { addCommand, due, newCommand, newDeviceRef, listUuids } from '../support/commands.ts'
import { makeSmallSite, REGISTER } from '../support/small-site.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { addPartner, entry, newInventory, NOON } from '../support/seed.ts'

const LEASE_END = NOON + 30_000

/** Stores on one database, each with its own connections, as several servers have them. */
async function instances(t: TestContext, count: number): Promise<[Store, ...Store[]]> {
  const database = await migratedDatabase(t)
  return [database.open(), ...Array.from({ length: count - 1 }, () => database.open())]
}

const flat = (): InventoryDocument =>
  makeSmallSite('Europe/London', 2, [{ space: 0, metrics: { electricity: REGISTER } }])

const apply = (store: Store, document: InventoryDocument) =>
  store.inventory.apply(document.site.siteUuid, document, entry())

describe('several instances on one database', () => {
  test('four dispatchers claim each of 800 messages once', async (t) => {
    const stores = await instances(t, 4)
    const sites = Array.from({ length: 8 }, newUuid)
    const made: Command[] = []
    // A few at a time: a write that waits too long for a connection is rejected, and the machine may be busy.
    while (made.length < 800)
      made.push(...(await Promise.all(sites.map((site) => addCommand(stores[0], newDeviceRef(site))))))
    const claimed: OutboxMessage[] = []
    const claimAll = async (store: Store): Promise<void> => {
      for (;;) {
        const some = await store.outbox.claim(NOON, LEASE_END, 30)
        if (some.length === 0) return
        claimed.push(...some)
      }
    }
    await Promise.all(stores.map(claimAll))
    await claimAll(stores[0])
    assert.deepEqual(listUuids(claimed).toSorted(), made.map(({ commandUuid }) => commandUuid).toSorted())
  })

  test('of concurrent commands for one device through all of them, one remains', async (t) => {
    const stores = await instances(t, 4)
    const unit = newDeviceRef()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => addCommand(stores[index % 4] ?? stores[0], unit)),
    )
    const unfinished = await stores[0].commands.unfinished(unit.siteUuid, unit.deviceUuid)
    assert.equal(unfinished.length, 1)
    assert.deepEqual(
      listUuids(await due(stores[1] ?? stores[0], NOON)),
      unfinished.map(({ commandUuid }) => commandUuid),
    )
  })

  test('one key for two devices creates one command', async (t) => {
    const stores = await instances(t, 4)
    const key = { partnerUuid: newUuid(), key: 'one', digest: Uint8Array.of(1) }
    const siteUuid = newUuid()
    const outcomes = await Promise.all(
      stores.map((store) => store.commands.add(siteUuid, newCommand(newDeviceRef(siteUuid), {}, { key }))),
    )
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), [
      'added',
      'replayed',
      'replayed',
      'replayed',
    ])
    assert.equal((await due(stores[0], NOON)).length, 1)
  })

  test('a new site applied by all of them is created once', async (t) => {
    const stores = await instances(t, 4)
    const document = flat()
    const outcomes = await Promise.all(stores.map((store) => apply(store, document)))
    const created = outcomes.map((one) => (one.outcome === 'applied' ? one.changes.created : -1))
    assert.deepEqual(
      created.toSorted((a, b) => a - b),
      [0, 0, 0, 5],
    )
    assert.equal(await stores[0].inventory.version(document.site.siteUuid), 1)
  })

  test('a site created by another instance between two lookups is not reported as created', async (t) => {
    const database = await migratedDatabase(t)
    const store = database.open()
    const sql = database.connect()
    const document = newInventory()
    await apply(store, document)
    // Simulates that the other instance commits between this one's lookups of the site and of its identifiers.
    const rows = await sql`DELETE FROM sites RETURNING *`
    const applied = await sql.begin(async (other) => {
      await other`LOCK TABLE identifiers`
      const applying = apply(store, document)
      while ((await sql`SELECT 1 FROM pg_locks WHERE NOT granted`).length === 0) await delay(10)
      await other`INSERT INTO sites ${other(rows)}`
      return { applying }
    })
    const outcome = await applied.applying
    assert.equal(outcome.outcome === 'applied' && outcome.changes.created, 0)
    assert.equal(await store.inventory.version(document.site.siteUuid), 1)
  })

  test('concurrent documents of one site are serialised: what is stored is one of them, as a whole', async (t) => {
    const stores = await instances(t, 4)
    const first = flat()
    await apply(stores[0], first)
    const names = ['a', 'b', 'c', 'd']
    const renamed = (name: string): InventoryDocument => ({
      ...first,
      site: { ...first.site, siteName: name },
      spaces: first.spaces.map((space) => ({ ...space, spaceName: name })),
    })
    await Promise.all(stores.map((store, index) => apply(store, renamed(names[index] ?? ''))))
    const stored = await stores[0].inventory.load(first.site.siteUuid)
    assert.equal(stored?.version, 5)
    const written = new Set([stored.site.siteName, ...stored.spaces.map(({ record }) => record.spaceName)])
    assert.equal(written.size, 1)
  })

  test('sites created concurrently get distinct version 1 numbers', async (t) => {
    const stores = await instances(t, 4)
    const documents = Array.from({ length: 12 }, flat)
    await Promise.all(documents.map((document, index) => apply(stores[index % 4] ?? stores[0], document)))
    const loaded = await Promise.all(documents.map(({ site }) => stores[0].inventory.load(site.siteUuid)))
    assert.equal(new Set(loaded.map((stored) => stored?.site.legacyId)).size, 12)
    const spaces = loaded.flatMap((stored) => stored?.spaces.map(({ record }) => record.legacyId))
    assert.equal(new Set(spaces).size, 24)
    const series = loaded.flatMap((stored) => stored?.devices.map((device) => device.series.electricity))
    assert.equal(new Set(series).size, 12)
  })

  test('of two sites that claim the same device concurrently, one gets it', async (t) => {
    const stores = await instances(t, 2)
    const [one, other] = [flat(), flat()]
    const [device] = one.devices
    assert.ok(device)
    other.devices = [{ ...device, spaceUuid: other.spaces[0]?.spaceUuid ?? '' }]
    const outcomes = await Promise.all([apply(stores[0], one), apply(stores[1] ?? stores[0], other)])
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ['applied', 'conflict'])
    const owner = outcomes[0].outcome === 'applied' ? one : other
    assert.equal(await stores[0].inventory.findSiteOfDevice(device.deviceUuid), owner.site.siteUuid)
  })

  test('the first key, the limit of secrets, and the demo are decided once', async (t) => {
    const stores = await instances(t, 4)
    assert.deepEqual(await Promise.all(stores.map((store) => store.markAsDemo())), [true, true, true, true])
    const keys = await Promise.all(stores.map(() => createSigningKey('ES256', NOON)))
    await Promise.all(stores.map((store, index) => store.keys.addFirst(keys[index] ?? assert.fail())))
    assert.equal((await stores[0].keys.list()).length, 1)
    const { partner } = await addPartner(stores[0])
    const added = await Promise.all(
      stores.map((store) =>
        store.partners.addSecret(partner.partnerUuid, createSecret(NOON, 30).secret, { maxLive: 2 }, entry()),
      ),
    )
    assert.deepEqual(added.toSorted(), ['added', 'too-many', 'too-many', 'too-many'])
  })
})
