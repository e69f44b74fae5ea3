import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  addCommandIn,
  apply,
  listAudit,
  DAY,
  due,
  getCommand,
  MINUTE,
  newDeviceRef,
  listUuids,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const EXPIRY = NOON + MINUTE
const DELIVERY = NOON + 1_000
const SILENCE = 10 * MINUTE

for (const backend of BACKENDS) {
  describe(`command deadlines on ${backend.name}`, () => {
    test('a command that the device has not acknowledged expires at its expiry, not before', async (t) => {
      const store = await backend.open(t)
      for (const state of ['PENDING', 'SENT'] as const) {
        const command = await addCommandIn(state, store, newDeviceRef(), { expiresAt: EXPIRY })
        assert.deepEqual(await store.commands.expireOverdue(EXPIRY - 1), [])
        const ended = { ...command, state: 'EXPIRED', updatedAt: EXPIRY, completedAt: EXPIRY }
        assert.deepEqual(await store.commands.expireOverdue(EXPIRY), [ended])
        assert.deepEqual(await getCommand(store, command), ended)
        assert.deepEqual(await listAudit(store, command), ['command.accepted', 'command.expired'])
        assert.deepEqual(await store.commands.expireOverdue(EXPIRY + DAY), [], 'nothing ends twice')
      }
    })

    test('an acknowledged command that is never confirmed fails after ten minutes, whenever it expires', async (t) => {
      const store = await backend.open(t)
      for (const expiresAt of [EXPIRY, NOON + DAY]) {
        const command = await addCommandIn('DELIVERED', store, newDeviceRef(), { expiresAt })
        assert.deepEqual(await store.commands.expireOverdue(DELIVERY + SILENCE - 1), [])
        const at = DELIVERY + SILENCE
        const [ended, ...others] = await store.commands.expireOverdue(at)
        assert.deepEqual(others, [])
        assert.equal(ended?.failureReason?.code, 'NO_CONFIRMATION')
        const { failureReason } = ended
        const expected = { ...command, state: 'FAILED', updatedAt: at, completedAt: at, failureReason }
        assert.deepEqual(ended, expected)
        assert.deepEqual(await getCommand(store, command), expected)
      }
    })

    test('a repeated acknowledgement does not extend the deadline', async (t) => {
      const store = await backend.open(t)
      const command = await addCommandIn('DELIVERED', store, newDeviceRef())
      await apply(store, command, 'device-delivered', DELIVERY + MINUTE)
      assert.equal((await store.commands.expireOverdue(DELIVERY + SILENCE)).length, 1)
    })

    test('commands that ended otherwise are unaffected', async (t) => {
      const store = await backend.open(t)
      for (const state of ['CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const) {
        const command = await addCommandIn(state, store, newDeviceRef(), { expiresAt: EXPIRY })
        assert.deepEqual(await store.commands.expireOverdue(NOON + 2 * DAY), [])
        assert.deepEqual(await getCommand(store, command), command)
      }
    })

    test('commands of all sites end, each reported by one of two concurrent callers', async (t) => {
      const store = await backend.open(t)
      const made = await Promise.all(
        Array.from({ length: 20 }, () => addCommand(store, newDeviceRef(), { expiresAt: EXPIRY })),
      )
      const later = await addCommand(store, newDeviceRef())
      const ended = await Promise.all([
        store.commands.expireOverdue(EXPIRY),
        store.commands.expireOverdue(EXPIRY),
      ])
      assert.deepEqual(
        ended
          .flat()
          .map(({ commandUuid }) => commandUuid)
          .toSorted(),
        made.map(({ commandUuid }) => commandUuid).toSorted(),
      )
      assert.deepEqual(listUuids(await due(store, NOON)), [later.commandUuid])
    })
  })
}
