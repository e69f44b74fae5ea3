import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Target } from '../../src/domain/control/schedule/schedule.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  apply,
  attempt,
  makeAttempt,
  due,
  HOUR,
  MINUTE,
  newDeviceRef,
  type DeviceRef,
  listUuids,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const WARM: Target = { temperature: 21 }
const COLD: Target = { temperature: 16, power: 'on' }

const message = (target: Target, createdAt = NOON) => ({
  messageUuid: newUuid(),
  target,
  createdAt,
  expiresAt: createdAt + HOUR,
})

/** A device with a schedule run by the server, which is due at noon because a command was confirmed. */
async function addSchedule(store: Store, unit = newDeviceRef(), at = NOON): Promise<DeviceRef> {
  const command = await addCommand(store, unit, { createdAt: at - MINUTE }, { runsOnServer: true })
  await apply(store, command, 'device-confirmed', at)
  return unit
}

const onlyDue = async (store: Store, now = NOON) => {
  const [schedule, ...others] = await store.serverSchedules.due(now, 10)
  assert.deepEqual(others, [])
  return schedule ?? assert.fail('nothing is due')
}

for (const backend of BACKENDS) {
  describe(`server schedules on ${backend.name}`, () => {
    test('the server runs a schedule from the first command on, and evaluates the plan when one has ended', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const command = await addCommand(store, unit, {}, { runsOnServer: true })
      await apply(store, command, 'taken-by-broker')
      assert.deepEqual(await store.serverSchedules.due(NOON + HOUR, 10), [])
      for (const [event, at] of [
        ['device-confirmed', NOON + 1],
        ['device-rejected', NOON + 2],
        ['cancelled', NOON + 3],
        ['expired', NOON + 4],
      ] as const) {
        const ended = await addCommand(store, unit, { createdAt: at }, { runsOnServer: true })
        await apply(store, ended, event, at)
        const schedule = await onlyDue(store, at)
        assert.deepEqual({ ...schedule, nextAt: 0 }, { ...unit, nextAt: 0, target: null }, event)
        await store.serverSchedules.advance(schedule, null, undefined)
        assert.deepEqual(await store.serverSchedules.due(at, 10), [], event)
      }
    })

    test('commands of a device that runs its own plan create no server schedule', async (t) => {
      const store = await backend.open(t)
      const command = await addCommand(store, newDeviceRef())
      await apply(store, command, 'device-confirmed', NOON)
      assert.deepEqual(await store.serverSchedules.due(NOON + HOUR, 10), [])
      assert.equal(await store.serverSchedules.lastTarget(command.siteUuid, command.deviceUuid), null)
    })

    test('a change is due at its instant, the longest overdue first', async (t) => {
      const store = await backend.open(t)
      const [one, two, three] = [newDeviceRef(), newDeviceRef(), newDeviceRef()]
      for (const [unit, nextAt] of [
        [one, NOON + 3],
        [two, NOON + 1],
        [three, NOON + 2],
      ] as const) {
        await addSchedule(store, unit)
        await store.serverSchedules.advance(await onlyDue(store), nextAt, undefined)
      }
      const dueAt = async (now: number, limit: number) =>
        (await store.serverSchedules.due(now, limit)).map(({ deviceUuid }) => deviceUuid)
      assert.deepEqual(await dueAt(NOON, 10), [])
      assert.deepEqual(await dueAt(NOON + 2, 10), [two.deviceUuid, three.deviceUuid])
      assert.deepEqual(await dueAt(NOON + 3, 2), [two.deviceUuid, three.deviceUuid])
    })

    test('the next change, the message and the last target are stored together', async (t) => {
      const store = await backend.open(t)
      const unit = await addSchedule(store)
      const sent = message(COLD)
      await store.serverSchedules.advance(await onlyDue(store), NOON + HOUR, sent)
      assert.deepEqual(await due(store, NOON), [
        {
          ...unit,
          messageUuid: sent.messageUuid,
          kind: 'target',
          body: { target: COLD },
          tries: 0,
          failures: 0,
          createdAt: NOON,
          expiresAt: sent.expiresAt,
        },
      ])
      assert.deepEqual(await store.serverSchedules.lastTarget(unit.siteUuid, unit.deviceUuid), COLD)
      assert.equal(await store.serverSchedules.lastTarget(newUuid(), unit.deviceUuid), null)
      assert.deepEqual(await store.serverSchedules.due(NOON + HOUR - 1, 10), [])
      assert.deepEqual(await onlyDue(store, NOON + HOUR), { ...unit, nextAt: NOON + HOUR, target: COLD })
    })

    test('a failed advance changes nothing', async (t) => {
      const store = await backend.open(t)
      const taken = await addCommand(store, newDeviceRef())
      await addSchedule(store, newDeviceRef(taken.siteUuid))
      const schedule = await onlyDue(store)
      const failing = { ...message(WARM), messageUuid: taken.commandUuid }
      await assert.rejects(store.serverSchedules.advance(schedule, null, failing))
      assert.deepEqual(await onlyDue(store), schedule)
      assert.deepEqual(listUuids(await due(store, NOON)), [taken.commandUuid])
    })

    test('of two concurrent advances one succeeds', async (t) => {
      const store = await backend.open(t)
      await addSchedule(store)
      const schedule = await onlyDue(store)
      const both = [message(WARM), message(COLD)]
      await Promise.all(both.map((one) => store.serverSchedules.advance(schedule, NOON + HOUR, one)))
      const [sent, ...others] = await due(store, NOON)
      assert.deepEqual(others, [])
      const { target } = await onlyDue(store, NOON + HOUR)
      assert.deepEqual(sent?.body, { target })
      await store.serverSchedules.advance(schedule, null, message(WARM))
      assert.deepEqual(listUuids(await due(store, NOON)), [sent.messageUuid])
    })

    test('a command that ends while the plan is evaluated causes another evaluation, also in the same millisecond', async (t) => {
      const store = await backend.open(t)
      const unit = await addSchedule(store)
      for (const at of [NOON, NOON, NOON + 1]) {
        const schedule = await onlyDue(store, at)
        await addSchedule(store, unit, at)
        await store.serverSchedules.advance(schedule, null, message(WARM))
        assert.deepEqual(await due(store, NOON), [])
        assert.equal((await onlyDue(store, at)).deviceUuid, unit.deviceUuid)
      }
    })

    test('a new target replaces one that was not answered, on its own device only', async (t) => {
      const store = await backend.open(t)
      const unit = await addSchedule(store)
      const old = message(WARM)
      await store.serverSchedules.advance(await onlyDue(store), NOON + 1, old)
      const other = await addSchedule(store, newDeviceRef(unit.siteUuid))
      const theirs = message(WARM)
      await store.serverSchedules.advance(await onlyDue(store), NOON + HOUR, theirs)
      const command = await addCommand(store, unit)
      const current = message(COLD, NOON + 1)
      await store.serverSchedules.advance(await onlyDue(store, NOON + 1), null, current)
      assert.deepEqual(
        listUuids(await due(store, NOON + 1)).toSorted(),
        [theirs.messageUuid, command.commandUuid, current.messageUuid].toSorted(),
      )
      assert.deepEqual(await store.serverSchedules.lastTarget(other.siteUuid, other.deviceUuid), WARM)
    })

    test('a target that was sent and then replaced is not sent again, and its response is recognised', async (t) => {
      const store = await backend.open(t)
      const { siteUuid, deviceUuid } = await addSchedule(store)
      const old = message(WARM)
      await store.serverSchedules.advance(await onlyDue(store), NOON + 1, old)
      const sent = await store.outbox.claim(NOON, NOON + MINUTE, 10)
      await store.outbox.recordAttempts(
        sent.map((one) => attempt(one, 'sent')),
        NOON,
      )
      const current = message(COLD, NOON + 1)
      await store.serverSchedules.advance(await onlyDue(store, NOON + 1), null, current)
      assert.equal(await store.outbox.acknowledge(siteUuid, deviceUuid, old.messageUuid), true)
      assert.deepEqual(listUuids(await due(store, NOON + 2 * MINUTE)), [current.messageUuid])
    })

    test('the last target is that of the last attempt, even if the device has already responded', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const lastTarget = () => store.serverSchedules.lastTarget(unit.siteUuid, unit.deviceUuid)
      const first = await addCommand(store, unit, {}, { runsOnServer: true })
      assert.equal(await lastTarget(), null)
      await store.outbox.recordAttempts([makeAttempt(first, 'sent', { sentTarget: WARM })], NOON)
      assert.deepEqual(await lastTarget(), WARM)
      await apply(store, first, 'device-confirmed', NOON + 1)
      await store.outbox.recordAttempts([makeAttempt(first, 'sent', { sentTarget: COLD })], NOON + 2)
      assert.deepEqual(await lastTarget(), COLD)
    })
  })
}
