import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  correctionDueAt,
  includesChange,
} from '../../../../../src/domain/telemetry/closed-days/correction.ts'

const FIRST_AT = 1_000_000
const stored = { end: 20, firstAt: FIRST_AT, dueAt: correctionDueAt(FIRST_AT, FIRST_AT) }

describe('a correction', () => {
  test('is due ten seconds after its last change, and five minutes after its first at the latest', () => {
    assert.equal(correctionDueAt(FIRST_AT, FIRST_AT + 60_000), FIRST_AT + 70_000)
    assert.equal(correctionDueAt(FIRST_AT, FIRST_AT + 600_000), FIRST_AT + 300_000)
  })

  test('includes a change of its days that would postpone it by less than two and a half seconds', () => {
    assert.equal(includesChange(stored, 20, FIRST_AT + 2_499), true)
    assert.equal(includesChange(stored, 19, FIRST_AT), true)
    assert.equal(includesChange(stored, 20, FIRST_AT + 2_500), false)
  })

  test('does not include a later day', () => {
    assert.equal(includesChange(stored, 21, FIRST_AT), false)
  })

  test('includes every change of its days once it can no longer be postponed', () => {
    const postponed = { ...stored, dueAt: FIRST_AT + 300_000 }
    assert.equal(includesChange(postponed, 20, FIRST_AT + 299_999), true)
  })
})
