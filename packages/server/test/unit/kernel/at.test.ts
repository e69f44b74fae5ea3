import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, byteAt, float32At, float64At, int32At, numberAt } from '../../../src/kernel/at.ts'

test('an element is returned by its index, and an index outside the list throws', () => {
  assert.equal(at(['', 'b'], 0), '')
  assert.equal(numberAt([0, 7], 0), 0)
  assert.equal(float64At(Float64Array.of(0, 7), 0), 0)
  assert.equal(float32At(Float32Array.of(0, 7), 0), 0)
  assert.equal(int32At(Int32Array.of(0, 7), 0), 0)
  assert.equal(byteAt(Uint8Array.of(0, 7), 0), 0)
  for (const index of [-1, 2, Number.NaN]) {
    assert.throws(() => at(['', 'b'], index), RangeError)
    assert.throws(() => numberAt([0, 7], index), RangeError)
    assert.throws(() => float64At(Float64Array.of(0, 7), index), RangeError)
    assert.throws(() => float32At(Float32Array.of(0, 7), index), RangeError)
    assert.throws(() => int32At(Int32Array.of(0, 7), index), RangeError)
    assert.throws(() => byteAt(Uint8Array.of(0, 7), index), RangeError)
  }
})
