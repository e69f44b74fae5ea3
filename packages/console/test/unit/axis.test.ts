import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findTicks, type Tick } from '../../src/charts/axis.ts'
import type { ChartSeries } from '../../src/charts/series.ts'
import { toWindows } from '../../src/charts/windows.ts'
import { listDays, listHours } from '../calendar.ts'
import { makeSeries } from './series.ts'

function ticks(series: ChartSeries, widthPx: number, indices?: [number, number]): Tick[] {
  const windows = toWindows(series)
  const [first, last] = indices ?? [0, windows.length - 1]
  return findTicks(windows, series.interval, [windows[first]?.from ?? 0, windows[last]?.to ?? 0], widthPx)
}

const labels = (...args: Parameters<typeof ticks>): string[] => ticks(...args).map(({ label }) => label)

const hours = (day: string): ChartSeries => {
  const range = listHours(day)
  return makeSeries(
    range.timestamps.map(() => 1),
    range,
  )
}

const days = (first: string, count: number): ChartSeries =>
  makeSeries(
    Array.from({ length: count }, () => 1),
    { ...listDays(first, count), interval: 'P1D' },
  )

describe('ticks of the time axis', () => {
  test('a day on a wide screen has a tick for each hour, and names the day once', () => {
    const shown = labels(hours('2026-11-17'), 1280)
    assert.equal(shown.length, 24)
    assert.deepEqual(shown.slice(0, 3), ['00:00\nTue 17 Nov', '01:00', '02:00'])
  })

  test('a narrow screen has fewer ticks', () => {
    assert.deepEqual(labels(hours('2026-11-17'), 260), ['00:00\nTue 17 Nov', '06:00', '12:00', '18:00'])
  })

  test('two dates that would touch: only the later one is shown', () => {
    const [first, second] = [listHours('2026-11-16'), listHours('2026-11-17')]
    const timestamps = [...first.timestamps, ...second.timestamps]
    const series = makeSeries(
      timestamps.map(() => 1),
      { ...first, timestamps, toDateTime: second.toDateTime },
    )
    assert.deepEqual(labels(series, 380, [18, 41]), [
      '20:00',
      '00:00\nTue 17 Nov',
      '04:00',
      '08:00',
      '12:00',
      '16:00',
    ])
    assert.deepEqual(labels(series, 1400, [18, 41]).slice(0, 2), ['18:00\nMon 16 Nov', '19:00'])
  })

  test('a day of 23 hours has no 02:00', () => {
    const shown = labels(hours('2026-03-29'), 1280)
    assert.equal(shown.length, 23)
    assert.deepEqual(shown.slice(0, 4), ['00:00\nSun 29 Mar', '01:00', '03:00', '04:00'])
  })

  test('a day of 25 hours has 02:00 twice in its windows, and ticks an hour apart', () => {
    const series = hours('2026-10-25')
    assert.equal(toWindows(series).filter(({ isRepeated }) => isRepeated).length, 2)
    const shown = ticks(series, 1400)
    assert.deepEqual(
      shown.slice(0, 4).map(({ label }) => label),
      ['00:00\nSun 25 Oct', '01:00', '02:00', '03:00'],
    )
    // The second 02:00 is between them.
    assert.equal((shown[3]?.at ?? 0) - (shown[2]?.at ?? 0), 7200)
  })

  test('hours of a week: one tick for each day, at its start', () => {
    const range = listHours('2026-10-23', 7)
    const series = makeSeries(
      range.timestamps.map(() => 1),
      range,
    )
    const shown = ticks(series, 700)
    assert.deepEqual(
      shown.map(({ label }) => label),
      [
        'Fri\n23 Oct',
        'Sat\n24 Oct',
        'Sun\n25 Oct',
        'Mon\n26 Oct',
        'Tue\n27 Oct',
        'Wed\n28 Oct',
        'Thu\n29 Oct',
      ],
    )
    assert.deepEqual(
      shown.map(({ startsDay }) => startsDay),
      [false, true, true, true, true, true, true],
    )
    assert.equal((shown[3]?.at ?? 0) - (shown[2]?.at ?? 0), 25 * 3600)
  })

  test('days are named below their middle', () => {
    const [first] = ticks(days('2026-11-09', 7), 600)
    assert.equal(first?.label, '9\nNov')
    assert.equal(first.at, Date.parse('2026-11-09T12:00:00+01:00') / 1000)
    assert.deepEqual(labels(days('2026-11-29', 4), 600), ['29\nNov', '30', '1\nDec', '2'])
  })

  test('days of a year are named by month', () => {
    assert.deepEqual(labels(days('2026-01-01', 365), 800).slice(0, 3), ['Jan\n2026', 'Feb', 'Mar'])
    assert.deepEqual(labels(days('2026-01-01', 365), 250), ['Jan\n2026', 'Apr', 'Jul', 'Oct'])
  })

  test('zoomed in, ticks are of the range in view', () => {
    assert.deepEqual(labels(hours('2026-11-17'), 400, [10, 13]), [
      '10:00\nTue 17 Nov',
      '11:00',
      '12:00',
      '13:00',
    ])
  })
})
