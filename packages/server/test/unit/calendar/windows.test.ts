import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Windows } from '../../../src/calendar/interval.ts'

test('windows are the spans between adjacent edges', () => {
  const windows = new Windows([0, 10, 25])
  assert.equal(windows.length, 2)
  assert.deepEqual([windows.from(0), windows.to(0), windows.from(1), windows.to(1)], [0, 10, 10, 25])
  assert.deepEqual(windows.span(1), { from: 10, to: 25 })
  assert.deepEqual(windows.whole, { from: 0, to: 25 })
  assert.deepEqual(
    [...windows],
    [
      { from: 0, to: 10 },
      { from: 10, to: 25 },
    ],
  )
  assert.deepEqual([...windows.endingBy(24)], [{ from: 0, to: 10 }])
})

test('an index outside the windows throws, although there is an edge', () => {
  const windows = new Windows([0, 10, 25])
  for (const index of [-1, 2, 0.5, Number.NaN]) {
    assert.throws(() => windows.from(index), RangeError)
    assert.throws(() => windows.to(index), RangeError)
    assert.throws(() => windows.span(index), RangeError)
  }
  for (const edges of [[], [0]]) assert.throws(() => new Windows(edges), RangeError)
  assert.throws(() => windows.endingBy(9), RangeError)
})

test('a window is found by its start, and the end of the last one is not a start', () => {
  const windows = new Windows([0, 10, 25])
  assert.deepEqual(
    [0, 10, 25, 7].map((at) => windows.indexOf(at)),
    [0, 1, -1, -1],
  )
})
