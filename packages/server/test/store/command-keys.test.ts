import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IdempotencyKey } from '../../src/domain/control/command/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { addCommand, apply, DAY, due, newCommand, newDeviceRef, type DeviceRef } from '../support/commands.ts'
import { NOON } from '../support/seed.ts'
import type { Store } from '../../src/store/store.ts'

const newKey = (changes: Partial<IdempotencyKey> = {}): IdempotencyKey => ({
  partnerUuid: newUuid(),
  key: 'one',
  digest: Uint8Array.of(1, 2, 3),
  ...changes,
})

const addWith = (store: Store, unit: DeviceRef, key: IdempotencyKey, createdAt = NOON) =>
  store.commands.add(unit.siteUuid, newCommand(unit, { createdAt }, { key }))

const countCommands = async (store: Store, { siteUuid, deviceUuid }: DeviceRef): Promise<number> =>
  (await store.commands.list(siteUuid, deviceUuid, { before: undefined, limit: 100 })).length

for (const backend of BACKENDS) {
  describe(`idempotency keys on ${backend.name}`, () => {
    test('a repeated request returns the first result, and does nothing', async (t) => {
      const store = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      const first = await addCommand(store, unit, {}, { key })
      await apply(store, first, 'taken-by-broker')
      const newer = await addCommand(store, unit, { createdAt: NOON + 1 })
      const entries = await store.audit.list({ before: undefined, limit: 10 })
      const answer = { outcome: 'replayed', command: first }
      assert.deepEqual(await store.commands.replay(unit.siteUuid, key, NOON + 2), answer)
      assert.deepEqual(await addWith(store, unit, key, NOON + 2), answer)
      assert.equal(await countCommands(store, unit), 2)
      assert.deepEqual(await store.commands.unfinished(unit.siteUuid, unit.deviceUuid), [newer])
      assert.deepEqual(await store.audit.list({ before: undefined, limit: 10 }), entries)
      assert.equal((await due(store, NOON + 2)).length, 1)
    })

    test('so does one whose command was final immediately', async (t) => {
      const { commands } = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      const failureReason = { code: 'DEVICE_OFFLINE', message: 'The device is offline.' }
      const lost = newCommand(unit, { state: 'FAILED', failureReason }, { key })
      await commands.add(unit.siteUuid, lost)
      const replayed = await commands.replay(unit.siteUuid, key, NOON + 1)
      assert.deepEqual(replayed, { outcome: 'replayed', command: lost.command })
    })

    test('another request with the key is rejected, and does nothing', async (t) => {
      const store = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      await addCommand(store, unit, {}, { key })
      const other = { ...key, digest: Uint8Array.of(1, 2, 4) }
      assert.deepEqual(await store.commands.replay(unit.siteUuid, other, NOON), { outcome: 'key-reused' })
      assert.deepEqual(await addWith(store, unit, other), { outcome: 'key-reused' })
      assert.equal(await countCommands(store, unit), 1)
    })

    test('a key belongs to one partner and one site', async (t) => {
      const store = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      await addCommand(store, unit, {}, { key })
      const ofAnother = { ...key, partnerUuid: newUuid() }
      assert.equal(await store.commands.replay(unit.siteUuid, ofAnother, NOON), undefined)
      assert.deepEqual(await addWith(store, unit, ofAnother), { outcome: 'added' })
      const elsewhere = newDeviceRef()
      assert.equal(await store.commands.replay(elsewhere.siteUuid, key, NOON), undefined)
      assert.deepEqual(await addWith(store, elsewhere, key), { outcome: 'added' })
      const onAnotherDevice = newDeviceRef(unit.siteUuid)
      assert.equal((await addWith(store, onAnotherDevice, key)).outcome, 'replayed')
    })

    test('a key can be reused after a day', async (t) => {
      const store = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      await addCommand(store, unit, {}, { key })
      const other = { ...key, digest: Uint8Array.of(9) }
      assert.equal((await store.commands.replay(unit.siteUuid, key, NOON + DAY - 1))?.outcome, 'replayed')
      assert.equal((await addWith(store, unit, other, NOON + DAY - 1)).outcome, 'key-reused')
      assert.equal(await store.commands.replay(unit.siteUuid, key, NOON + DAY), undefined)
      assert.deepEqual(await addWith(store, unit, other, NOON + DAY), { outcome: 'added' })
      assert.equal((await store.commands.replay(unit.siteUuid, other, NOON + DAY))?.outcome, 'replayed')
    })

    test('concurrent requests with one key create one command, and all return it', async (t) => {
      const store = await backend.open(t)
      const [unit, key] = [newDeviceRef(), newKey()]
      const same = Array.from({ length: 12 }, () => addWith(store, unit, key))
      const different = addWith(store, unit, { ...key, digest: Uint8Array.of(9) })
      const outcomes = await Promise.all(same)
      assert.deepEqual(await different, { outcome: 'key-reused' })
      const [command] = await store.commands.unfinished(unit.siteUuid, unit.deviceUuid)
      const replayed = outcomes.filter(({ outcome }) => outcome !== 'added')
      assert.deepEqual(
        replayed,
        Array.from({ length: 11 }, () => ({ outcome: 'replayed', command })),
      )
      assert.equal(await countCommands(store, unit), 1)
      assert.equal((await due(store, NOON)).length, 1)
    })
  })
}
