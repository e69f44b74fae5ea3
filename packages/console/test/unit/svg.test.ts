import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { layOutHeatMap, moveInHeatMap } from '../../src/charts/svg/heat-map-layout.ts'
import { drawSparkline } from '../../src/charts/svg/sparkline-path.ts'
import {
  formatMinute,
  formatTarget,
  layOutWeekPlan,
  toPlanShade,
} from '../../src/charts/svg/week-plan-layout.ts'
import { toWindows } from '../../src/charts/windows.ts'
import { listDays } from '../calendar.ts'
import { makeSeries } from './series.ts'

describe('the calendar heat map', () => {
  const year = makeSeries(
    Array.from({ length: 365 }, (_, day) => (day === 100 ? null : day)),
    { ...listDays('2026-01-01', 365), interval: 'P1D' },
  )
  const { cells, columns, months, range } = layOutHeatMap(toWindows(year))

  test('weeks are columns, days of the week are rows', () => {
    assert.equal(columns, 53)
    // 1 January 2026 was a Thursday.
    assert.deepEqual([cells[0]?.column, cells[0]?.row], [0, 3])
    assert.deepEqual([cells[4]?.column, cells[4]?.row], [1, 0])
    assert.deepEqual([cells[364]?.column, cells[364]?.row], [52, 3])
    // Days on which clocks change are days like others.
    assert.equal(new Set(cells.map(({ column, row }) => `${column}/${row}`)).size, 365)
  })

  test('months are named where they begin', () => {
    assert.equal(months.length, 12)
    assert.deepEqual(months.slice(0, 2), [
      { column: 0, label: 'Jan' },
      { column: 4, label: 'Feb' },
    ])
  })

  test('shades span the values; no data has none', () => {
    assert.deepEqual(range, [0, 364])
    assert.equal(cells[0]?.shade, 0)
    assert.equal(cells[364]?.shade, 4)
    assert.equal(cells[100]?.shade, null)
  })

  test('arrows move by days and weeks', () => {
    assert.equal(moveInHeatMap(10, 'ArrowDown', 365), 11)
    assert.equal(moveInHeatMap(10, 'ArrowLeft', 365), 3)
    assert.equal(moveInHeatMap(3, 'ArrowLeft', 365), 3)
    assert.equal(moveInHeatMap(null, 'ArrowRight', 365), 0)
    assert.equal(moveInHeatMap(10, 'End', 365), 364)
    assert.equal(moveInHeatMap(10, 'Escape', 365), null)
    assert.equal(moveInHeatMap(10, 'Tab', 365), undefined)
  })

  test('nothing to show', () => {
    assert.equal(layOutHeatMap([]).columns, 0)
  })
})

describe('the week plan', () => {
  const segments = layOutWeekPlan({
    default: { temperature: 16 },
    periods: [
      { days: ['mon', 'tue'], start: '06:30', end: '09:00', target: { temperature: 21 } },
      { days: ['sun'], start: '22:00', end: '06:00', target: { temperature: 18 } },
    ],
  })
  const summary = (day: string): string[] =>
    segments
      .filter((segment) => segment.day === day)
      .map(({ from, to, target }) => `${formatMinute(from)}-${formatMinute(to)} ${formatTarget(target)}`)

  test('covers each day without gaps', () => {
    assert.deepEqual(summary('tue'), ['00:00-06:30 16 °C', '06:30-09:00 21 °C', '09:00-24:00 16 °C'])
    assert.deepEqual(summary('wed'), ['00:00-24:00 16 °C'])
  })

  test('a period may end on the next day, which is Monday after Sunday', () => {
    assert.deepEqual(summary('sun'), ['00:00-22:00 16 °C', '22:00-24:00 18 °C'])
    assert.deepEqual(summary('mon').slice(0, 2), ['00:00-06:00 18 °C', '06:00-06:30 16 °C'])
  })

  test('shades follow the temperature', () => {
    const shades = segments
      .filter(({ day }) => day === 'mon')
      .map((segment) => toPlanShade(segment, segments))
    assert.deepEqual(shades, [1, 0, 3, 0])
  })

  test('targets without a temperature', () => {
    assert.equal(formatTarget({ power: 'off' }), 'off')
    assert.equal(formatTarget({ mode: 'cool', temperature: 24 }), 'cool, 24 °C')
    const plan = layOutWeekPlan({
      default: { power: 'off' },
      periods: [{ days: ['fri'], start: '18:00', end: '24:00', target: { power: 'on' } }],
    })
    assert.deepEqual(
      plan.filter(({ day }) => day === 'fri').map((segment) => toPlanShade(segment, plan)),
      [0, 3],
    )
  })
})

describe('a sparkline', () => {
  test('breaks at gaps, and shows values between two gaps as dots', () => {
    const shape = drawSparkline([0, 10, null, 5, null, 10], 100, 20, true)
    assert.equal(shape.line, 'M0 20L20 0')
    assert.deepEqual(shape.dots, [
      [60, 10],
      [100, 0],
    ])
    assert.deepEqual(shape.last, [100, 0])
  })

  test('equal values are a line, zeros at the bottom', () => {
    assert.equal(drawSparkline([0, 0], 100, 20, true).line, 'M0 20L100 20')
    assert.equal(drawSparkline([7, 7], 100, 20, false).line, 'M0 10L100 10')
    assert.deepEqual(drawSparkline([null, null], 100, 20, true), { line: '', dots: [], last: null })
  })
})
