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

  test('deltas back to one whose length does not depend on the reading before', () => {
    const of = (...minutes: number[]) =>
      boundaryReadingCount(
        'delta',
        minutes.map((at) => at * MINUTE),
      )
    assert.equal(of(), 0)
    assert.equal(of(5), 1)
    assert.equal(of(0, 30, 60, 90), 2)
    assert.equal(of(0, 30, 70, 120, 180), 5)
    assert.equal(of(0, 30, 1470), 1)
    assert.equal(of(0, 30, 1469), 3)
  })

  test('each delta keeps the time that it covers, whatever comes after', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5000 }), (before, after) => {
        let at = 0
        const old = before.map((gap) => (at += gap * MINUTE))
        const next = at + after * MINUTE
        const edge = old.slice(old.length - boundaryReadingCount('delta', old))
        const meter = (timestamps: number[]) =>
          readDeltas({ timestamps, values: timestamps.map(() => 1) }, { maxPerHour: null })
        const [whole, left] = [meter([...old, next]), meter([...edge, next])]
        for (const from of edge) {
          const span = { from, to: from + DAY }
          assert.deepEqual(left.cell(span), whole.cell(span))
        }
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
