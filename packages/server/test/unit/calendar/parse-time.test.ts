import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../../../src/kernel/errors.ts'
import { getZone } from '../../../src/calendar/zone.ts'
import { parseTime } from '../../../src/calendar/parse-time.ts'

const London = getZone('Europe/London')
const parse = (text: string): string => new Date(parseTime(text, 'fromDateTime', London)).toISOString()

const GOOD: [string, string][] = [
  ['2026-07-01', '2026-06-30T23:00:00.000Z'],
  ['2026-07-01T10:00', '2026-07-01T09:00:00.000Z'],
  ['2026-07-01T10:00:30', '2026-07-01T09:00:30.000Z'],
  ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00.000Z'],
  ['2026-07-01T10:00:00.5Z', '2026-07-01T10:00:00.500Z'],
  ['2026-07-01T10:00:00+05:45', '2026-07-01T04:15:00.000Z'],
  ['2026-07-01T10:00:00 05:45', '2026-07-01T04:15:00.000Z'],
  ['2026-07-01T10:00:00-0330', '2026-07-01T13:30:00.000Z'],
  ['2026-03-29T01:30:00', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T01:30:00', '2026-10-25T00:30:00.000Z'],
]

for (const [text, expected] of GOOD) {
  test(`${text} is ${expected}`, () => assert.equal(parse(text), expected))
}

const BAD = [
  '',
  '2026',
  '2026-13-01',
  '2026-02-30',
  '1969-12-31',
  '2201-01-01',
  '2026-01-01T24:00',
  '2026-01-01T10:60',
  '2026-01-01T10:00:60Z',
  '2026-01-01 10:00',
  '20260101',
  'yesterday',
  '2026-01-01T10:00+25:00',
  '٢٠٢٦-01-01',
  '2026-01-01\n',
]

for (const text of BAD) {
  test(`${JSON.stringify(text)} is rejected, naming the field`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof AppError && error.errors[0]?.field === 'fromDateTime',
    )
  })
}

test('any text is either an instant or rejected', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        assert.ok(Number.isFinite(parseTime(text, 'x', London)))
      } catch (error) {
        assert.ok(error instanceof AppError)
      }
    }),
  )
})

/** Dates of 2026 in formats that programs produce, with at most one character changed. */
const usualText = fc
  .record({
    at: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }),
    form: fc.constantFrom('.000Z', 'Z', '+05:45', '-11:00'),
    place: fc.nat(24),
    other: fc.constantFrom(undefined, '0', '3', '6', '9', ':', 'T', 'Z', '+', '.', 'x'),
  })
  .map(({ at, form, place, other }) => {
    const text = form === '.000Z' ? at.toISOString() : at.toISOString().slice(0, 19) + form
    return other === undefined ? text : text.slice(0, place) + other + text.slice(place + 1)
  })

const outcome = (text: string): number | string => {
  try {
    return parseTime(text, 'x', London)
  } catch (error) {
    return String(error)
  }
}

test('common formats of a time are parsed alike, whether or not their day is cached', () => {
  fc.assert(
    fc.property(usualText, (text) => {
      const first = outcome(text)
      for (let day = 1; day <= 31; day += 1) outcome(`${text.slice(0, 8)}${String(day).padStart(2, '0')}`)
      assert.equal(outcome(text), first)
      // Date.parse turns a 30th of February into a day in March.
      if (typeof first === 'number' && text.length > 19 && /T..:..:..(\.\d{3})?(Z|[+-]..:..)$/.test(text))
        assert.equal(first, Date.parse(text))
    }),
  )
})
