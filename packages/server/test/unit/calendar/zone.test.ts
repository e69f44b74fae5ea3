import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cachedZoneCount, parseZoneName, getZone } from '../../../src/calendar/zone.ts'
import { listChanges, ZONES } from '../../support/zones.ts'

const MINUTE_MS = 60_000

/** Temporal's result for a wall-clock time; the end of the gap for a skipped one. */
function expected(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds
  const gapEnd = earlier.getTimeZoneTransition('next')
  assert.ok(gapEnd)
  return gapEnd.epochMilliseconds
}

test('a wall-clock time maps to the first instant that reaches it, around every clock change of twenty years', () => {
  for (const name of ZONES) {
    const zone = getZone(name)
    for (const change of listChanges(name)) {
      const wall = Math.floor((change + zone.offsetAt(change)) / MINUTE_MS)
      for (let minutes = -30 * 60; minutes <= 30 * 60; minutes += Math.abs(minutes) < 180 ? 15 : 150) {
        for (const shift of [-1, 0, 1]) {
          const local = (wall + minutes + shift) * MINUTE_MS
          const date = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19))
          assert.equal(zone.toInstant(local), expected(date, name), `${name} ${date.toString()}`)
        }
      }
    }
  }
})

test('any time of a skipped day is the start of the next one', () => {
  const apia = getZone('Pacific/Apia')
  const saturday = Date.UTC(2011, 11, 30, 10)
  assert.equal(apia.toInstant(Date.UTC(2011, 11, 30)), saturday)
  assert.equal(apia.toInstant(Date.UTC(2011, 11, 30, 23, 59)), saturday)
  assert.equal(apia.toInstant(Date.UTC(2011, 11, 31)), saturday)
  assert.equal(apia.toInstant(Date.UTC(2011, 11, 29, 23, 59)), saturday - MINUTE_MS)
})

test('a timestamp is the wall clock that Temporal shows, to the millisecond', () => {
  for (const name of ZONES) {
    const zone = getZone(name)
    for (const change of listChanges(name)) {
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

test('a zone name is case-insensitive and returned in the spelling of the IANA database', () => {
  for (const name of [
    ...Intl.supportedValuesOf('timeZone'),
    'UTC',
    'GMT',
    'Etc/UTC',
    'US/Eastern',
    'Asia/Kolkata',
  ]) {
    for (const text of [name, name.toLowerCase(), name.toUpperCase()]) assert.equal(parseZoneName(text), name)
  }
  for (const text of [
    '',
    ' UTC',
    'UTC ',
    '+01:00',
    '-00',
    'UTC+1',
    'T12:34:56[UTC]',
    'T12Z',
    '2026-01-01[Europe/London]',
    'Europe/Londo\u0131',
    'Europe/London\0',
    'A'.repeat(1_000_000),
  ]) {
    assert.equal(parseZoneName(text), undefined, text.slice(0, 40))
  }
})

test('however many spellings are looked up, only zones are cached', () => {
  const before = cachedZoneCount()
  for (let bits = 0; bits < 4_096; bits += 1) {
    const spelling = Array.from('europe/paris')
      .map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter))
      .join('')
    assert.equal(getZone(spelling).name, 'Europe/Paris')
    assert.equal(getZone(`T${String(bits % 24).padStart(2, '0')}:00[${spelling}]`), getZone('Europe/Paris'))
  }
  assert.ok(cachedZoneCount() <= before + 1)
})
