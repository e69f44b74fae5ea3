import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type SmallSite, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { toEpoch, getSeries, type Series } from '../support/clients/series.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'
import { type Interval, toTimestamp, computeWindows } from '../support/oracles/windows.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()

// Whole, half and quarter-hour offsets; changes of an hour and of half an hour, at midnight, and a skipped day.
const zones = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Caracas',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Africa/Cairo',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
]
const houses = new Map<string, SmallSite>()
for (const timeZone of zones) {
  const house = makeSmallSite({ timeZone })
  await applyInventory(installation, house.document)
  houses.set(timeZone, house)
}
const partner = await addClient(
  installation,
  [...houses.values()].map(({ siteUuid }) => siteUuid),
)

interface WindowRequest {
  timeZone: string
  interval: Interval
  from: string
  to: string
}

const toGranularity = (interval: Interval): string => (interval.startsWith('PT') ? 'hourly' : 'daily')

function clientIn(timeZone: string): { client: V2Client; house: SmallSite } {
  const house = houses.get(timeZone)
  assert.ok(house)
  return { house, client: v2Client(partner.portico, partner.token, house.siteUuid) }
}

async function ask({ timeZone, interval, from, to }: WindowRequest): Promise<Series> {
  const { client, house } = clientIn(timeZone)
  const path = `/spaces/${house.bedroom}/aggregate/electricity/${toGranularity(interval)}`
  return getSeries(client, path, { interval, fromDateTime: from, toDateTime: to })
}

/** Asserts that the windows and the extended range follow local time. */
async function assertWindows(request: WindowRequest): Promise<Series> {
  const { timeZone, interval } = request
  const midnight = (date: string): number =>
    Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds
  const { edges, timestamps } = computeWindows(
    midnight(request.from),
    midnight(request.to),
    interval,
    timeZone,
  )
  const series = await ask(request)
  assert.deepEqual(
    series.points.map(({ timestamp }) => timestamp),
    timestamps,
    JSON.stringify(request),
  )
  assert.equal(toEpoch(series.json['fromDateTime']), edges[0])
  assert.equal(toEpoch(series.json['toDateTime']), edges.at(-1))
  assert.equal(series.json['timeZone'], timeZone)
  assert.equal(series.json['interval'], interval)
  assert.equal(series.json['granularity'], toGranularity(interval))
  return series
}

test('any range in any zone is divided into the windows of local time', async () => {
  const request = fc.record({
    timeZone: fc.constantFrom(...zones),
    interval: fc.constantFrom<Interval>('PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M'),
    day: fc.integer({ min: 0, max: 46 * 365 }),
    length: fc.integer({ min: 1, max: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ timeZone, interval, day, length }) => {
      const from = Temporal.PlainDate.from('1980-01-01').add({ days: day })
      const to = from.add({ days: length })
      // A zone may have skipped a day.
      fc.pre(
        from.toZonedDateTime(timeZone).epochMilliseconds < to.toZonedDateTime(timeZone).epochMilliseconds,
      )
      await assertWindows({ timeZone, interval, from: from.toString(), to: to.toString() })
    }),
    { numRuns: 150 },
  )
})

