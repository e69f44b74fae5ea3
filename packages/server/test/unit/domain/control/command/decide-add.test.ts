import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_STATES } from '../../../../../src/domain/control/command/command.ts'
import { canSupersede, decideAdd } from '../../../../../src/domain/control/command/decide-add.ts'
import { isFinal } from '../../../../../src/domain/control/command/states.ts'
import { newUuid } from '../../../../../src/kernel/ids.ts'
import { newCommand, newUnit } from '../../../../support/commands.ts'
import { NOON } from '../../../../support/seed.ts'

const UNFINISHED = COMMAND_STATES.filter((state) => !isFinal(state))

const cases = fc.record({
  state: fc.constantFrom('PENDING' as const, 'FAILED' as const),
  runsOnServer: fc.boolean(),
  hasKey: fc.boolean(),
  endsAt: fc.option(fc.constant(NOON + 3_600_000)),
  older: fc.array(
    fc.record({
      state: fc.constantFrom(...UNFINISHED),
      leasedUntil: fc.option(fc.constant(NOON + 30_000)),
    }),
    { maxLength: 4 },
  ),
})

test('a new command comes with its message, key and audit entry, and ends what it supersedes', () => {
  fc.assert(
    fc.property(cases, ({ state, runsOnServer, hasKey, endsAt, older }) => {
      const unit = newUnit()
      const key = hasKey
        ? { partnerUuid: newUuid(), key: 'key', digest: new Uint8Array([1, 2, 3]) }
        : undefined
      const added = newCommand(unit, { state }, { runsOnServer, endsAt, key })
      const { command } = added
      const superseded = canSupersede(command)
        ? older.map(({ leasedUntil, ...changes }) => ({
            command: newCommand(unit, { ...changes, createdAt: NOON - 60_000 }).command,
            leasedUntil,
          }))
        : []
      const decision = decideAdd(added, superseded)

      assert.deepEqual(decision.command, command)
      assert.equal(decision.endsAt, endsAt)
      assert.equal(decision.startsServerSchedule, runsOnServer)
      assert.deepEqual(decision.key, key)
      const isOver = state === 'FAILED'
      assert.equal(decision.deadlineAt, isOver ? null : command.expiresAt)
      assert.equal(decision.message?.messageUuid, isOver ? undefined : command.commandUuid)
      assert.deepEqual(
        decision.audit.map(({ action }) => action),
        isOver ? ['command.accepted', 'command.failed'] : ['command.accepted'],
      )
      assert.equal(decision.transitions.length, superseded.length)
      for (const [place, transition] of decision.transitions.entries()) {
        assert.equal(transition.command.commandUuid, superseded[place]?.command.commandUuid)
        assert.equal(transition.command.state, 'CANCELLED')
        assert.equal(transition.command.failureReason?.code, 'SUPERSEDED')
        assert.equal(transition.command.updatedAt, command.createdAt)
      }
    }),
  )
})

test('a command that has failed already supersedes nothing', () => {
  for (const state of COMMAND_STATES)
    assert.equal(canSupersede(newCommand(newUnit(), { state }).command), !isFinal(state))
})
