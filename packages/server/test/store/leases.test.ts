import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { LeaseStore } from '../../src/domain/coordination/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { migratedDatabase } from '../support/postgres.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const UNTIL = NOW + 6_000

async function twoInstances(t: TestContext): Promise<[LeaseStore, LeaseStore]> {
  const database = await migratedDatabase(t)
  const open = (): LeaseStore => database.open().shared?.leases ?? assert.fail()
  return [open(), open()]
}

describe('leases of several instances', () => {
  const [one, other] = [newUuid(), newUuid()]

  test('of two competing instances one gets a lease, and keeps it by renewing it', async (t) => {
    const stores = await twoInstances(t)
    const held = await Promise.all([
      stores[0].acquire('a', one, NOW, UNTIL),
      stores[1].acquire('a', other, NOW, UNTIL),
    ])
    assert.notEqual(held[0], held[1])
    const holder = held[0] ? one : other
    assert.equal(await stores[1].acquire('a', holder, UNTIL, UNTIL + 6_000), true)
    assert.equal(await stores[0].acquire('a', newUuid(), UNTIL, UNTIL + 6_000), false)
  })

  test('an instance that stops renewing loses its lease, and is notified', async (t) => {
    const [leases] = await twoInstances(t)
    await leases.acquire('a', one, NOW, UNTIL)
    assert.equal(await leases.acquire('a', other, UNTIL, UNTIL + 6_000), true)
    assert.equal(await leases.acquire('a', one, UNTIL, UNTIL + 6_000), false)
    await leases.release('a', one)
    await leases.remove('a', one)
    assert.equal(
      await leases.acquire('a', one, UNTIL, UNTIL + 6_000),
      false,
      'no word of his counts any more',
    )
  })

  test('a lease that was released or expires implausibly far ahead is free; a removed one is gone', async (t) => {
    const [leases] = await twoInstances(t)
    for (const name of ['s-held', 's-released', 's-removed', 'other'])
      await leases.acquire(name, one, NOW, UNTIL)
    await leases.acquire('s-ahead', one, NOW, NOW + 86_400_000)
    await leases.release('s-released', one)
    await leases.remove('s-removed', one)
    assert.deepEqual((await leases.listFree('s-', NOW)).toSorted(), ['s-ahead', 's-released'])
    assert.deepEqual((await leases.listFree('s-', UNTIL)).toSorted(), ['s-ahead', 's-held', 's-released'])
    assert.equal(await leases.acquire('s-released', other, NOW, UNTIL), true)
    assert.equal(await leases.acquire('s-ahead', other, NOW, UNTIL), true)
  })
})