describe('a day on which the clocks change', () => {
  const rows: [timeZone: string, day: string, hours: number, first: string, last: string][] = [
    ['Europe/London', '2026-03-29', 23, '2026-03-29T00:00:00+00:00', '2026-03-29T23:00:00+01:00'],
    ['Europe/London', '2026-10-25', 25, '2026-10-25T00:00:00+01:00', '2026-10-25T23:00:00+00:00'],
    ['Europe/London', '2025-10-26', 25, '2025-10-26T00:00:00+01:00', '2025-10-26T23:00:00+00:00'],
    ['America/New_York', '2026-03-08', 23, '2026-03-08T00:00:00-05:00', '2026-03-08T23:00:00-04:00'],
    ['America/St_Johns', '2026-11-01', 25, '2026-11-01T00:00:00-02:30', '2026-11-01T23:00:00-03:30'],
    ['Pacific/Chatham', '2026-04-05', 25, '2026-04-05T00:00:00+13:45', '2026-04-05T23:00:00+12:45'],
    ['Africa/Cairo', '2026-04-24', 23, '2026-04-24T01:00:00+03:00', '2026-04-24T23:00:00+03:00'],
    ['Asia/Kathmandu', '2026-03-29', 24, '2026-03-29T00:00:00+05:45', '2026-03-29T23:00:00+05:45'],
  ]
  for (const [timeZone, day, hours, first, last] of rows) {
    test(`${day} in ${timeZone} has ${hours} hours`, async () => {
      const to = Temporal.PlainDate.from(day).add({ days: 1 }).toString()
      const hourly = await assertWindows({ timeZone, interval: 'PT1H', from: day, to })
      assert.equal(hourly.points.length, hours)
      assert.equal(hourly.points[0]?.timestamp, first)
      assert.equal(hourly.points.at(-1)?.timestamp, last)
      const quarters = await assertWindows({ timeZone, interval: 'PT15M', from: day, to })
      assert.equal(quarters.points.length, hours * 4)
      const daily = await assertWindows({ timeZone, interval: 'P1D', from: day, to })
      assert.deepEqual(
        daily.points.map(({ timestamp }) => timestamp),
        [first],
      )
    })
  }

  test('a clock change of half an hour makes one hour longer, and no half hour', async () => {
    for (const [from, to] of [
      ['2026-04-05', '2026-04-06'],
      ['2025-10-05', '2025-10-06'],
    ] as const) {
      const timeZone = 'Australia/Lord_Howe'
      const hourly = await assertWindows({ timeZone, interval: 'PT1H', from, to })
      const starts = [...hourly.points.map(({ at }) => at), toEpoch(hourly.json['toDateTime'])]
      const lengths = starts.slice(1).map((at, index) => (at - (starts[index] ?? 0)) / 60_000)
      assert.deepEqual(
        [...new Set(lengths)].toSorted((a, b) => a - b),
        [60, 90],
      )
      await assertWindows({ timeZone, interval: 'PT30M', from, to })
    }
  })

  test('a day that a zone skipped has no window', async () => {
    const days = await assertWindows({
      timeZone: 'Pacific/Apia',
      interval: 'P1D',
      from: '2011-12-28',
      to: '2012-01-02',
    })
    assert.deepEqual(
      days.points.map(({ timestamp }) => timestamp.slice(0, 10)),
      ['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01'],
    )
  })
})

test('weeks begin on Monday and months on their first day', async () => {
  for (const timeZone of ['UTC', 'Europe/London', 'America/St_Johns', 'Pacific/Chatham']) {
    const weeks = await assertWindows({ timeZone, interval: 'P1W', from: '2025-12-18', to: '2026-04-08' })
    for (const { timestamp } of weeks.points) {
      assert.equal(Temporal.PlainDate.from(timestamp.slice(0, 10)).dayOfWeek, 1)
    }
    await assertWindows({ timeZone, interval: 'P1M', from: '2025-02-14', to: '2026-04-08' })
  }
})

