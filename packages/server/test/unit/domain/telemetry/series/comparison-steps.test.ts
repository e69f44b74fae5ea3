import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pairWithPast, toSteps } from '../../../../../src/domain/telemetry/series/comparison-steps.ts'
import { resolveRange } from '../../../../../src/domain/telemetry/series/range.ts'
import type { Interval } from '../../../../../src/calendar/window-edges.ts'
import { getZone } from '../../../../../src/calendar/zone.ts'

const zone = getZone('Europe/London')
const instant = (text: string): number =>
  Temporal.ZonedDateTime.from(`${text}[Europe/London]`).epochMilliseconds
const shown = (at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone.name).toPlainDateTime().toString()

/** The past that a range is compared with, and which steps correspond. */
function pair(
  compareTo: 'previousPeriod' | 'previousYear',
  interval: Interval,
  fromDateTime: string,
  toDateTime: string,
  now = '2026-12-01T00:00',
) {
  const range = resolveRange({ fromDateTime, toDateTime }, interval, zone, instant(now))
  const pairs = pairWithPast(compareTo, zone, interval, range) ?? assert.fail()
  const { past, current, counterparts } = pairs
  assert.equal(counterparts.length, past.length)
  assert.deepEqual(current.whole, { from: range.from, to: range.until })
  return { ...pairs, from: shown(past.whole.from), to: shown(past.whole.to) }
}

describe('the previous period', () => {
  test('of days, weeks and months is as many whole windows before', () => {
    const cases: [Interval, string, string, string, string][] = [
      ['P1D', '2026-03-28', '2026-03-31', '2026-03-25T00:00:00', '2026-03-28T00:00:00'],
      ['P1W', '2026-11-02', '2026-11-16', '2026-10-19T00:00:00', '2026-11-02T00:00:00'],
      ['P1M', '2026-03-01', '2026-04-01', '2026-02-01T00:00:00', '2026-03-01T00:00:00'],
      ['P1M', '2026-02-01', '2026-03-01', '2026-01-01T00:00:00', '2026-02-01T00:00:00'],
      ['P1M', '2026-01-01', '2026-04-01', '2025-10-01T00:00:00', '2026-01-01T00:00:00'],
    ]
    for (const [interval, first, end, from, to] of cases) {
      const past = pair('previousPeriod', interval, first, end)
      assert.deepEqual([past.from, past.to], [from, to], `${interval} ${first}`)
    }
  })

  test('of a window that is not over ends after the same elapsed part of its predecessor', () => {
    const cases: [Interval, string, string, string, string][] = [
      ['P1D', '2026-11-15', '2026-11-16T09:30', '2026-11-13T00:00:00', '2026-11-14T09:30:00'],
      ['P1W', '2026-11-16', '2026-11-18T12:00', '2026-11-09T00:00:00', '2026-11-11T12:00:00'],
      ['P1M', '2026-11-01', '2026-11-16T09:30', '2026-10-01T00:00:00', '2026-10-16T09:30:00'],
      // Longer than the whole predecessor.
      ['P1M', '2026-03-01', '2026-03-30T10:00', '2026-02-01T00:00:00', '2026-03-01T00:00:00'],
    ]
    for (const [interval, first, now, from, to] of cases) {
      const past = pair('previousPeriod', interval, first, now.slice(0, 10).concat('T23:59'), now)
      assert.deepEqual([past.from, past.to], [from, to], `${interval} ${first} ${now}`)
    }
  })

  test('pairs the days of each window in order, and leaves days without a counterpart alone', () => {
    const longer = pair('previousPeriod', 'P1M', '2026-02-01', '2026-03-01')
    assert.deepEqual(longer.counterparts.slice(26), [26, 27, undefined, undefined, undefined])
    const shorter = pair('previousPeriod', 'P1M', '2026-02-01', '2026-04-01')
    // December and January, against February and March.
    assert.deepEqual(shorter.counterparts.slice(27, 33), [27, undefined, undefined, undefined, 28, 29])
    assert.equal(shorter.past.length, 62)
  })

  test('of hours is the same time as long before, on the clock if it is whole days', () => {
    const day = pair('previousPeriod', 'PT1H', '2026-03-29', '2026-03-30')
    assert.deepEqual([day.from, day.to], ['2026-03-28T00:00:00', '2026-03-29T00:00:00'])
    const hours = pair('previousPeriod', 'PT15M', '2026-11-14T10:00', '2026-11-14T12:30')
    assert.deepEqual([hours.from, hours.to], ['2026-11-14T07:30:00', '2026-11-14T10:00:00'])
    assert.deepEqual(hours.counterparts, [0, 1, 2])
  })
})

test('the previous year has the same dates; 29 February has no counterpart', () => {
  const { from, to, past, counterparts } = pair('previousYear', 'P1D', '2024-02-27', '2024-03-03')
  assert.deepEqual([from, to], ['2023-02-27T00:00:00', '2023-03-03T00:00:00'])
  assert.equal(past.length, 4)
  assert.equal(new Set(counterparts).size, 4)
})

test('steps are hours or days, cut to the span', () => {
  const span = { from: instant('2026-11-14T10:15'), to: instant('2026-11-14T12:30') }
  assert.deepEqual(
    Array.from(toSteps(zone, 'PT15M', span), ({ from }) => shown(from)),
    ['2026-11-14T10:15:00', '2026-11-14T11:00:00', '2026-11-14T12:00:00'],
  )
  const days = toSteps(zone, 'P1M', { from: instant('2026-11-01T00:00'), to: instant('2026-11-03T05:00') })
  assert.deepEqual(
    [days.length, shown(days.from(2)), shown(days.to(2))],
    [3, '2026-11-03T00:00:00', '2026-11-03T05:00:00'],
  )
})
