import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOf } from '../../../src/lib/zone.ts'
import { changesOf, ZONES } from '../../support/zones.ts'

const MINUTE_MS = 60_000

/** What Temporal says of a wall-clock time, with the end of the gap for one that is skipped. */
function expected(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds
  const gapEnd = earlier.getTimeZoneTransition('next')
  assert.ok(gapEnd)
  return gapEnd.epochMilliseconds
}

test('a wall-clock time is the first instant that reaches it, around every clock change of twenty years', () => {
  for (const name of ZONES) {
    const zone = zoneOf(name)
    for (const change of changesOf(name)) {
      const wall = Math.floor((change + zone.offsetAt(change)) / MINUTE_MS)
      for (let minutes = -30 * 60; minutes <= 30 * 60; minutes += Math.abs(minutes) < 180 ? 15 : 150) {
        for (const shift of [-1, 0, 1]) {
          const local = (wall + minutes + shift) * MINUTE_MS
          const date = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19))
          assert.equal(zone.instantOf(local), expected(date, name), `${name} ${date.toString()}`)
        }
      }
    }
  }
})

test('a day that was skipped begins, at any hour of it, where the next one does', () => {
  const apia = zoneOf('Pacific/Apia')
  const saturday = Date.UTC(2011, 11, 30, 10)
  assert.equal(apia.instantOf(Date.UTC(2011, 11, 30)), saturday)
  assert.equal(apia.instantOf(Date.UTC(2011, 11, 30, 23, 59)), saturday)
  assert.equal(apia.instantOf(Date.UTC(2011, 11, 31)), saturday)
  assert.equal(apia.instantOf(Date.UTC(2011, 11, 29, 23, 59)), saturday - MINUTE_MS)
})

test('a timestamp is the wall clock that Temporal shows, to the millisecond', () => {
  for (const name of ZONES) {
    const zone = zoneOf(name)
    for (const change of changesOf(name)) {
      for (const shift of [-86_400_000, -1, 0, 1, 999, 1_000, 59_999, 3_600_000]) {
        const ms = change + shift
        const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)
        const shown = zoned.toPlainDateTime().toString({
          fractionalSecondDigits: ms % 1000 === 0 ? 0 : 3,
        })
        assert.equal(zone.format(ms).slice(0, shown.length), shown, `${name} ${ms}`)
      }
    }
  }
})
