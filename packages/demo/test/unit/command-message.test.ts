import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCommandMessage } from '../../src/simulator/command-message.ts'

const commandUuid = '3f0d3a51-7a70-4d1c-9c8e-0d4f0c1b2a33'
const other = '8a4e1f9e-52b5-4a6b-8f0a-7f3a0c9d1e22'
const expiresAt = '2026-11-16T12:00:00.000Z'
const read = (message: unknown) =>
  readCommandMessage(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)))

describe('a message to a simulated device', () => {
  for (const type of ['weekly', 'oneOff', 'override', 'boost', 'resume', 'target']) {
    test(`${type} is a command, whatever other fields it has`, () => {
      const message = { commandUuid, type, issuedAt: expiresAt, expiresAt, schedule: { type }, more: 1 }
      assert.deepEqual(read(message), {
        kind: 'command',
        commandUuid,
        expiresAt: Date.UTC(2026, 10, 16, 12),
      })
    })
  }

  test('cancel refers to the command that it names', () => {
    const cancel = { kind: 'cancel', commandUuid: other }
    assert.deepEqual(read({ type: 'cancel', cancels: other }), cancel)
    assert.deepEqual(read({ commandUuid, type: 'cancel', issuedAt: expiresAt, cancels: other }), cancel)
  })

  test('anything else is not a message', () => {
    const wrong = [
      '',
      '{',
      'null',
      '[]',
      '1',
      {},
      { commandUuid, expiresAt },
      { commandUuid, type: 'dance', expiresAt },
      { commandUuid: 'x', type: 'resume', expiresAt },
      { commandUuid: `${commandUuid}/../..`, type: 'resume', expiresAt },
      { commandUuid, type: 'resume' },
      { commandUuid, type: 'resume', expiresAt: 'tomorrow' },
      { commandUuid, type: 'resume', expiresAt: 1 },
      { commandUuid, type: 'cancel' },
      { commandUuid, type: 'cancel', cancels: 'x' },
    ]
    for (const message of wrong) assert.equal(read(message), undefined, JSON.stringify(message))
  })
})