test('fromDateTime is rounded down and toDateTime up to the edge of a window', async () => {
  const rows: [interval: Interval, from: string, to: string, moved: [string, string]][] = [
    ['PT15M', '2026-01-05T10:14:59Z', '2026-01-05T10:15:01Z', ['2026-01-05T10:00Z', '2026-01-05T10:30Z']],
    ['PT30M', '2026-01-05T10:14:59Z', '2026-01-05T10:30:00Z', ['2026-01-05T10:00Z', '2026-01-05T10:30Z']],
    [
      'PT1H',
      '2026-01-05T10:59:59.999Z',
      '2026-01-05T11:00:00.001Z',
      ['2026-01-05T10:00Z', '2026-01-05T12:00Z'],
    ],
    ['P1D', '2026-07-05T12:00:00Z', '2026-07-05T12:00:01Z', ['2026-07-04T23:00Z', '2026-07-05T23:00Z']],
    ['P1W', '2026-01-07', '2026-01-08', ['2026-01-05T00:00Z', '2026-01-12T00:00Z']],
    ['P1M', '2026-01-31', '2026-02-02', ['2026-01-01T00:00Z', '2026-03-01T00:00Z']],
  ]
  for (const [interval, from, to, moved] of rows) {
    const { json, points } = await ask({ timeZone: 'Europe/London', interval, from, to })
    const shown = [toEpoch(json['fromDateTime']), toEpoch(json['toDateTime'])]
    assert.deepEqual(
      shown,
      moved.map((instant) => Temporal.Instant.from(instant).epochMilliseconds),
      interval,
    )
    assert.equal(points[0]?.at, shown[0])
  }
})

describe('the default range', () => {
  const defaults: [granularity: string, interval: Interval, length: Temporal.DurationLike[]][] = [
    ['hourly', 'PT1H', [{ hours: 24 }]],
    // With a clock change in between, 30 calendar days are not 720 hours.
    ['daily', 'P1D', [{ days: 30 }, { hours: 720 }]],
  ]
  for (const [granularity, interval, lengths] of defaults) {
    test(`of ${granularity} ends now and begins ${JSON.stringify(lengths[0])} ago`, async () => {
      for (const timeZone of zones) {
        const { client, house } = clientIn(timeZone)
        const before = Temporal.Now.zonedDateTimeISO(timeZone)
        const path = `/spaces/${house.bedroom}/aggregate/electricity/${granularity}`
        const { json, points } = await getSeries(client, path, {})
        assert.equal(json['interval'], interval)
        const shown = points.map(({ timestamp }) => timestamp).join()
        const possible = [before, Temporal.Now.zonedDateTimeISO(timeZone)].flatMap((now) =>
          lengths.map((length) => {
            const from = now.subtract(length).epochMilliseconds
            return computeWindows(from, now.epochMilliseconds, interval, timeZone).timestamps.join()
          }),
        )
        assert.ok(possible.includes(shown), `${timeZone}: ${shown} is not ${String(possible[0])}`)
      }
    })
  }

  test('an end in the future is replaced by the current time', async () => {
    const { client, house } = clientIn('Europe/London')
    const yesterday = Temporal.Now.zonedDateTimeISO('Europe/London').subtract({ days: 1 }).toPlainDate()
    for (const [granularity, interval] of [
      ['hourly', 'PT1H'],
      ['daily', 'P1D'],
    ] as const) {
      const path = `/spaces/${house.bedroom}/aggregate/electricity/${granularity}`
      const ranges = [{ toDateTime: '2200-12-31' }, { toDateTime: yesterday.add({ days: 3 }).toString() }, {}]
      for (const range of ranges) {
        const before = Date.now()
        const { points } = await getSeries(client, path, { fromDateTime: yesterday.toString(), ...range })
        const last = points.at(-1)?.timestamp
        const possible = [before, Date.now()].map((now) =>
          computeWindows(now - 1, now, interval, 'Europe/London').timestamps.at(-1),
        )
        assert.ok(possible.includes(last), `${String(last)} is not ${String(possible[0])}`)
      }
    }
  })
})

test('without measurements every window is present, null and missing, never 0', async () => {
  for (const interval of ['PT1H', 'P1D'] as const) {
    const { json, points, summary } = await ask({
      timeZone: 'Europe/London',
      interval,
      from: '2026-01-05',
      to: '2026-01-12',
    })
    assert.equal(json['hasData'], false)
    assert.equal(points.length, interval === 'P1D' ? 7 : 168)
    for (const point of points) {
      assert.deepEqual([point.value, point.quality, point.coverage], [null, 'missing', 0])
      assert.equal(point.timestamp, toTimestamp(point.at, 'Europe/London'))
    }
    assert.equal(summary['total'], null)
  }
})
