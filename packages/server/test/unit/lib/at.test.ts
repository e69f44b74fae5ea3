import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../../src/lib/at.ts'

test('an element is found by its index, and an index outside of the list throws', () => {
  assert.equal(at([0, 7], 0), 0)
  assert.equal(at(Float64Array.of(1, 2), 1), 2)
  for (const index of [-1, 2, Number.NaN]) assert.throws(() => at([0, 7], index), RangeError)
})
