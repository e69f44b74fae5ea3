import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Base,
  compareValues,
  compareWithPast,
  compareWithPeers,
  compareWithTarget,
  readBase,
  type ReadSeries,
  sumSteps,
} from '../../../../../src/domain/telemetry/series/compare.ts'
import {
  addMeterWindow,
  addMissingMeterWindow,
  createMeterColumns,
  MEASURED,
  type Series,
  SUSPECT,
} from '../../../../../src/domain/telemetry/series/columns.ts'
import { summarizeSum } from '../../../../../src/domain/telemetry/series/meter-series.ts'
import { Windows } from '../../../../../src/calendar/interval.ts'

const DAY = 86_400_000

/** Values of consecutive days: null is missing, and a text is a suspect value. */
type Days = readonly (number | string | null)[]

const toEdges = (days: number, first = 0): number[] =>
  Array.from({ length: days + 1 }, (_, day) => (first + day) * DAY)

function toSeries(windows: Windows, days: Days): Series {
  const columns = createMeterColumns()
  for (const day of days)
    if (day === null) addMissingMeterWindow(columns)
    else addMeterWindow(columns, Number(day), typeof day === 'string' ? SUSPECT : MEASURED, 1)
  return { columns: { windows, ...columns }, summary: summarizeSum(columns) }
}

/** Reads days from the past (before 0) and of a range (from 0 on), day by day or as a whole. */
const reader =
  (past: Days, range: Days): ReadSeries =>
  async (windows) => {
    const days = windows.from(0) < 0 ? past : range
    if (windows.length === days.length) return toSeries(windows, days)
    assert.equal(windows.length, 1)
    const known = days.filter((day) => day !== null)
    const sum = known.reduce<number>((total, day) => total + Number(day), 0)
    const whole = toSeries(windows, [days.some((day) => typeof day === 'string') ? String(sum) : sum])
    return { ...whole, columns: { ...whole.columns, coverage: [known.length / days.length] } }
  }

const compare = (past: Days, range: Days) =>
  compareWithPast(
    {
      current: new Windows(toEdges(range.length)),
      past: new Windows(toEdges(past.length, -past.length)),
      counterparts: past.map((_, day) => (day < range.length ? day : undefined)),
    },
    toSeries(new Windows(toEdges(range.length)), range).summary,
    reader(past, range),
  )

describe('a comparison with the past', () => {
  test('has the total of the past, its coverage and the change', async () => {
    assert.deepEqual(await compare([2, 2], [3, 3]), { value: 4, changePercent: 50, coverage: 1 })
  })

  test('leaves a suspect day out on both sides', async () => {
    const expected = { value: 4, changePercent: 50, coverage: 1 }
    assert.deepEqual(await compare([2, 7, 2], [3, '900', 3]), expected)
    assert.deepEqual(await compare([2, '900', 2], [3, 7, 3]), expected)
    assert.deepEqual(await compare([2, '900', 2, 7], [3, 7, 3, '800']), expected)
    assert.deepEqual(await compare(['1'], [2]), { value: null, changePercent: null, coverage: 0 })
  })

  test('a suspect day without a counterpart lowers the coverage', async () => {
    assert.deepEqual(await compare([2, 2, '900'], [3, 3]), {
      value: 4,
      changePercent: null,
      coverage: 0.6667,
    })
  })

  test('shows a base with too little data, but no change', async () => {
    const nine = Array.from({ length: 9 }, () => 1)
    assert.deepEqual(await compare([...nine, null], [...nine, 1]), {
      value: 9,
      changePercent: 11.1111,
      coverage: 0.9,
    })
    assert.deepEqual(await compare([1, 1, null], [1, 1, 1]), {
      value: 2,
      changePercent: null,
      coverage: 0.6667,
    })
  })

  test('has no change against nothing', () => {
    assert.equal(compareValues(1, { value: 0, coverage: 1 }).changePercent, null)
    assert.equal(compareValues(null, { value: 1, coverage: 1 }).changePercent, null)
  })
})

describe('a comparison with peers', () => {
  const full = (value: number | null): Base => ({ value, coverage: 1 })

  test('has the mean of all, the space included, and its percentile', () => {
    assert.deepEqual(compareWithPeers(5, full(5), [full(1), full(2), full(4)]), {
      value: 3,
      changePercent: 66.6667,
      percentile: 100,
      coverage: 1,
    })
  })

  test('needs three others with a value', () => {
    const none = { value: null, changePercent: null, percentile: null, coverage: 0 }
    assert.deepEqual(compareWithPeers(5, full(5), [full(1), full(2), full(null)]), none)
    assert.equal(compareWithPeers(null, full(null), [full(1), full(2), full(3)]).value, 2)
  })

  test('shows an average with too little data, but neither change nor percentile', () => {
    const half = { value: 2, coverage: 0.5 }
    assert.deepEqual(compareWithPeers(2, full(2), [half, half, half]), {
      value: 2,
      changePercent: null,
      percentile: null,
      coverage: 0.625,
    })
  })
})

test('a target counts for the time that is not suspect', async () => {
  const compareDays = (days: Days) => {
    const steps = new Windows(toEdges(days.length))
    return compareWithTarget(2, steps, toSeries(steps, days).summary, reader([], days))
  }
  assert.deepEqual(await compareDays([3, 3, 3]), { value: 6, changePercent: 50, coverage: 1 })
  assert.deepEqual(await compareDays([3, '900', 3]), { value: 4, changePercent: 50, coverage: 1 })
})

test('a base is read as a whole unless something in it is suspect or left out', async () => {
  const windows = { whole: new Windows([0, 3 * DAY]), steps: new Windows(toEdges(3)) }
  const read = (days: Days, isLeftOut?: (step: number) => boolean) =>
    readBase(reader([], days), windows, isLeftOut)
  assert.deepEqual(await read([1, 2, 4]), { value: 7, coverage: 1 })
  assert.deepEqual(await read([1, '2', 4]), { value: 5, coverage: 0.6667 })
  assert.deepEqual(await read([1, 2, 4], (step) => step === 0), { value: 6, coverage: 1 })
})

test('the sum of steps has the coverage of those that count', () => {
  const { columns } = toSeries(new Windows(toEdges(3)), [null, '5', null])
  assert.deepEqual(
    sumSteps(columns, () => false),
    { value: null, coverage: 0 },
  )
})

test('the summary has the part of the total in suspect windows, if it is not 0', () => {
  const summarize = (days: Days) => toSeries(new Windows(toEdges(days.length)), days).summary
  assert.deepEqual(summarize([1, '5', null, '0.5']), { total: 6.5, suspectTotal: 5.5, min: 0.5, max: 5 })
  assert.deepEqual(summarize([1, '0']), { total: 1, min: 0, max: 1 })
})
