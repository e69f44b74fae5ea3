import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChangeTracker } from '../../../src/store/change-tracker.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const NONE = Number.NEGATIVE_INFINITY
const SERIES = 7

/**
 * One reading each, at these instants, with sequence numbers 1, 2, 3, …; `previous` is queried for the earlier ones.
 */
function arrivals(...instants: number[]) {
  const changes = createChangeTracker()
  instants.forEach((at, index) => {
    const earlier = instants.slice(0, index).filter((one) => one < at)
    changes.record(index + 1, SERIES, at, at, Math.max(NONE, ...earlier))
  })
  return (at: number): number => changes.before(SERIES, at)
}

test('appended readings change nothing before the previous reading', () => {
  const changedBefore = arrivals(HOUR, 2 * HOUR, 3 * HOUR)
  assert.equal(changedBefore(HOUR), 1)
  assert.equal(changedBefore(2 * HOUR), 2)
  assert.equal(changedBefore(3 * HOUR), 3)
})

test('the first reading after the end of an hour changes it, the second does not', () => {
  assert.equal(arrivals(59 * MINUTE, 61 * MINUTE)(HOUR), 2)
  assert.equal(arrivals(59 * MINUTE, 61 * MINUTE, 62 * MINUTE)(HOUR), 2)
})

test('a late reading changes everything from the previous reading on', () => {
  const changedBefore = arrivals(HOUR, 2 * HOUR, 5 * HOUR, 6 * HOUR, 3 * HOUR)
  assert.equal(changedBefore(2 * HOUR), 2)
  assert.equal(changedBefore(2 * HOUR + 1), 5)
  assert.equal(changedBefore(9 * HOUR), 5)
})

test('a late reading without a known previous one changes everything', () => {
  assert.equal(arrivals(2 * HOUR, 3 * HOUR, HOUR)(0), 3)
})

test('appended readings are recognised, also when the previous ones are no longer in the journal', () => {
  const changes = createChangeTracker()
  changes.record(1, SERIES, HOUR, HOUR, NONE)
  changes.record(2, SERIES, 2 * HOUR, 2 * HOUR, NONE)
  assert.equal(changes.before(SERIES, HOUR), 1)
})

test('of many changes the oldest are merged, and none is lost', () => {
  const instants = Array.from({ length: 30 }, (_, index) => index * HOUR)
  const changedBefore = arrivals(...instants)
  for (let hour = 1; hour < 29; hour += 1) assert.ok(changedBefore(hour * HOUR) >= hour + 1, `hour ${hour}`)
  assert.equal(changedBefore(28 * HOUR), 29)
})

test('a missed change may be of any series and any time', () => {
  const changes = createChangeTracker()
  changes.record(1, SERIES, HOUR, HOUR, NONE)
  changes.markGap(4)
  assert.equal(changes.before(SERIES, 0), 4)
  assert.equal(changes.before(8, 0), 4)
})
