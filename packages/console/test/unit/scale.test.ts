import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseScale, labelGridLines, listGridLines } from '../../src/charts/scale.ts'

const labels = (...args: Parameters<typeof chooseScale>): string[] => {
  const scale = chooseScale(...args)
  return labelGridLines(listGridLines(scale), scale.step)
}

describe('the axis of values', () => {
  test('amounts begin at zero and end at a round number', () => {
    assert.deepEqual(labels(0.3, 3.8, true, 4), ['0', '1', '2', '3', '4'])
    assert.deepEqual(labels(0, 0.28, true, 4), ['0.0', '0.1', '0.2', '0.3'])
    assert.deepEqual(labels(1200, 4800, true, 4), ['0', '2,000', '4,000', '6,000'])
  })

  test('climate shows the range of its values', () => {
    assert.deepEqual(labels(18.4, 23.1, false, 4), ['18', '20', '22', '24'])
    assert.deepEqual(labels(-3, 4, false, 4), ['-4', '-2', '0', '2', '4', '6'])
  })

  test('equal values, and only zeros', () => {
    assert.deepEqual(labels(0, 0, true, 4), ['0', '1'])
    const scale = chooseScale(21, 21, false, 4)
    assert.ok(scale.min < 21 && scale.max > 21)
  })
})
