import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  describeQuality,
  findGaps,
  findLonely,
  findMarks,
  getMark,
  splitLine,
} from '../../src/charts/quality.ts'
import { toWindows } from '../../src/charts/windows.ts'
import { makeSeries } from './series.ts'

describe('the quality of windows', () => {
  test('words of the table', () => {
    const words = (quality: string, value: number | null, coverage: number): string =>
      describeQuality({ quality, value, coverage })
    assert.equal(words('measured', 1, 1), '')
    assert.equal(words('estimated', 1, 0), 'estimated')
    assert.equal(words('partial', 1, 0.4), 'partial, 40 %')
    assert.equal(words('partial', 1, 0.999), 'partial, 99 %')
    assert.equal(words('partial', 1, 0.001), 'partial, 1 %')
    assert.equal(words('suspect', 1, 1), 'suspect')
    assert.equal(words('missing', null, 0), 'no data')
  })

  test('zero is a value', () => {
    assert.equal(getMark({ quality: 'measured', value: 0 }), 'measured')
    assert.deepEqual(findGaps(toWindows(makeSeries([0, 0, null, 0]))), [[2, 2]])
    assert.deepEqual(splitLine(toWindows(makeSeries([0, 0]))).solid, [0, 0])
  })

  test('a quality that a later server adds is drawn as measured and named', () => {
    assert.equal(getMark({ quality: 'corrected', value: 1 }), 'measured')
    assert.equal(describeQuality({ quality: 'corrected', value: 1, coverage: 1 }), 'corrected')
  })

  test('windows without data in a row are one gap', () => {
    const windows = toWindows(makeSeries([null, null, 1, null, 2, null]))
    assert.deepEqual(findGaps(windows), [
      [0, 1],
      [3, 3],
      [5, 5],
    ])
    assert.deepEqual(findLonely(windows), [2, 4])
  })

  test('estimated windows and their neighbours are dashed', () => {
    const windows = toWindows(
      makeSeries([1, 2, 3, 4, 5, 6], {
        quality: ['measured', 'measured', 'estimated', 'measured', 'measured', 'measured'],
      }),
    )
    assert.deepEqual(splitLine(windows), {
      solid: [1, 2, null, 4, 5, 6],
      dashed: [null, 2, 3, 4, null, null],
    })
  })

  test('the legend lists the qualities that occur', () => {
    const quality = ['measured', 'suspect', 'missing', 'partial']
    assert.deepEqual(findMarks(toWindows(makeSeries([1, 2, null, 4], { quality }))), [
      'partial',
      'suspect',
      'missing',
    ])
  })
})
