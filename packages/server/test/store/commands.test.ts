import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_STATES, type Command } from '../../src/domain/control/command/command.ts'
import type { CommandFilter } from '../../src/domain/control/command/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  addCommandIn,
  listAudit,
  BOOST,
  due,
  getCommand,
  makeEvent,
  HOUR,
  newCommand,
  newDeviceRef,
  oneOff,
  OVERRIDE,
  RESUME,
  listUuids,
  WEEKLY,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

const listIds = (commands: readonly Command[]): string[] => commands.map(({ commandUuid }) => commandUuid)

for (const backend of BACKENDS) {
  describe(`commands on ${backend.name}`, () => {
    test('a command, its message and its audit entry are stored together', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const schedule = { ...oneOff('2026-11-16T09:00:00', '2026-11-16T10:00:00'), timeZone: 'Asia/Kathmandu' }
      const command = await addCommand(store, unit, { schedule, clientReference: 'é"\\' })
      assert.deepEqual(await getCommand(store, command), command)
      assert.deepEqual(await due(store, NOON), [
        {
          ...unit,
          messageUuid: command.commandUuid,
          kind: 'command',
          body: {},
          tries: 0,
          failures: 0,
          createdAt: NOON,
          expiresAt: command.expiresAt,
        },
      ])
      assert.deepEqual(await listAudit(store, command), ['command.accepted'])
    })

    test('commands of all sites are found by site, partner, state and time, newest first', async (t) => {
      const store = await backend.open(t)
      const [here, there] = [newDeviceRef(), newDeviceRef()]
      const old = await addCommand(store, here, { createdAt: NOON - HOUR })
      const first = await addCommand(store, here)
      const second = await addCommand(store, there, { createdAt: NOON + 1, schedule: OVERRIDE })
      const search = async (filter: Partial<CommandFilter>, before?: Command, limit = 9): Promise<string[]> =>
        listIds(await store.commands.search({ createdFrom: 0, ...filter }, { before, limit }))
      const all = listIds([second, first, old])
      assert.deepEqual(await search({}), all)
      assert.deepEqual(await search({}, undefined, 2), all.slice(0, 2))
      assert.deepEqual(await search({}, first), all.slice(2))
      assert.deepEqual(await search({ createdFrom: NOON }), all.slice(0, 2))
      assert.deepEqual(await search({ siteUuid: there.siteUuid }), [second.commandUuid])
      assert.deepEqual(await search({ partnerUuid: first.partnerUuid }), [first.commandUuid])
      assert.deepEqual(await search({ state: 'CONFIRMED' }), [])
      assert.deepEqual(await search({ siteUuid: there.siteUuid, state: 'PENDING' }), [second.commandUuid])
    })

    test('the last outcome of a device is that of its newest command, in any state', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const others = [newDeviceRef(unit.siteUuid), newDeviceRef(unit.siteUuid)]
      const load = async () => {
        const uuids = [unit, ...others].map(({ deviceUuid }) => deviceUuid)
        return store.commands.lastOutcomes(unit.siteUuid, uuids)
      }
      assert.deepEqual(await load(), new Map())
      const older = await addCommand(store, unit)
      const failureReason = { code: 'DEVICE_REJECTED', message: 'too hot' } as const
      await store.commands.apply(unit.siteUuid, unit.deviceUuid, older.commandUuid, {
        event: 'device-rejected',
        reason: failureReason,
        at: NOON + HOUR,
      })
      const rejected = { state: 'FAILED', completedAt: NOON + HOUR, failureReason }
      assert.deepEqual(await load(), new Map([[unit.deviceUuid, rejected]]))
      await addCommand(store, unit, { createdAt: NOON + 2 * HOUR, updatedAt: NOON + 2 * HOUR })
      const pending = { state: 'PENDING', completedAt: null, failureReason: null }
      assert.deepEqual(await load(), new Map([[unit.deviceUuid, pending]]))
      assert.deepEqual(await store.commands.lastOutcomes(newUuid(), [unit.deviceUuid]), new Map())
    })

    test('a failed add leaves no command, message, key or entry, and supersedes nothing', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const older = await addCommand(store, unit)
      const elsewhere = await addCommand(store, newDeviceRef(unit.siteUuid))
      const key = { partnerUuid: newUuid(), key: 'one', digest: Uint8Array.of(1) }
      const taken = newCommand(unit, { commandUuid: elsewhere.commandUuid }, { key })
      await assert.rejects(store.commands.add(unit.siteUuid, taken))
      assert.deepEqual(await store.commands.unfinished(unit.siteUuid, unit.deviceUuid), [older])
      assert.deepEqual(listUuids(await due(store, NOON)).toSorted(), listIds([older, elsewhere]).toSorted())
      assert.equal(await store.commands.replay(unit.siteUuid, key, NOON), undefined)
      assert.equal((await store.audit.list({ before: undefined, limit: 10 })).length, 2)
    })

    test('a command that is final immediately is stored, not sent, and supersedes nothing', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const older = await addCommand(store, unit)
      const failureReason = { code: 'DEVICE_OFFLINE', message: 'The device is offline.' }
      const lost = await addCommand(store, unit, { state: 'FAILED', failureReason, createdAt: NOON + 1 })
      assert.deepEqual(await getCommand(store, lost), lost)
      assert.deepEqual(listUuids(await due(store, NOON + 1)), [older.commandUuid])
      assert.deepEqual(await store.commands.unfinished(unit.siteUuid, unit.deviceUuid), [older])
      assert.deepEqual(await listAudit(store, lost), ['command.accepted', 'command.failed'])
    })

    test('a command is accessible through its own site and device only', async (t) => {
      const { commands } = await backend.open(t)
      const unit = newDeviceRef()
      const added = newCommand(unit)
      await commands.add(unit.siteUuid, added)
      const { commandUuid } = added.command
      const page = { before: undefined, limit: 10 }
      for (const { siteUuid, deviceUuid } of [
        { ...unit, siteUuid: newUuid() },
        { ...unit, deviceUuid: newUuid() },
      ]) {
        assert.equal(await commands.get(siteUuid, deviceUuid, commandUuid), undefined)
        assert.deepEqual(await commands.list(siteUuid, deviceUuid, page), [])
        assert.deepEqual(await commands.unfinished(siteUuid, deviceUuid), [])
        const moved = commands.apply(siteUuid, deviceUuid, commandUuid, makeEvent('device-confirmed', NOON))
        assert.equal(await moved, undefined)
        assert.deepEqual(await commands.confirmed(siteUuid, deviceUuid, NOON), [])
      }
      assert.equal((await commands.get(unit.siteUuid, unit.deviceUuid, commandUuid))?.state, 'PENDING')
    })

    test('without a device, the commands of all devices of the site are listed, newest first', async (t) => {
      const store = await backend.open(t)
      const one = newDeviceRef()
      const other = newDeviceRef(one.siteUuid)
      const [first, second, third] = [
        await addCommand(store, one, { createdAt: NOON }),
        await addCommand(store, other, { createdAt: NOON + 1 }),
        await addCommand(store, one, { createdAt: NOON + 2 }),
      ]
      await addCommand(store, newDeviceRef())
      const list = async (before: Command | undefined) =>
        listIds(await store.commands.list(one.siteUuid, undefined, { before, limit: 2 }))
      assert.deepEqual(await list(undefined), listIds([third, second]))
      assert.deepEqual(await list(second), listIds([first]))
    })

    test('pages, newest first, are the whole list, even for commands of one millisecond', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const made: Command[] = []
      for (const offset of [0, 2, 2, 2, 1, 3, 3])
        made.push(await addCommand(store, unit, { createdAt: NOON + offset }))
      const seen: Command[] = []
      for (let before: Command | undefined; ; before = seen.at(-1)) {
        const page = await store.commands.list(unit.siteUuid, unit.deviceUuid, { before, limit: 2 })
        if (page.length === 0) break
        seen.push(...page)
      }
      const newestFirst = made.toSorted(
        (a, b) => b.createdAt - a.createdAt || (a.commandUuid < b.commandUuid ? 1 : -1),
      )
      assert.deepEqual(listIds(seen), listIds(newestFirst))
    })

    test('unfinished commands are listed oldest first, regardless of the others', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const day = (index: number) =>
        oneOff(`2026-12-0${index + 1}T09:00:00Z`, `2026-12-0${index + 1}T10:00:00Z`)
      const made: Command[] = []
      for (const [index, state] of COMMAND_STATES.entries())
        made.push(await addCommandIn(state, store, unit, { schedule: day(index), createdAt: NOON - index }))
      const unfinished = await store.commands.unfinished(unit.siteUuid, unit.deviceUuid)
      assert.deepEqual(unfinished, made.slice(0, 3).toReversed())
    })

    test('the confirmed commands are the newest accepted of each slot, and one-offs until they end', async (t) => {
      const store = await backend.open(t)
      const unit = newDeviceRef()
      const confirmed = (schedule: Command['schedule'], createdAt: number, endsAt: number | null = null) =>
        addCommandIn('CONFIRMED', store, unit, { schedule, createdAt }, { endsAt })
      await confirmed(WEEKLY, NOON)
      const weekly = await confirmed(WEEKLY, NOON + 2)
      const resume = await confirmed(RESUME, NOON + 3)
      await confirmed(OVERRIDE, NOON + 1)
      await confirmed(BOOST, NOON + 2, NOON + HOUR)
      const ends = NOON + 2 * HOUR
      const early = await confirmed(oneOff('2026-11-15T13:00Z', '2026-11-15T14:00Z'), NOON, ends)
      const late = await confirmed(oneOff('2026-11-15T13:30Z', '2026-11-15T15:00Z'), NOON, ends + HOUR)
      await addCommandIn('DELIVERED', store, unit, { createdAt: NOON + 9 })
      await addCommandIn('CANCELLED', store, unit, { schedule: OVERRIDE, createdAt: NOON + 9 })
      const at = async (now: number) =>
        listIds(await store.commands.confirmed(unit.siteUuid, unit.deviceUuid, now)).toSorted()
      assert.deepEqual(await at(ends - 1), listIds([weekly, resume, early, late]).toSorted())
      assert.deepEqual(await at(ends), listIds([weekly, resume, late]).toSorted())
    })
  })
}
