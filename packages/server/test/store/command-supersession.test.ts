import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schedule } from '../../src/domain/control/schedule/schedule.ts'
import { isFinal } from '../../src/domain/control/command/states.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  addCommandIn,
  listAudit,
  BOOST,
  cancelsIn,
  DAY,
  due,
  getCommand,
  newDeviceRef,
  oneOff,
  OVERRIDE,
  RESUME,
  listUuids,
  WEEKLY,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const NINE_TO_TEN = oneOff('2026-11-16T09:00:00Z', '2026-11-16T10:00:00Z')

const SUPERSEDED: readonly [name: string, older: Schedule, newer: Schedule, zone?: string][] = [
  ['a weekly plan by the next', WEEKLY, { type: 'weekly', default: { temperature: 5 }, periods: [] }],
  ['an override by a boost', OVERRIDE, BOOST],
  ['a boost by a resume', BOOST, RESUME],
  ['a resume by an override', RESUME, OVERRIDE],
  ['a one-off by one that overlaps', NINE_TO_TEN, oneOff('2026-11-16T09:59:59Z', '2026-11-16T11:00:00Z')],
  [
    'a one-off by one that overlaps on the wall clock of the site',
    NINE_TO_TEN,
    oneOff('2026-11-16T18:30:00', '2026-11-16T18:31:00'),
    'Asia/Tokyo',
  ],
]

const LEFT_ALONE: readonly [name: string, older: Schedule, newer: Schedule][] = [
  ['a weekly plan by an override', WEEKLY, OVERRIDE],
  ['an override by a weekly plan', OVERRIDE, WEEKLY],
  ['a weekly plan by a one-off', WEEKLY, NINE_TO_TEN],
  ['a one-off by a resume', NINE_TO_TEN, RESUME],
  [
    'a one-off by one that begins where it ends',
    NINE_TO_TEN,
    oneOff('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z'),
  ],
  [
    'a one-off by one at the same hour of another zone',
    NINE_TO_TEN,
    { ...oneOff('2026-11-16T09:00:00', '2026-11-16T10:00:00'), timeZone: 'Asia/Tokyo' },
  ],
]

for (const backend of BACKENDS) {
  describe(`supersession on ${backend.name}`, () => {
    test('the older command ends when the newer is accepted, names it, and is no longer sent', async (t) => {
      const store = await backend.open(t)
      for (const [name, older, newer, siteZone = 'Europe/London'] of SUPERSEDED) {
        const unit = newDeviceRef()
        const first = await addCommand(store, unit, { schedule: older })
        const second = await addCommand(store, unit, { schedule: newer, createdAt: NOON + 1 }, { siteZone })
        const { failureReason, ...ended } = await getCommand(store, first)
        const { failureReason: _, ...rest } = first
        const at = { state: 'CANCELLED', updatedAt: NOON + 1, completedAt: NOON + 1 }
        assert.deepEqual(ended, { ...rest, ...at }, name)
        assert.equal(failureReason?.code, 'SUPERSEDED', name)
        assert.ok(failureReason.message.includes(second.commandUuid), name)
        const own = (await due(store, NOON + 1)).filter(({ deviceUuid }) => deviceUuid === unit.deviceUuid)
        assert.deepEqual(listUuids(own), [second.commandUuid], name)
        assert.deepEqual(await listAudit(store, first), ['command.accepted', 'command.cancelled'], name)
      }
    })

    test('other slots and times are unaffected', async (t) => {
      const store = await backend.open(t)
      for (const [name, older, newer] of LEFT_ALONE) {
        const unit = newDeviceRef()
        const both = [
          await addCommand(store, unit, { schedule: older }),
          await addCommand(store, unit, { schedule: newer, createdAt: NOON + 1 }),
        ]
        assert.deepEqual(await store.commands.unfinished(unit.siteUuid, unit.deviceUuid), both, name)
      }
    })

    test('one newer one-off supersedes all that it overlaps', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      await addCommand(store, unit, { schedule: NINE_TO_TEN })
      await addCommand(store, unit, { schedule: oneOff('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z') })
      const schedule = oneOff('2026-11-16T08:00:00Z', '2026-11-16T12:00:00Z')
      const last = await addCommand(store, unit, { schedule, createdAt: NOON + 1 })
      assert.deepEqual(await store.commands.unfinished(unit.siteUuid, unit.deviceUuid), [last])
    })

    test('commands of other devices and sites are unaffected', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const others = [newDeviceRef(unit.siteUuid), { ...newDeviceRef(), deviceUuid: unit.deviceUuid }]
      for (const other of others) await addCommand(store, other)
      await addCommand(store, unit)
      for (const { siteUuid, deviceUuid } of others)
        assert.equal((await store.commands.unfinished(siteUuid, deviceUuid)).length, 1)
    })

    test('final commands are unaffected', async (t) => {
      const store = await backend.open(t)
      for (const state of ['CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const) {
        const unit = newDeviceRef()
        const older = await addCommandIn(state, store, unit)
        await addCommand(store, unit, { createdAt: NOON + DAY })
        assert.deepEqual(await getCommand(store, older), older)
        assert.ok(isFinal(older.state))
      }
    })

    test('a device that may have a superseded one-off is sent a cancel; plans of a slot replace each other', async (t) => {
      const store = await backend.open(t)
      const forgotten: string[] = []
      for (const state of ['PENDING', 'SENT', 'DELIVERED'] as const) {
        for (const schedule of [NINE_TO_TEN, WEEKLY, OVERRIDE]) {
          const unit = newDeviceRef()
          const older = await addCommandIn(state, store, unit, { schedule })
          await addCommand(store, unit, { schedule, createdAt: NOON + 2_000 })
          if (schedule === NINE_TO_TEN && state !== 'PENDING') forgotten.push(older.commandUuid)
        }
      }
      assert.deepEqual(cancelsIn(await due(store, NOON + 2_000)).toSorted(), forgotten.toSorted())
    })

    test('of concurrent commands one remains', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      await Promise.all(Array.from({ length: 12 }, () => addCommand(store, unit)))
      const unfinished = await store.commands.unfinished(unit.siteUuid, unit.deviceUuid)
      assert.deepEqual(
        listUuids(await due(store, NOON)),
        unfinished.map(({ commandUuid }) => commandUuid),
      )
      assert.equal(unfinished.length, 1)
    })
  })
}
