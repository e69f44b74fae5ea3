import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { V1CallCount } from '../../src/domain/v1-lifecycle/usage-store.ts'
import { BACKENDS } from '../support/backends.ts'
import { DAY, HOUR } from '../support/commands.ts'
import { addPartner, NOON } from '../support/seed.ts'

const DETAILS = '/spaces/details/{spaceId}'
const LOGO = '/tenant/logo'

const tally = (partnerUuid: string, changes: Partial<V1CallCount> = {}): V1CallCount => ({
  partnerUuid,
  path: DETAILS,
  statusClass: 2,
  calls: 1,
  lastSeenAt: NOON,
  ...changes,
})

for (const backend of BACKENDS) {
  describe(`usage of version 1 on ${backend.name}`, () => {
    test('is summed over batches and responses; the newest call is the last seen, in any order', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store, { name: 'Example Energy' })
      const { partnerUuid } = partner
      await store.v1Usage.add([tally(partnerUuid, { calls: 3, lastSeenAt: NOON + 5 })])
      await store.v1Usage.add([
        tally(partnerUuid, { calls: 4 }),
        tally(partnerUuid, { statusClass: 4, calls: 2 }),
        tally(partnerUuid, { statusClass: 5, lastSeenAt: NOON + 1 }),
      ])
      assert.deepEqual(await store.v1Usage.listForPartner(partnerUuid), [
        {
          partnerUuid,
          partnerName: 'Example Energy',
          path: DETAILS,
          calls: 10,
          failed: 3,
          lastSeenAt: NOON + 5,
        },
      ])
    })

    test('is summed by hour and by day, over batches, for all partners and for one', async (t) => {
      const store = await backend.open(t)
      const one = (await addPartner(store)).partner.partnerUuid
      const other = (await addPartner(store)).partner.partnerUuid
      await Promise.all([
        store.v1Usage.add([tally(one, { calls: 3 }), tally(one, { path: LOGO, statusClass: 4 })]),
        store.v1Usage.add([tally(other, { calls: 5, lastSeenAt: NOON + 1 })]),
      ])
      await store.v1Usage.add([
        tally(one, { calls: 7, lastSeenAt: NOON + HOUR }),
        tally(one, { statusClass: 5, lastSeenAt: NOON - DAY }),
      ])
      const list = (from: number, periodMs: number, partnerUuid?: string) =>
        store.v1Usage.listPeriods({ from, periodMs, partnerUuid })
      const midnight = NOON - (NOON % DAY)
      assert.deepEqual(await list(NOON - DAY, DAY), [
        { at: midnight - DAY, calls: 1, failed: 1, partners: 1 },
        { at: midnight, calls: 16, failed: 1, partners: 2 },
      ])
      assert.deepEqual(await list(NOON, HOUR), [
        { at: NOON, calls: 9, failed: 1, partners: 2 },
        { at: NOON + HOUR, calls: 7, failed: 0, partners: 1 },
      ])
      assert.deepEqual(await list(NOON, HOUR, other), [{ at: NOON, calls: 5, failed: 0, partners: 1 }])

      await store.v1Usage.removeHoursBefore(NOON)
      assert.deepEqual(
        (await list(0, DAY)).map(({ at }) => at),
        [midnight],
      )
      const [use] = await store.v1Usage.listForPartner(one)
      assert.equal(use?.calls, 11)
    })

    test('a partner sees only its own calls, the list has all of them in pages', async (t) => {
      const store = await backend.open(t)
      const one = (await addPartner(store)).partner.partnerUuid
      const other = (await addPartner(store)).partner.partnerUuid
      await store.v1Usage.add([tally(one), tally(other), tally(other, { path: LOGO, calls: 7 })])
      const own = await store.v1Usage.listForPartner(other)
      assert.deepEqual(
        own.map(({ path, calls }) => [path, calls]),
        [
          [DETAILS, 1],
          [LOGO, 7],
        ],
      )
      const all = await store.v1Usage.list({ after: undefined, limit: 10 })
      assert.deepEqual(
        all.map(({ partnerUuid, path }) => `${partnerUuid} ${path}`),
        [`${one} ${DETAILS}`, `${other} ${DETAILS}`, `${other} ${LOGO}`].toSorted(),
      )
      const first = await store.v1Usage.list({ after: undefined, limit: 2 })
      const rest = await store.v1Usage.list({ after: first.at(-1), limit: 2 })
      assert.deepEqual([...first, ...rest], all)
    })
  })
}
