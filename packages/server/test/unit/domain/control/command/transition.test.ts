import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_STATES, type Command } from '../../../../../src/domain/control/command/command.ts'
import { isFinal, nextState } from '../../../../../src/domain/control/command/states.ts'
import { applyEvent, isRevoked } from '../../../../../src/domain/control/command/transition.ts'
import {
  EVENTS,
  makeEvent,
  newCommand,
  newDeviceRef,
  OVERRIDE,
  oneOff,
  WEEKLY,
} from '../../../../support/commands.ts'
import { NOON } from '../../../../support/seed.ts'

const LATEST = 48 * 3_600_000
/** Few cases concern a message with an unknown delivery result. */
const RUNS = { numRuns: 3_000 }

/** A command in any state, and an event at any time around its expiry. */
const cases = fc.record({
  command: fc
    .record({
      state: fc.constantFrom(...COMMAND_STATES),
      schedule: fc.constantFrom(WEEKLY, OVERRIDE, oneOff('2026-11-16T06:00Z', '2026-11-16T07:00Z')),
    })
    .map((changes): Command => newCommand(newDeviceRef(), changes).command),
  event: fc
    .record({ type: fc.constantFrom(...EVENTS), after: fc.integer({ min: 0, max: LATEST }) })
    .map(({ type, after }) => makeEvent(type, NOON + after)),
  leasedUntil: fc.option(fc.integer({ min: NOON, max: NOON + LATEST })),
})

test('an event without a transition from the current state changes nothing', () => {
  fc.assert(
    fc.property(cases, ({ command, event, leasedUntil }) => {
      const transition = applyEvent(command, event, leasedUntil)
      assert.equal(transition?.command.state, nextState(command.state, event.event))
    }),
    RUNS,
  )
})

test('a command that ends has no deadline and no message, changes the plan and is in the audit log', () => {
  fc.assert(
    fc.property(cases, ({ command: before, event, leasedUntil }) => {
      const transition = applyEvent(before, event, leasedUntil)
      if (!transition) return
      const { command, deadlineAt, stopsSending, changesPlan, audit } = transition
      const isOver = isFinal(command.state)
      assert.equal(deadlineAt === null, isOver)
      assert.equal(command.completedAt, isOver ? event.at : null)
      assert.equal(stopsSending, isOver || command.state === 'DELIVERED')
      assert.equal(changesPlan, isOver)
      assert.deepEqual(
        audit.map(({ at, action, target }) => [at, action, target]),
        isOver ? [[event.at, `command.${command.state.toLowerCase()}`, command.commandUuid]] : [],
      )
      assert.deepEqual(
        { ...command, state: '', updatedAt: 0, completedAt: null, failureReason: null },
        { ...before, state: '', updatedAt: 0, completedAt: null, failureReason: null },
      )
    }),
    RUNS,
  )
})

test('a device is sent a cancel for a revoked command that was or may have been sent, not before its lease expires', () => {
  fc.assert(
    fc.property(cases, ({ command: before, event, leasedUntil }) => {
      const transition = applyEvent(before, event, leasedUntil)
      if (!transition) return
      const { command, cancel } = transition
      const wasSent = before.state !== 'PENDING'
      const isInDoubt = !wasSent && leasedUntil !== null && event.at < before.expiresAt
      assert.equal(cancel !== undefined, isRevoked(command) && (wasSent || isInDoubt))
      if (!cancel) return
      assert.equal(cancel.body.cancels, command.commandUuid)
      assert.equal(cancel.dueAt, wasSent ? event.at : Math.max(event.at, leasedUntil ?? 0))
    }),
    RUNS,
  )
})
