import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDeltas } from '../../../src/reading/delta.ts'
import { quartersIn, readGauge } from '../../../src/reading/gauge.ts'

const MINUTE = 60_000
const HALF = 30 * MINUTE
const rules = { maxPerHour: null }

const halfHourly = (...values: number[]) => ({ timestamps: values.map((_, index) => index * HALF), values })

test('deltas are summed by the interval that starts at their timestamp', () => {
  const deltas = readDeltas(halfHourly(1, 2, 3, 4), rules)
  assert.deepEqual(deltas.consumption({ from: 0, to: 2 * HALF }), {
    value: 3,
    quality: 'measured',
    coverage: 1,
  })
  assert.deepEqual(deltas.consumption({ from: 0, to: 4 * HALF }), {
    value: 10,
    quality: 'measured',
    coverage: 1,
  })
})

test('a window shorter than the step gets its share', () => {
  const deltas = readDeltas(halfHourly(1, 2), rules)
  assert.deepEqual(deltas.consumption({ from: 0, to: HALF / 2 }), {
    value: 0.5,
    quality: 'measured',
    coverage: 1,
  })
  assert.deepEqual(deltas.consumption({ from: HALF / 2, to: HALF }), {
    value: 0.5,
    quality: 'estimated',
    coverage: 1,
  })
})

test('beside a gap a delta keeps the step of its meter', () => {
  const deltas = readDeltas({ timestamps: [0, HALF, 20 * HALF, 21 * HALF], values: [1, 2, 3, 4] }, rules)
  assert.deepEqual(deltas.consumption({ from: HALF, to: 3 * HALF }), {
    value: 2,
    quality: 'partial',
    coverage: 0.5,
  })
  assert.equal(deltas.consumption({ from: 2 * HALF, to: 20 * HALF }).value, null)
})

test('a delta above maxPerHour is suspect', () => {
  const deltas = readDeltas(halfHourly(1, 9), { maxPerHour: 10 })
  assert.equal(deltas.consumption({ from: HALF, to: 2 * HALF }).quality, 'suspect')
})

test('a gauge window knows count, sum, extremes and the quarter hours with a reading', () => {
  const readings = { timestamps: [0, 5 * MINUTE, 20 * MINUTE, 60 * MINUTE], values: [1, 3, 8, 100] }
  const window = readGauge(readings, { from: 0, to: 60 * MINUTE })
  assert.deepEqual([window.count, window.sum, window.min, window.max, window.quarters.size], [3, 12, 1, 8, 2])
  assert.equal(quartersIn({ from: 0, to: 60 * MINUTE }), 4)
})
