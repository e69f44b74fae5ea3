import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_STATES } from '../../src/domain/control/command/command.ts'
import { type CommandEventType, isFinal, nextState } from '../../src/domain/control/command/states.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  addCommandIn,
  apply,
  makeAttempt,
  listAudit,
  cancelsIn,
  DAY,
  due,
  EVENTS,
  getCommand,
  makeEvent,
  MINUTE,
  newCommand,
  newDeviceRef,
  listUuids,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const AT = NOON + MINUTE

for (const backend of BACKENDS) {
  describe(`command events on ${backend.name}`, () => {
    test('each event changes each state as the table says, and affects no other command', async (t) => {
      const store = await backend.open(t)
      for (const event of EVENTS) {
        const { reason } = makeEvent(event, AT)
        for (const state of COMMAND_STATES) {
          const before = await addCommandIn(state, store, newDeviceRef())
          const applied = (await apply(store, before, event, AT)) ?? assert.fail()
          const to = nextState(state, event)
          const completedAt = to && isFinal(to) ? AT : null
          const after = to && { ...before, state: to, updatedAt: AT, completedAt, failureReason: reason }
          const expected = { command: after ?? before, isChanged: after !== undefined }
          assert.deepEqual(applied, expected, `${event} when ${state}`)
          assert.deepEqual(await getCommand(store, before), applied.command)
        }
      }
    })

    test('a command is sent until the device acknowledges it or it ends', async (t) => {
      const store = await backend.open(t)
      for (const state of COMMAND_STATES) {
        const command = await addCommandIn(state, store, newDeviceRef())
        const isSent = listUuids(await due(store, AT)).includes(command.commandUuid)
        assert.equal(isSent, state === 'PENDING' || state === 'SENT', state)
      }
    })

    test('the end of a command is in the audit log once, whatever follows', async (t) => {
      const store = await backend.open(t)
      const command = await addCommandIn('DELIVERED', store, newDeviceRef())
      for (const event of ['device-rejected', 'device-rejected', 'device-confirmed'] as const)
        await apply(store, command, event)
      assert.deepEqual(await listAudit(store, command), ['command.accepted', 'command.failed'])
    })

    test('a device that may have a cancelled command is sent a cancel, for a day', async (t) => {
      const store = await backend.open(t)
      for (const state of COMMAND_STATES) {
        const unit = newDeviceRef()
        const command = await addCommandIn(state, store, unit)
        await apply(store, command, 'cancelled', AT)
        const own = (await due(store, AT)).filter(({ deviceUuid }) => deviceUuid === unit.deviceUuid)
        const { messageUuid, ...cancel } = own[0] ?? { messageUuid: undefined }
        if (state !== 'SENT' && state !== 'DELIVERED') assert.deepEqual(own, [], state)
        else {
          assert.equal(own.length, 1)
          assert.notEqual(messageUuid, command.commandUuid)
          assert.deepEqual(cancel, {
            ...unit,
            kind: 'cancel',
            body: { cancels: command.commandUuid },
            tries: 0,
            failures: 0,
            createdAt: AT,
            expiresAt: AT + DAY,
          })
        }
      }
    })

    test('a command cancelled while it is being sent is followed by a cancel', async (t) => {
      const store = await backend.open(t)
      const [gone, stayed, late] = await Promise.all([
        addCommand(store, newDeviceRef()),
        addCommand(store, newDeviceRef()),
        addCommandIn('SENT', store, newDeviceRef()),
      ])
      assert.equal((await store.outbox.claim(NOON, NOON + MINUTE, 10)).length, 3)
      for (const command of [gone, stayed, late]) await apply(store, command, 'cancelled', AT)
      const attempts = [makeAttempt(gone, 'sent'), makeAttempt(stayed, 'waits'), makeAttempt(late, 'sent')]
      await store.outbox.recordAttempts(attempts, AT)
      assert.deepEqual(
        cancelsIn(await due(store, AT)).toSorted(),
        [gone.commandUuid, late.commandUuid].toSorted(),
      )
    })

    test('a cancelled command whose sender is gone is followed by a cancel when its lease expires', async (t) => {
      const store = await backend.open(t)
      const [claimed, unclaimed] = [
        await addCommand(store, newDeviceRef()),
        await addCommand(store, newDeviceRef()),
      ]
      const lease = NOON + 2 * MINUTE
      assert.equal((await store.outbox.claim(NOON, lease, 1)).length, 1)
      for (const command of [claimed, unclaimed]) await apply(store, command, 'cancelled', AT)
      assert.deepEqual(await due(store, lease - 1), [])
      const cancelled = cancelsIn(await due(store, lease))
      assert.equal(cancelled.length, 1)
      assert.ok([claimed.commandUuid, unclaimed.commandUuid].includes(cancelled[0] ?? ''))
    })

    test('of concurrent events that each end a command, one is applied', async (t) => {
      const store = await backend.open(t)
      const ends: CommandEventType[] = ['device-confirmed', 'device-rejected', 'cancelled', 'expired']
      for (let round = 0; round < 5; round += 1) {
        const command = await addCommandIn('SENT', store, newDeviceRef())
        const applied = await Promise.all(ends.map((event) => apply(store, command, event)))
        const [changed, ...others] = applied.filter((one) => one?.isChanged)
        assert.deepEqual(others, [])
        assert.deepEqual(await getCommand(store, command), changed?.command)
        assert.equal((await listAudit(store, command)).length, 2)
      }
    })

    test('an event of an unknown command does nothing', async (t) => {
      const store = await backend.open(t)
      assert.equal(await apply(store, newCommand(newDeviceRef()).command, 'device-confirmed'), undefined)
    })
  })
}
