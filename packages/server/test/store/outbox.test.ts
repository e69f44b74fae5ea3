import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Command } from '../../src/domain/control/command/command.ts'
import { type OutboxMessage, RESPONSE_TIME_MS } from '../../src/domain/control/command/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  addCommandIn,
  apply,
  attempt,
  makeAttempt,
  DAY,
  due,
  getCommand,
  HOUR,
  MINUTE,
  newDeviceRef,
  listUuids,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const LEASE_END = NOON + 30_000

for (const backend of BACKENDS) {
  describe(`outbox on ${backend.name}`, () => {
    test('a claimed message is not claimed again until its lease expires', async (t) => {
      const store = await backend.open(t)
      const { commandUuid } = await addCommand(store, newDeviceRef())
      assert.deepEqual(listUuids(await store.outbox.claim(NOON, LEASE_END, 10)), [commandUuid])
      assert.deepEqual(await store.outbox.claim(LEASE_END - 1, LEASE_END + 1, 10), [])
      const again = await store.outbox.claim(LEASE_END, LEASE_END + MINUTE, 10)
      assert.deepEqual(
        again.map(({ messageUuid, tries, failures }) => ({ messageUuid, tries, failures })),
        [{ messageUuid: commandUuid, tries: 0, failures: 0 }],
      )
    })

    test('of concurrent claims no two get the same message, and none is left', async (t) => {
      const store = await backend.open(t)
      const made = await Promise.all(Array.from({ length: 100 }, () => addCommand(store, newDeviceRef())))
      const claimed: OutboxMessage[] = []
      const claimAll = async (): Promise<void> => {
        for (;;) {
          const some = await store.outbox.claim(NOON, LEASE_END, 7)
          if (some.length === 0) return
          claimed.push(...some)
          assert.ok(claimed.length <= made.length, 'some were claimed twice')
        }
      }
      await Promise.all(Array.from({ length: 6 }, claimAll))
      await claimAll()
      assert.deepEqual(listUuids(claimed).toSorted(), made.map(({ commandUuid }) => commandUuid).toSorted())
    })

    test('messages are claimed by due time, then by age', async (t) => {
      const store = await backend.open(t)
      const [second, first, fifth, fourth, third] = [
        await addCommand(store, newDeviceRef(), { createdAt: NOON + 2 }),
        await addCommand(store, newDeviceRef(), { createdAt: NOON + 1 }),
        await addCommand(store, newDeviceRef(), { createdAt: NOON }),
        await addCommand(store, newDeviceRef(), { createdAt: NOON + 4 }),
        await addCommand(store, newDeviceRef(), { createdAt: NOON + 3 }),
      ]
      await store.outbox.claim(NOON + 4, LEASE_END, 10)
      const waits = [
        makeAttempt(first, 'waits', { dueAt: NOON + 10 }),
        makeAttempt(second, 'waits', { dueAt: NOON + 11 }),
        makeAttempt(third, 'waits', { dueAt: NOON + 12 }),
        makeAttempt(fourth, 'waits', { dueAt: NOON + 12 }),
        makeAttempt(fifth, 'waits', { dueAt: NOON + 13 }),
      ]
      await store.outbox.recordAttempts(waits.toReversed(), NOON + 4)
      const claimed: string[] = []
      for (const limit of [2, 2, 2])
        claimed.push(...listUuids(await store.outbox.claim(NOON + MINUTE, NOON + 2 * MINUTE, limit)))
      assert.deepEqual(
        claimed,
        [first, second, third, fourth, fifth].map(({ commandUuid }) => commandUuid),
      )
    })

    test('a sent command is SENT, its attempts are counted, and it is due again as scheduled', async (t) => {
      const store = await backend.open(t)
      const command = await addCommand(store, newDeviceRef())
      for (const tries of [1, 2]) {
        const at = NOON + tries * MINUTE
        await store.outbox.claim(at, at + 30_000, 10)
        await store.outbox.recordAttempts([makeAttempt(command, 'sent', { dueAt: at + MINUTE })], at + 5)
        assert.deepEqual(await store.outbox.claim(at + MINUTE - 1, at + MINUTE - 1, 10), [])
        const [message] = await store.outbox.claim(at + MINUTE, at + MINUTE, 10)
        assert.deepEqual([message?.tries, message?.failures], [tries, 0])
      }
      const sent = { ...command, state: 'SENT', updatedAt: NOON + MINUTE + 5 }
      assert.deepEqual(await getCommand(store, command), sent, 'the second time changes nothing')
    })

    test('a command that the broker rejected, or that waits, stays PENDING; only rejections are counted', async (t) => {
      const store = await backend.open(t)
      const [refused, waiting] = [
        await addCommand(store, newDeviceRef()),
        await addCommand(store, newDeviceRef()),
      ]
      await store.outbox.claim(NOON, LEASE_END, 10)
      const attempts = [
        makeAttempt(refused, 'refused'),
        makeAttempt(waiting, 'waits', { dueAt: NOON + HOUR / 6 }),
      ]
      await store.outbox.recordAttempts(attempts, NOON)
      assert.deepEqual(listUuids(await due(store, NOON + MINUTE)), [refused.commandUuid])
      const messages = await due(store, NOON + HOUR / 6)
      const countMessages = ({ commandUuid }: Command) => {
        const message = messages.find(({ messageUuid }) => messageUuid === commandUuid) ?? assert.fail()
        return { tries: message.tries, failures: message.failures }
      }
      assert.deepEqual(countMessages(refused), { tries: 0, failures: 1 })
      assert.deepEqual(countMessages(waiting), { tries: 0, failures: 0 })
      for (const command of [refused, waiting]) assert.deepEqual(await getCommand(store, command), command)
    })

    test('a finished message is not claimed again', async (t) => {
      const store = await backend.open(t)
      const command = await addCommand(store, newDeviceRef())
      await store.outbox.recordAttempts([makeAttempt(command, 'waits', { dueAt: NOON, isDone: true })], NOON)
      await store.outbox.recordAttempts([makeAttempt(command, 'waits', { dueAt: NOON })], NOON)
      await store.outbox.retryNow(command.siteUuid, 'all', NOON + 1)
      assert.deepEqual(await due(store, NOON + 2 * MINUTE), [])
    })

    test('an attempt recorded after the response of the device, or after the end, changes nothing', async (t) => {
      const store = await backend.open(t)
      for (const state of ['DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED'] as const) {
        const command = await addCommand(store, newDeviceRef())
        await store.outbox.claim(NOON, LEASE_END, 10)
        const event = {
          DELIVERED: 'device-delivered',
          CONFIRMED: 'device-confirmed',
          FAILED: 'device-rejected',
          EXPIRED: 'expired',
        } as const
        const answered = await apply(store, command, event[state], NOON + 1)
        await store.outbox.recordAttempts([makeAttempt(command, 'sent', { dueAt: NOON + 2 })], NOON + 2)
        assert.deepEqual(await getCommand(store, command), answered?.command)
        assert.deepEqual(await due(store, NOON + 2), [])
      }
    })

    test('waking devices makes their waiting messages due immediately, and no others', async (t) => {
      const store = await backend.open(t)
      const site = newUuid()
      const [one, two, three, elsewhere] = [
        newDeviceRef(site),
        newDeviceRef(site),
        newDeviceRef(site),
        newDeviceRef(),
      ]
      const made = await Promise.all([one, two, three, elsewhere].map((unit) => addCommand(store, unit)))
      await store.outbox.claim(NOON, NOON, 10)
      const waits = made.map((command) => makeAttempt(command, 'waits', { dueAt: NOON + MINUTE }))
      await store.outbox.recordAttempts(waits, NOON)
      const listDue = async (now: number): Promise<string[]> =>
        (await due(store, now)).map(({ deviceUuid }) => deviceUuid).toSorted()
      await store.outbox.retryNow(site, [], NOON + 1)
      await store.outbox.retryNow(newUuid(), [one.deviceUuid], NOON + 1)
      assert.deepEqual(await listDue(NOON + 1), [])
      await store.outbox.retryNow(site, [one.deviceUuid, two.deviceUuid], NOON + 1)
      assert.deepEqual(await listDue(NOON + 1), [one.deviceUuid, two.deviceUuid].toSorted())
      await store.outbox.retryNow(site, 'all', NOON + 2)
      assert.deepEqual(
        await listDue(NOON + 2),
        [one, two, three].map(({ deviceUuid }) => deviceUuid).toSorted(),
      )
    })

    test('waking repeats a sent message only after the device had time to respond', async (t) => {
      const store = await backend.open(t)
      const command = await addCommand(store, newDeviceRef())
      const sentAt = NOON + 10
      await store.outbox.claim(NOON, LEASE_END, 10)
      await store.outbox.recordAttempts([makeAttempt(command, 'sent', { dueAt: NOON + MINUTE })], sentAt)
      await store.outbox.retryNow(command.siteUuid, 'all', sentAt + 1)
      assert.deepEqual(await due(store, sentAt + RESPONSE_TIME_MS - 1), [])
      assert.deepEqual(listUuids(await due(store, sentAt + RESPONSE_TIME_MS)), [command.commandUuid])

      const waits = makeAttempt(command, 'waits', { dueAt: NOON + 2 * MINUTE })
      await store.outbox.recordAttempts([waits], sentAt + RESPONSE_TIME_MS)
      await store.outbox.retryNow(command.siteUuid, 'all', NOON + MINUTE)
      assert.deepEqual(listUuids(await due(store, NOON + MINUTE)), [command.commandUuid])
    })

    test('waking does not delay messages that are due', async (t) => {
      const store = await backend.open(t)
      const site = newUuid()
      const [older, newer] = [
        await addCommand(store, newDeviceRef(site), { createdAt: NOON + 1 }),
        await addCommand(store, newDeviceRef(site), { createdAt: NOON }),
      ]
      await store.outbox.recordAttempts([makeAttempt(newer, 'waits', { dueAt: NOON + 2 })], NOON)
      await store.outbox.retryNow(site, 'all', NOON + 3)
      assert.deepEqual(listUuids(await due(store, NOON + 3)), [older.commandUuid, newer.commandUuid])
    })

    test('waking does not affect leased messages; one that was to wait is then due immediately', async (t) => {
      const store = await backend.open(t)
      const site = newUuid()
      const [waiting, sent] = [
        await addCommand(store, newDeviceRef(site)),
        await addCommand(store, newDeviceRef(site)),
      ]
      await store.outbox.claim(NOON, LEASE_END, 10)
      await store.outbox.retryNow(site, 'all', NOON + 1)
      assert.deepEqual(await store.outbox.claim(NOON + 1, LEASE_END, 10), [])
      await store.outbox.recordAttempts([makeAttempt(waiting, 'waits'), makeAttempt(sent, 'sent')], NOON + 2)
      assert.deepEqual(listUuids(await store.outbox.claim(NOON + 2, LEASE_END, 10)), [waiting.commandUuid])
      await store.outbox.recordAttempts([makeAttempt(waiting, 'waits')], NOON + 3)
      assert.deepEqual(await due(store, NOON + 3), [], 'it was woken once')
    })

    test('a response ends the sending of a message that is not a command, for its own site and device', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const command = await addCommandIn('SENT', store, unit)
      await apply(store, command, 'cancelled', NOON)
      const [cancel] = await due(store, NOON)
      assert.equal(cancel?.kind, 'cancel')
      const { siteUuid, deviceUuid, messageUuid } = cancel
      assert.equal(await store.outbox.acknowledge(newUuid(), deviceUuid, messageUuid), false)
      assert.equal(await store.outbox.acknowledge(siteUuid, newUuid(), messageUuid), false)
      assert.equal(await store.outbox.acknowledge(siteUuid, deviceUuid, newUuid()), false)
      assert.deepEqual(listUuids(await due(store, NOON)), [messageUuid])
      assert.equal(await store.outbox.acknowledge(siteUuid, deviceUuid, messageUuid), true)
      assert.deepEqual(await due(store, NOON), [])
      assert.equal(
        await store.outbox.acknowledge(siteUuid, deviceUuid, messageUuid),
        true,
        'a repeated answer',
      )
      await store.outbox.recordAttempts([attempt(cancel, 'sent', { dueAt: NOON })], NOON)
      assert.deepEqual(await due(store, NOON), [], 'an attempt recorded late')
    })

    test('a response does not end the sending of a command: only its state does', async (t) => {
      const store = await backend.open(t)
      const { siteUuid, deviceUuid, commandUuid } = await addCommand(store, newDeviceRef())
      assert.equal(await store.outbox.acknowledge(siteUuid, deviceUuid, commandUuid), false)
      assert.deepEqual(listUuids(await due(store, NOON)), [commandUuid])
    })

    test('an expired message is never claimed', async (t) => {
      const store = await backend.open(t)
      const { expiresAt } = await addCommand(store, newDeviceRef(), { expiresAt: NOON + MINUTE })
      assert.equal((await due(store, expiresAt - 1)).length, 1)
      assert.deepEqual(await due(store, expiresAt), [])
    })

    test('a due time far in the future, from before the clock was set back, counts as due', async (t) => {
      const store = await backend.open(t)
      const command = await addCommand(store, newDeviceRef(), { createdAt: NOON + DAY })
      assert.deepEqual(listUuids(await store.outbox.claim(NOON, LEASE_END, 10)), [command.commandUuid])
      assert.deepEqual(await store.outbox.claim(NOON, LEASE_END, 10), [], 'its lease is of this clock')
    })
  })
}
