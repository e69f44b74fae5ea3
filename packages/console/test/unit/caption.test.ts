import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeCaption } from '../../src/charts/caption.ts'
import type { ChartSeries } from '../../src/charts/series.ts'
import { toWindows } from '../../src/charts/windows.ts'
import { listDays, listHours } from '../calendar.ts'
import { makeSeries } from './series.ts'

const caption = (series: ChartSeries): string => writeCaption(series, toWindows(series))

const day = (change: (value: number | null, hour: number) => number | null): (number | null)[] =>
  Array.from({ length: 24 }, (_, hour) => change(0.1, hour))

describe('the caption of a chart', () => {
  test('a day of consumption: total, peak and what is missing', () => {
    const values = day((value, hour) => (hour === 18 ? 1.1 : hour < 2 ? null : value))
    assert.equal(
      caption(makeSeries(values, { summary: { total: 3.2, min: 0.1, max: 1.1 } })),
      '24 h: 3.2 kWh, most between 18:00 and 19:00; 2 h missing',
    )
  })

  test('without a total in the answer, the windows are added', () => {
    assert.equal(caption(makeSeries([1, 2, 3])), '3 h: 6 kWh, most between 02:00 and 03:00')
  })

  test('climate: mean, lowest and highest', () => {
    const series = makeSeries([20, 21, 22], {
      unit: 'degC',
      aggregation: 'mean',
      summary: { mean: 21, min: 18.4, max: 23.16 },
    })
    assert.equal(caption(series), '3 h: 21 °C on average, from 18.4 to 23.2 °C')
  })

  test('climate that does not change', () => {
    const series = makeSeries([21, 21], { unit: 'degC', aggregation: 'mean' })
    assert.equal(caption(series), '2 h: 21 °C throughout')
  })

  test('estimated and suspect windows are named, after those that are missing', () => {
    const series = makeSeries([1, null, 3, 4], {
      quality: ['estimated', 'missing', 'suspect', 'measured'],
    })
    assert.match(caption(series), /; 1 h missing, 1 h estimated, 1 h suspect$/)
  })

  test('no data at all', () => {
    assert.equal(caption(makeSeries([null, null])), '2 h: no data; 2 h missing')
    assert.equal(caption(makeSeries([])), 'No windows')
  })

  test('only zeros are data, without a peak', () => {
    assert.equal(caption(makeSeries([0, 0, 0])), '3 h: 0 kWh')
  })

  test('the comparison is that of the answer', () => {
    const comparison = { value: 7, changePercent: -14.3, coverage: 1 }
    const series = makeSeries([2, 4], { summary: { total: 6, min: 2, max: 4, comparison } })
    assert.equal(caption(series), '2 h: 6 kWh, most between 01:00 and 02:00; 14 % less than before')
  })

  test('days, weeks and months', () => {
    const days = listDays('2026-11-09', 7)
    const values = [1, 2, 9, 4, 5, 6, null]
    assert.equal(
      caption(makeSeries(values, { ...days, interval: 'P1D' })),
      '7 days: 27 kWh, most on Wed 11 Nov; 1 day missing',
    )
    const months = { timestamps: ['2026-01-01T00:00:00+01:00', '2026-02-01T00:00:00+01:00'] }
    assert.equal(
      caption(makeSeries([5, 3], { ...months, toDateTime: '2026-03-01T00:00:00+01:00', interval: 'P1M' })),
      '2 months: 8 kWh, most in January',
    )
    const week = { timestamps: ['2026-11-09T00:00:00+01:00'], toDateTime: '2026-11-16T00:00:00+01:00' }
    assert.equal(caption(makeSeries([5], { ...week, interval: 'P1W' })), '1 week: 5 kWh')
  })

  test('days of 23 and 25 hours', () => {
    const short = listHours('2026-03-29')
    assert.match(
      caption(
        makeSeries(
          short.timestamps.map(() => 1),
          short,
        ),
      ),
      /^23 h: 23 kWh/,
    )
    const long = listHours('2026-10-25')
    const values = long.timestamps.map((_, index) => (index === 3 ? 2 : 1))
    assert.equal(caption(makeSeries(values, long)), '25 h: 26 kWh, most between 02:00 (UTC+1) and 03:00')
  })
})
