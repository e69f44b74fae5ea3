import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDeltas } from '../../../../../src/domain/telemetry/reading/delta.ts'
import { gaugeCell, markQuarters, quartersIn } from '../../../../../src/domain/telemetry/reading/gauge.ts'
import { consumption } from '../../../../support/consumption.ts'

const MINUTE = 60_000
const HALF = 30 * MINUTE
const rules = { maxPerHour: null }

const halfHourly = (...values: number[]) => ({ timestamps: values.map((_, index) => index * HALF), values })

test('deltas are summed over the interval that starts at their timestamp', () => {
  const deltas = readDeltas(halfHourly(1, 2, 3, 4), rules)
  assert.deepEqual(consumption(deltas, { from: 0, to: 2 * HALF }), {
    value: 3,
    quality: 'measured',
    coverage: 1,
  })
  assert.deepEqual(consumption(deltas, { from: 0, to: 4 * HALF }), {
    value: 10,
    quality: 'measured',
    coverage: 1,
  })
})

test('a window shorter than the step gets its share', () => {
  const deltas = readDeltas(halfHourly(1, 2), rules)
  assert.deepEqual(consumption(deltas, { from: 0, to: HALF / 2 }), {
    value: 0.5,
    quality: 'measured',
    coverage: 1,
  })
  assert.deepEqual(consumption(deltas, { from: HALF / 2, to: HALF }), {
    value: 0.5,
    quality: 'estimated',
    coverage: 1,
  })
})

test('next to a gap a delta keeps the step of its meter', () => {
  const deltas = readDeltas({ timestamps: [0, HALF, 20 * HALF, 21 * HALF], values: [1, 2, 3, 4] }, rules)
  assert.deepEqual(consumption(deltas, { from: HALF, to: 3 * HALF }), {
    value: 2,
    quality: 'partial',
    coverage: 0.5,
  })
  assert.equal(consumption(deltas, { from: 2 * HALF, to: 20 * HALF }).value, null)
})

test('a delta above maxPerHour is suspect', () => {
  const deltas = readDeltas(halfHourly(1, 9), { maxPerHour: 10 })
  assert.equal(consumption(deltas, { from: HALF, to: 2 * HALF }).quality, 'suspect')
})

test('a gauge window has count, sum, extremes and the quarter hours with a reading', () => {
  const readings = { timestamps: [0, 5 * MINUTE, 20 * MINUTE, 60 * MINUTE], values: [1, 3, 8, 100] }
  const cell = gaugeCell(readings, { from: 0, to: 60 * MINUTE })
  assert.deepEqual([cell.count, cell.sum, cell.min, cell.max], [3, 12, 1, 8])
  const seen = new Uint8Array(4)
  markQuarters(seen, 0, cell, 0)
  assert.deepEqual([...seen], [1, 1, 0, 0])
  assert.equal(quartersIn({ from: 0, to: 60 * MINUTE }), 4)
})
