import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Command } from '../../src/domain/control/command/command.ts'
import { isFinal } from '../../src/domain/control/command/states.ts'
import type { OutboxMessage } from '../../src/domain/control/command/store.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { createCommandModel, toName } from '../support/command-model.ts'
import {
  addCommand,
  apply,
  attempt,
  BOOST,
  DAY,
  EVENTS,
  MINUTE,
  newDeviceRef,
  oneOff,
  OVERRIDE,
  WEEKLY,
} from '../support/commands.ts'
import { NOON } from '../support/seed.ts'

/** PROPERTY_RUNS sets a larger number, which takes longer. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 150)
const LEASE_MS = 30_000

const SCHEDULES = [
  WEEKLY,
  OVERRIDE,
  BOOST,
  oneOff('2030-01-01T09:00Z', '2030-01-01T11:00Z'),
  oneOff('2030-01-01T10:00Z', '2030-01-01T12:00Z'),
]

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      device: fc.nat(1),
      schedule: fc.constantFrom(...SCHEDULES),
      lifeMs: fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * MINUTE),
      isLost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      pick: fc.nat(),
      outcome: fc.constantFrom('sent' as const, 'sent' as const, 'refused' as const, 'waits' as const),
      waitMs: fc.integer({ min: 0, max: 5 * MINUTE }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('happen' as const),
      pick: fc.nat(),
      event: fc.constantFrom(...EVENTS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wake' as const), device: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('passTime' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A reason's code is specified; its text is up to the store. */
const plain = (command: Command | undefined) =>
  command && { ...command, failureReason: command.failureReason?.code }

const uuids = (commands: readonly Command[]): string[] =>
  commands.map(({ commandUuid }) => commandUuid).toSorted()

const pickOne = <T>(all: Iterable<T>, pick: number): T | undefined => {
  const list = [...all]
  return list[pick % list.length]
}

/** Runs steps on the store and on the model, and compares every result. */
function createHistory(store: Store) {
  const model = createCommandModel()
  const units = [newDeviceRef()]
  units.push(newDeviceRef(units[0]?.siteUuid))
  const unit = (index: number) => units[index] ?? assert.fail()
  const onTheWay: OutboxMessage[] = []

  const steps: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>, now: number) => Promise<void> } = {
    async add({ device, schedule, lifeMs, isLost }, now) {
      const state = isLost ? 'FAILED' : 'PENDING'
      const times = { createdAt: now, expiresAt: now + lifeMs }
      model.add(await addCommand(store, unit(device), { schedule, state, ...times }))
    },
    async claim({ limit }, now) {
      const expected = model.claimable(now)
      const claimed = await store.outbox.claim(now, now + LEASE_MS, limit)
      assert.equal(claimed.length, Math.min(limit, expected.length))
      for (const [index, message] of claimed.entries()) {
        const row = new Map(expected).get(toName(message)) ?? assert.fail('this was not to be claimed')
        const turn = expected[index]?.[1] ?? assert.fail()
        assert.deepEqual([row.dueAt, row.createdAt], [turn.dueAt, turn.createdAt], 'out of turn')
        assert.deepEqual([message.tries, message.failures], [row.tries, row.failures])
        assert.equal(message.expiresAt, row.expiresAt)
      }
      for (const message of claimed) model.lease(message, now + LEASE_MS)
      onTheWay.push(...claimed)
    },
    async record({ pick, outcome, waitMs }, now) {
      const message = pickOne(onTheWay, pick)
      if (!message) return
      onTheWay.splice(onTheWay.indexOf(message), 1)
      // When an expired message is deleted is up to the store.
      if (message.expiresAt <= now) return
      const isDone = outcome === 'sent' && message.kind === 'cancel'
      const made = attempt(message, outcome, { dueAt: now + waitMs, isDone })
      await store.outbox.recordAttempts([made], now)
      model.record(message, made, now)
    },
    async happen({ pick, event }, now) {
      const command = pickOne(model.commands.values(), pick)
      if (!command) return
      const applied = await apply(store, command, event, now)
      assert.equal(applied?.isChanged, model.happen(command, event, now))
    },
    async wake({ device }, now) {
      const { siteUuid, deviceUuid } = unit(device)
      await store.outbox.retryNow(siteUuid, [deviceUuid], now)
      model.wake(deviceUuid, now)
    },
    async passTime(_, now) {
      assert.deepEqual(uuids(await store.commands.expireOverdue(now)), uuids(model.passTime(now)))
    },
  }

  const ended = new Map<string, Command>()

  return {
    play: (one: Step, now: number): Promise<void> => steps[one.kind](one as never, now),
    async check(): Promise<void> {
      for (const expected of model.commands.values()) {
        const { siteUuid, deviceUuid, commandUuid } = expected
        const stored = await store.commands.get(siteUuid, deviceUuid, commandUuid)
        assert.deepEqual(plain(stored), plain(expected))
        const end = ended.get(commandUuid)
        if (end) assert.deepEqual(stored, end, 'a command that has ended changed')
        else if (stored && isFinal(stored.state)) ended.set(commandUuid, stored)
      }
      for (const { siteUuid, deviceUuid } of units) {
        const own = model.unfinished().filter((command) => command.deviceUuid === deviceUuid)
        assert.deepEqual(uuids(await store.commands.unfinished(siteUuid, deviceUuid)), uuids(own))
      }
    },
  }
}

for (const backend of BACKENDS) {
  describe(`histories of commands on ${backend.name}`, () => {
    test('for any events in any order, states follow the table, final states do not change, and unanswered commands are sent', async (t) => {
      const store = await backend.open(t)
      let start = NOON
      const history = fc.array(fc.tuple(step, fc.oneof(fc.constant(0), fc.nat(10 * MINUTE))), {
        maxLength: 40,
        size: 'max',
      })
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          // Every command of the previous history has ended by then, and is deleted.
          start += 10 * DAY
          await store.commands.expireOverdue(start)
          await store.outbox.claim(start, start, 1)
          let now = start
          const { play, check } = createHistory(store)
          for (const [one, passedMs] of steps) {
            now += passedMs
            await play(one, now)
            await check()
          }
          await play({ kind: 'claim', limit: 100 }, now + LEASE_MS)
        }),
        { numRuns: RUNS, endOnFailure: process.env['PROPERTY_RUNS'] === undefined },
      )
    })
  })
}
