import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_STATES, type CommandState } from '../../../../../src/domain/control/command/command.ts'
import {
  type CommandEventType,
  FINAL_STATES,
  isFinal,
  nextState,
  type ReasonCode,
  TRANSITIONS,
} from '../../../../../src/domain/control/command/states.ts'

const EVENTS = Object.keys(TRANSITIONS) as CommandEventType[]

/** By event: the state after it from PENDING, SENT and DELIVERED (undefined: it changes nothing), and its codes. */
const EXPECTED: Record<CommandEventType, [(CommandState | undefined)[], ReasonCode[]]> = {
  'taken-by-broker': [['SENT', undefined, undefined], []],
  'device-delivered': [['DELIVERED', 'DELIVERED', undefined], []],
  'device-confirmed': [['CONFIRMED', 'CONFIRMED', 'CONFIRMED'], []],
  'server-confirmed': [['CONFIRMED', 'CONFIRMED', 'CONFIRMED'], []],
  'device-rejected': [['FAILED', 'FAILED', 'FAILED'], ['DEVICE_REJECTED']],
  'gave-up': [
    ['FAILED', 'FAILED', undefined],
    ['DEVICE_OFFLINE', 'GATEWAY_ERROR'],
  ],
  'no-confirmation': [[undefined, undefined, 'FAILED'], ['NO_CONFIRMATION']],
  offline: [['FAILED', 'FAILED', undefined], ['DEVICE_OFFLINE']],
  expired: [['EXPIRED', 'EXPIRED', 'EXPIRED'], []],
  cancelled: [['CANCELLED', 'CANCELLED', 'CANCELLED'], ['REQUESTED']],
  superseded: [['CANCELLED', 'CANCELLED', 'CANCELLED'], ['SUPERSEDED']],
}

for (const event of EVENTS) {
  const [states, reasons] = EXPECTED[event]
  test(`${event}: PENDING, SENT, DELIVERED become ${states.map((state) => state ?? 'nothing new').join(', ')}`, () => {
    const after = (['PENDING', 'SENT', 'DELIVERED'] as const).map((state) => nextState(state, event))
    assert.deepEqual(after, states)
    assert.deepEqual(TRANSITIONS[event].reasons, reasons)
  })
}

test('CONFIRMED, FAILED, EXPIRED and CANCELLED are final: late responses change nothing', () => {
  assert.deepEqual(FINAL_STATES, ['CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'])
  for (const state of FINAL_STATES)
    for (const event of EVENTS) assert.equal(nextState(state, event), undefined)
})

test('FAILED and CANCELLED have a code, other states have none', () => {
  for (const { to, reasons } of Object.values(TRANSITIONS)) {
    assert.equal(reasons.length > 0, to === 'FAILED' || to === 'CANCELLED')
  }
})

test('no sequence of events leaves a final state, steps back or repeats a state', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 20 }), (events) => {
      const path: CommandState[] = ['PENDING']
      let state: CommandState = 'PENDING'
      for (const event of events) {
        const after = nextState(state, event)
        if (after === undefined) continue
        assert.ok(!isFinal(state), `${event} led out of ${state}`)
        assert.ok(COMMAND_STATES.indexOf(after) > COMMAND_STATES.indexOf(state), `${state} ${event} ${after}`)
        path.push((state = after))
      }
      assert.equal(new Set(path).size, path.length)
    }),
  )
})
