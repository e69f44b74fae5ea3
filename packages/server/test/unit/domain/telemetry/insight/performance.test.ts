import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meanOfDays, scoreDay, toScore } from '../../../../../src/domain/telemetry/insight/performance.ts'
import { median } from '../../../../../src/kernel/statistics.ts'

test('50 equals the peers, 100 is no consumption, 0 is twice as much or more', () => {
  assert.equal(toScore({ actual: 4, baseline: 4 }), 50)
  assert.equal(toScore({ actual: 0, baseline: 4 }), 100)
  assert.equal(toScore({ actual: 8, baseline: 4 }), 0)
  assert.equal(toScore({ actual: 80, baseline: 4 }), 0)
  assert.equal(toScore({ actual: null, baseline: 4 }), null)
  assert.equal(toScore({ actual: 4, baseline: 0 }), null)
})

test('a day is the mean of the utilities that can be scored', () => {
  const day = scoreDay(0, {
    electricity: { actual: 4, baseline: 4 },
    water: { actual: 0, baseline: 1 },
    gas: { actual: 1, baseline: null },
  })
  assert.equal(day.value, 75)
  assert.deepEqual(day.components, { electricity: 50, water: 100 })
  assert.equal(scoreDay(0, {}).value, null)
})

test('a month is the mean of its closed days', () => {
  const days = [
    scoreDay(0, { water: { actual: 0, baseline: 1 } }),
    scoreDay(1, { water: { actual: 1, baseline: 1 } }),
    scoreDay(2, {}),
  ]
  assert.equal(meanOfDays(0, days).value, 75)
  assert.equal(meanOfDays(0, days).quality, 'partial')
})

test('the median of an even number is the mean of the middle two', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(median([]), null)
})
