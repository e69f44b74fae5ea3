import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addGaugeCells, NO_GAUGE } from '../../../../../src/domain/telemetry/reading/cell.ts'
import { readDeltas } from '../../../../../src/domain/telemetry/reading/delta.ts'
import { gaugeCell } from '../../../../../src/domain/telemetry/reading/gauge.ts'
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

const DAY = 48 * HALF

test('without a declared step, a delta covers the time until the next one, at most a day', () => {
  const deltas = readDeltas({ timestamps: [0, HALF, 20 * HALF, 100 * HALF], values: [1, 19, 48, 4] }, rules)
  assert.deepEqual(consumption(deltas, { from: HALF, to: 20 * HALF }), {
    value: 19,
    quality: 'measured',
    coverage: 1,
  })
  assert.equal(consumption(deltas, { from: 20 * HALF, to: 21 * HALF }).value, 1)
  assert.equal(consumption(deltas, { from: 20 * HALF + DAY, to: 100 * HALF }).value, null)
})

test('the newest delta is as long as the last step; a single one covers half an hour', () => {
  const deltas = readDeltas({ timestamps: [0, 2 * HALF], values: [1, 2] }, rules)
  assert.equal(consumption(deltas, { from: 3 * HALF, to: 4 * HALF }).value, 1)
  assert.equal(consumption(deltas, { from: 4 * HALF, to: 5 * HALF }).value, null)
  const single = readDeltas({ timestamps: [0], values: [2] }, rules)
  assert.deepEqual(consumption(single, { from: 0, to: 2 * HALF }), {
    value: 2,
    quality: 'partial',
    coverage: 0.5,
  })
})

test('a declared step decides the length, except where the next delta begins earlier', () => {
  const timestamps = [0, 10 * HALF, 11 * HALF]
  const deltas = readDeltas({ timestamps, values: [2, 3, 4] }, { ...rules, stepMinutes: 60 })
  assert.deepEqual(consumption(deltas, { from: 0, to: 4 * HALF }), {
    value: 2,
    quality: 'partial',
    coverage: 0.5,
  })
  assert.equal(consumption(deltas, { from: 10 * HALF, to: 11 * HALF }).value, 3)
  assert.equal(consumption(deltas, { from: 11 * HALF, to: 13 * HALF }).value, 4)
})

test('a meter may stamp the end of the interval', () => {
  const timestamps = [2 * HALF, 4 * HALF, 8 * HALF]
  const declared = readDeltas({ timestamps, values: [2, 4, 8] }, { ...rules, stamp: 'end', stepMinutes: 60 })
  assert.deepEqual(consumption(declared, { from: 0, to: 4 * HALF }), {
    value: 6,
    quality: 'measured',
    coverage: 1,
  })
  assert.equal(consumption(declared, { from: 4 * HALF, to: 6 * HALF }).value, null)
  const free = readDeltas({ timestamps, values: [2, 4, 8] }, { ...rules, stamp: 'end' })
  assert.equal(consumption(free, { from: 4 * HALF, to: 6 * HALF }).value, 4)
  assert.equal(consumption(free, { from: HALF, to: 2 * HALF }).value, 2)
  assert.equal(consumption(free, { from: 0, to: HALF }).value, null)
})

test('a delta above maxPerHour is suspect', () => {
  const deltas = readDeltas(halfHourly(1, 9), { maxPerHour: 10 })
  assert.equal(consumption(deltas, { from: HALF, to: 2 * HALF }).quality, 'suspect')
})

const HOUR = 60 * MINUTE

test('a gauge window has count, sum, extremes and the time that no reading stands for', () => {
  const readings = { timestamps: [0, 5 * MINUTE, 20 * MINUTE, HOUR], values: [1, 3, 8, 100] }
  const { gaps, ...cell } = gaugeCell(readings, { from: 0, to: HOUR }, 15 * MINUTE)
  assert.deepEqual(cell, { count: 3, sum: 12, min: 1, max: 8, standing: 0 })
  assert.deepEqual(gaps, [35 * MINUTE, HOUR])
  assert.deepEqual(gaugeCell(readings, { from: 0, to: HOUR }, HOUR).gaps, [])
})

test('a reading stands beyond its window, up to the limit', () => {
  const readings = { timestamps: [50 * MINUTE, 5 * HOUR], values: [21, 22] }
  assert.deepEqual(gaugeCell(readings, { from: HOUR, to: 2 * HOUR }, HOUR), {
    count: 0,
    sum: 21,
    min: 21,
    max: 21,
    standing: 1,
    gaps: [50 * MINUTE, HOUR],
  })
  assert.equal(gaugeCell(readings, { from: 2 * HOUR, to: 3 * HOUR }, HOUR), NO_GAUGE)
  assert.deepEqual(gaugeCell(readings, { from: 5 * HOUR, to: 6 * HOUR }, HOUR).gaps, [])
})

test('several gauges cover what one of them covers; standing values count only without a reading', () => {
  const read = gaugeCell({ timestamps: [0], values: [20] }, { from: 0, to: HOUR }, 10 * MINUTE)
  const stands = gaugeCell({ timestamps: [-MINUTE], values: [30] }, { from: 0, to: HOUR }, 31 * MINUTE)
  assert.deepEqual(addGaugeCells([read, stands, NO_GAUGE]), {
    count: 1,
    sum: 20,
    min: 20,
    max: 20,
    standing: 0,
    gaps: [30 * MINUTE, HOUR],
  })
  assert.deepEqual(addGaugeCells([stands, stands]).standing, 2)
})
