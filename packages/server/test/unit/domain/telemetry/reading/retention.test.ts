import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readDeltas } from '../../../../../src/domain/telemetry/reading/delta.ts'
import {
  getRetentionCutoff,
  boundaryReadingCount,
} from '../../../../../src/domain/telemetry/reading/retention.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

describe('readings that are kept when earlier ones are deleted', () => {
  test('none of a gauge, the last of a register', () => {
    assert.equal(boundaryReadingCount('gauge', [1, 2, 3]), 0)
    assert.equal(boundaryReadingCount('register', [1, 2, 3]), 1)
    assert.equal(boundaryReadingCount('register', []), 0)
  })

  test('two deltas: the newest one is as long as the step before it', () => {
    assert.equal(boundaryReadingCount('delta', []), 0)
    assert.equal(boundaryReadingCount('delta', [5]), 1)
    assert.equal(boundaryReadingCount('delta', [0, 30, 60, 90]), 2)
  })

  test('the last delta keeps the time that it covers, whatever comes after', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(gaps, fc.option(fc.integer({ min: 1, max: 5000 })), (before, after) => {
        let at = 0
        const old = before.map((gap) => (at += gap * MINUTE))
        const next = after === null ? [] : [at + after * MINUTE]
        const edge = old.slice(old.length - boundaryReadingCount('delta', old))
        const meter = (timestamps: number[]) =>
          readDeltas({ timestamps, values: timestamps.map(() => 1) }, { maxPerHour: null })
        const [whole, left] = [meter([...old, ...next]), meter([...edge, ...next])]
        const span = { from: at, to: at + DAY }
        assert.deepEqual(left.cell(span), whole.cell(span))
      }),
    )
  })
})

describe('the cut-off of a retention', () => {
  test('is at midnights of UTC, two days apart', () => {
    const noon = Date.UTC(2026, 2, 31, 12)
    assert.deepEqual(getRetentionCutoff(noon, 10 * DAY), {
      immutableBefore: Date.UTC(2026, 2, 21),
      retentionWatermark: Date.UTC(2026, 2, 19),
    })
  })

  test('spares days that may not be over, however short the retention is', () => {
    assert.deepEqual(
      getRetentionCutoff(Date.UTC(2026, 2, 31), 0),
      getRetentionCutoff(Date.UTC(2026, 2, 31), 2 * DAY),
    )
  })
})
