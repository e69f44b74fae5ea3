import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getZone } from '../../../src/calendar/zone.ts'
import { type Interval, windowEdges } from '../../../src/calendar/window-edges.ts'

/**
 * Whole, half and quarter-hour offsets, both hemispheres, a half-hour change, midnights that do not exist or occur
 * twice.
 */
const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Chatham',
  'America/Havana',
  'America/Asuncion',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Antarctica/Troll',
]

const MINUTE_MS = 60_000
const STEPS = { PT15M: 15, PT30M: 30, PT1H: 60 } as const

const zoned = (at: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** Brute-force oracle: is this minute a wall-clock edge? */
const isClockEdge = (at: number, zone: string, step: number): boolean => {
  const { hour, minute, second } = zoned(at, zone)
  return second === 0 && (hour * 60 + minute) % step === 0
}

const start = fc.integer({ min: Date.UTC(2004, 0, 1) / MINUTE_MS, max: Date.UTC(2030, 0, 1) / MINUTE_MS })

test('windows below a day run from one existing wall-clock edge to the next, in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom('PT15M', 'PT30M', 'PT1H'),
      start,
      fc.integer({ min: 1, max: 2_000 }),
      (zone, interval, startMinute, minutes) => {
        const from = startMinute * MINUTE_MS
        const to = from + minutes * MINUTE_MS
        const edges = windowEdges(getZone(zone), interval, from, to)
        assert.ok((edges[0] ?? 0) <= from && (edges.at(-1) ?? 0) >= to)
        assert.ok((edges[1] ?? 0) > from && (edges.at(-2) ?? 0) < to)
        const first = edges[0] ?? 0
        const expected: number[] = []
        for (let at = first; at <= (edges.at(-1) ?? 0); at += MINUTE_MS) {
          if (isClockEdge(at, zone, STEPS[interval])) expected.push(at)
        }
        assert.deepEqual(edges, expected)
      },
    ),
    { numRuns: 300 },
  )
})

/** Covers every clock change of twenty years. */
const listChanges = (zone: string): number[] => {
  const changes: number[] = []
  let at: Temporal.ZonedDateTime | null = zoned(Date.UTC(2006, 0, 1), zone)
  while ((at = at.getTimeZoneTransition('next')) && at.year < 2027) changes.push(at.epochMilliseconds)
  return changes
}

test('days, weeks and months follow the calendar of the zone, around every clock change of twenty years', () => {
  for (const zone of ZONES) {
    for (const change of listChanges(zone)) {
      const edges = windowEdges(getZone(zone), 'P1D', change - 2 * 86_400_000, change + 2 * 86_400_000)
      edges.forEach((edge, index) => {
        const next = edges[index + 1]
        assert.equal(zoned(edge, zone).startOfDay().epochMilliseconds, edge, `${zone} ${edge}`)
        if (next !== undefined) {
          assert.equal(
            zoned(edge, zone).add({ days: 1 }).startOfDay().epochMilliseconds,
            next,
            `${zone} ${edge}`,
          )
        }
      })
      const hours = windowEdges(getZone(zone), 'PT1H', change - 86_400_000, change + 86_400_000)
      for (const edge of hours) assert.ok(isClockEdge(edge, zone, 60), `${zone} ${edge}`)
    }
  }
})

test('a London day has 23 hours in March and 25 in October', () => {
  const zone = getZone('Europe/London')
  const countHours = (date: string): number => {
    const from = zone.startOfDay(Temporal.PlainDate.from(date))
    const to = zone.startOfDay(Temporal.PlainDate.from(date).add({ days: 1 }))
    return windowEdges(zone, 'PT1H', from, to).length - 1
  }
  assert.deepEqual(['2026-03-28', '2026-03-29', '2026-10-25'].map(countHours), [24, 23, 25])
})

test('a day that was skipped has no window', () => {
  const zone = getZone('Pacific/Apia')
  const from = zone.startOfDay(Temporal.PlainDate.from('2011-12-29'))
  const edges = windowEdges(zone, 'P1D', from, from + 3 * 86_400_000)
  assert.deepEqual(
    edges.map((edge) => zone.dateAt(edge).toString()),
    ['2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02'],
  )
})

test('weeks start on Monday and months on the first', () => {
  const zone = getZone('Europe/London')
  const at = (date: string): number => zone.startOfDay(Temporal.PlainDate.from(date))
  const dates = (interval: Interval, from: string, to: string): string[] =>
    windowEdges(zone, interval, at(from), at(to)).map((edge) => zone.dateAt(edge).toString())
  assert.deepEqual(dates('P1W', '2026-01-01', '2026-01-12'), ['2025-12-29', '2026-01-05', '2026-01-12'])
  assert.deepEqual(dates('P1M', '2026-01-15', '2026-03-01'), ['2026-01-01', '2026-02-01', '2026-03-01'])
})

test('a timestamp is the wall clock with a numeric offset', () => {
  assert.equal(getZone('Europe/London').format(Date.UTC(2026, 0, 5)), '2026-01-05T00:00:00+00:00')
  assert.equal(getZone('Europe/London').format(Date.UTC(2026, 6, 5)), '2026-07-05T01:00:00+01:00')
  assert.equal(getZone('Asia/Kathmandu').format(Date.UTC(2026, 0, 5)), '2026-01-05T05:45:00+05:45')
  assert.equal(getZone('America/St_Johns').format(Date.UTC(2026, 0, 5)), '2026-01-04T20:30:00-03:30')
})

test('the offset equals that of Temporal at any instant, in any order of calls', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.array(start, { minLength: 1, maxLength: 20 }),
      (zone, minutes) => {
        for (const minute of minutes) {
          const at = minute * MINUTE_MS
          assert.equal(getZone(zone).offsetAt(at), zoned(at, zone).offsetNanoseconds / 1e6)
        }
      },
    ),
  )
})
