import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCommandTime } from '../../../src/calendar/parse-time.ts'
import { getZone } from '../../../src/calendar/zone.ts'

const CASES: [text: string, zone: string, expected: string, why: string][] = [
  [
    '2026-03-29T01:30',
    'Europe/London',
    '2026-03-29T01:00:00.000Z',
    'skipped: the first instant after the gap',
  ],
  ['2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00.000Z', 'repeated: the first of the two'],
  ['2026-03-29T01:30Z', 'Europe/London', '2026-03-29T01:30:00.000Z', 'an offset leaves nothing to decide'],
  ['2026-03-29T01:30', 'UTC', '2026-03-29T01:30:00.000Z', 'UTC never changes'],
  ['2023-04-28', 'Africa/Cairo', '2023-04-27T22:00:00.000Z', 'a day without midnight: its first instant'],
  ['2026-07-01T10:00:00.5', 'Asia/Kathmandu', '2026-07-01T04:15:00.500Z', 'milliseconds stay'],
]

for (const [text, zone, expected, why] of CASES) {
  test(`${text} in ${zone} is ${expected} (${why})`, () => {
    assert.equal(new Date(parseCommandTime(text, 'startsAt', getZone(zone))).toISOString(), expected)
  })
}
