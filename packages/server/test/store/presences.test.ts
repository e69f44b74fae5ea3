import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { NOON } from '../support/seed.ts'

for (const backend of BACKENDS) {
  describe(`presences on ${backend.name}`, () => {
    test('the newest presence of each sender is stored, by site', async (t) => {
      const { presences } = await backend.open(t)
      const [site, other, unit] = [newUuid(), newUuid(), newUuid()]
      await presences.set(site, unit, { isOnline: true, at: NOON }, false)
      await presences.set(site, unit, { isOnline: false, at: NOON + 1 }, false)
      await presences.set(other, unit, { isOnline: true, at: NOON }, false)
      assert.deepEqual(await presences.list(site), new Map([[unit, { isOnline: false, at: NOON + 1 }]]))
      assert.deepEqual(await presences.list(newUuid()), new Map())
    })

    test('only the requested senders are returned, and only on their site', async (t) => {
      const { presences } = await backend.open(t)
      const [site, other, one, two] = [newUuid(), newUuid(), newUuid(), newUuid()]
      await presences.set(site, one, { isOnline: true, at: NOON }, false)
      await presences.set(site, two, { isOnline: false, at: NOON }, false)
      assert.deepEqual(
        await presences.list(site, [two, newUuid()]),
        new Map([[two, { isOnline: false, at: NOON }]]),
      )
      assert.deepEqual(await presences.list(site, []), new Map())
      assert.deepEqual(await presences.list(other, [one]), new Map())
    })

    test('a redelivered presence counts only if it differs', async (t) => {
      const { presences } = await backend.open(t)
      const [site, unit] = [newUuid(), newUuid()]
      await presences.set(site, unit, { isOnline: true, at: 1 }, true)
      await presences.set(site, unit, { isOnline: true, at: 2 }, true)
      assert.deepEqual(await presences.list(site), new Map([[unit, { isOnline: true, at: 1 }]]))
      await presences.set(site, unit, { isOnline: false, at: 3 }, true)
      assert.deepEqual(await presences.list(site), new Map([[unit, { isOnline: false, at: 3 }]]))
    })

    test('a new presence with the same value has its own time', async (t) => {
      const { presences } = await backend.open(t)
      const [site, unit] = [newUuid(), newUuid()]
      await presences.set(site, unit, { isOnline: false, at: NOON }, false)
      await presences.set(site, unit, { isOnline: false, at: NOON + 1 }, false)
      assert.deepEqual(await presences.list(site), new Map([[unit, { isOnline: false, at: NOON + 1 }]]))
    })

    test('of concurrent presences one is stored as a whole', async (t) => {
      const { presences } = await backend.open(t)
      const [site, unit] = [newUuid(), newUuid()]
      const reported = Array.from({ length: 10 }, (_, index) => ({
        isOnline: index % 2 === 0,
        at: NOON + index,
      }))
      await Promise.all(reported.map((one) => presences.set(site, unit, one, false)))
      const stored = (await presences.list(site)).get(unit) ?? assert.fail()
      assert.deepEqual(stored, reported[stored.at - NOON])
    })

    test('online presences are deleted on every site, offline ones are not', async (t) => {
      const { presences } = await backend.open(t)
      const [site, other, one, two] = [newUuid(), newUuid(), newUuid(), newUuid()]
      await presences.set(site, one, { isOnline: true, at: NOON }, false)
      await presences.set(site, two, { isOnline: false, at: NOON }, false)
      await presences.set(other, one, { isOnline: true, at: NOON }, false)
      await presences.forgetOnline()
      assert.deepEqual(await presences.list(site), new Map([[two, { isOnline: false, at: NOON }]]))
      assert.deepEqual(await presences.list(other), new Map())
      await presences.set(site, one, { isOnline: true, at: NOON + 1 }, true)
      assert.equal((await presences.list(site)).get(one)?.at, NOON + 1, 'a repeated word is news again')
    })
  })
}
