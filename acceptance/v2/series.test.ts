import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Metric, readDemoData } from '../support/demo-data.ts'
import { startDemo } from '../support/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { countedBetween, gaugeIn } from '../support/oracle.ts'
import { assertProblem } from '../support/problem.ts'
import { asNumber, getReadings, getSeries, millionths, type Series, valuesOf } from '../support/series.ts'
import { query } from '../support/v2-client.ts'
import { environment, utilities } from '../support/vocabulary.ts'
import { windowsOf } from '../support/windows.ts'

const demo = await startDemo()
after(() => demo.stop())
const { client, portico } = demo

const timeZone = 'Europe/London'
const { spaces, devices, metrics } = await readDemoData(demo)
const registers = metrics.filter(({ kind }) => kind === 'register')
const gauges = metrics.filter(({ kind, metricType }) => kind === 'gauge' && metricType !== 'battery')
const todayHere = Temporal.Now.plainDateISO(timeZone)

interface Range {
  fromDateTime: string
  toDateTime: string
}
const days = (from: Temporal.PlainDate, count: number): Range => ({
  fromDateTime: from.toString(),
  toDateTime: from.add({ days: count }).toString(),
})
const edgesOf = ({ fromDateTime, toDateTime }: Range, interval: 'PT1H' | 'P1D'): number[] => {
  const [from = 0, to = 0] = [fromDateTime, toDateTime].map(
    (date) => Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds,
  )
  return windowsOf(from, to, interval, timeZone).edges
}

/** A day far enough in the past that nothing about it changes, within the demo's history. */
const pastDay = fc.integer({ min: 8, max: 392 }).map((age) => todayHere.subtract({ days: age }))
const clockChanges = ['2025-10-26', '2026-03-29', '2026-10-25'].map((day) => Temporal.PlainDate.from(day))
const ofSpace = (spaceUuid: unknown, metricType: string): string =>
  `/spaces/${asString(spaceUuid)}/aggregate/${metricType}`
const ofDevice = ({ deviceUuid, metricType }: Metric): string =>
  `/devices/${deviceUuid}/consumption/${metricType}`
const near = (actual: number | null | undefined, expected: number, message: string): void =>
  assert.ok(
    Math.abs(Number(actual ?? Number.NaN) - expected) < 2.1e-6,
    `${message}: ${actual} is not ${expected}`,
  )

const measuring = spaces.filter((space) =>
  asArray(space['metricTypes']).some((name) => utilities.includes(asString(name))),
)
const utilityOf = fc.constantFrom(...measuring).chain((space) => {
  const names = asArray(space['metricTypes']).map(asString)
  return fc.constantFrom(...names.filter((name) => utilities.includes(name))).map((name) => ({ space, name }))
})

describe('the body', () => {
  const range = days(todayHere.subtract({ days: 10 }), 2)
  const fields = ['aggregation', 'fromDateTime', 'granularity', 'hasData', 'interval', 'metricType']
  fields.push('scope', 'spaceUuid', 'summary', 'timeSeries', 'timeZone', 'toDateTime', 'unit')

  test('of a space has exactly its fields, for utilities and environment', async () => {
    for (const granularity of ['hourly', 'daily']) {
      for (const space of spaces.filter((_, index) => index % 9 === 0)) {
        for (const name of asArray(space['metricTypes']).map(asString)) {
          const series = await getSeries(client, `${ofSpace(space['spaceUuid'], name)}/${granularity}`, range)
          assert.deepEqual(Object.keys(series.json).toSorted(), fields)
          const { spaceUuid, metricType, hasData } = series.json
          assert.deepEqual([spaceUuid, metricType, hasData], [space['spaceUuid'], name, true])
          assertPoints(series, environment.includes(name) ? ['max', 'min'] : [])
          assert.ok((environment.includes(name) ? 'mean' : 'total') in series.summary)
        }
      }
    }
  })

  test('of a device is the same with deviceUuid', async () => {
    const known = new Set([...fields, 'deviceUuid'])
    for (const metric of [...registers, ...gauges].filter((_, index) => index % 23 === 0)) {
      for (const interval of ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']) {
        const series = await getSeries(client, ofDevice(metric), { interval, ...range })
        for (const name of Object.keys(series.json)) assert.ok(known.has(name), name)
        assert.equal(series.json['deviceUuid'], metric.deviceUuid)
        assert.equal(series.json['interval'], interval)
        assertPoints(series, metric.kind === 'gauge' ? ['max', 'min'] : [])
      }
    }
  })
})

describe('sums', () => {
  test('hours add up to their day and quarters to their hour, also when the clocks change', async () => {
    await fc.assert(
      fc.asyncProperty(utilityOf, pastDay, async ({ space, name }, day) => {
        const path = ofSpace(space['spaceUuid'], name)
        const range = days(day, 1)
        const daily = await getSeries(client, `${path}/daily`, range)
        for (const interval of ['PT1H', 'PT30M', 'PT15M']) {
          const hourly = await getSeries(client, `${path}/hourly`, { interval, ...range })
          assert.equal(
            millionths(valuesOf(hourly)),
            millionths(valuesOf(daily)),
            `${path} ${day.toString()} ${interval}`,
          )
          assert.equal(millionths([asNumber(hourly.summary['total'])]), millionths(valuesOf(hourly)))
        }
      }),
      {
        numRuns: 25,
        examples: clockChanges.map((day) => [{ space: measuring[0] ?? {}, name: 'electricity' }, day]),
      },
    )
  })

  test('days add up to their week and to their month', async () => {
    await fc.assert(
      fc.asyncProperty(utilityOf, fc.integer({ min: 2, max: 11 }), async ({ space, name }, months) => {
        const path = `${ofSpace(space['spaceUuid'], name)}/daily`
        const first = todayHere.subtract({ months }).with({ day: 1 })
        const month = { fromDateTime: first.toString(), toDateTime: first.add({ months: 1 }).toString() }
        const week = days(first.subtract({ days: first.dayOfWeek - 1 }), 7)
        for (const [interval, range] of [
          ['P1M', month],
          ['P1W', week],
        ] as const) {
          const whole = await getSeries(client, path, { interval, ...range })
          assert.equal(whole.points.length, 1)
          assert.equal(
            millionths(valuesOf(await getSeries(client, path, range))),
            millionths(valuesOf(whole)),
          )
        }
      }),
      { numRuns: 20 },
    )
  })

  test('scope=cluster is the sum over the spaces of the cluster', async () => {
    const clusters = [...new Set(spaces.flatMap((space) => space['clusterUuid'] ?? []))]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...clusters), pastDay, async (clusterUuid, day) => {
        const members = spaces.filter((space) => space['clusterUuid'] === clusterUuid)
        for (const name of ['electricity', 'water']) {
          const get = (spaceUuid: unknown, scope: string): Promise<Series> =>
            getSeries(client, `${ofSpace(spaceUuid, name)}/daily`, { scope, ...days(day, 3) })
          const whole = await get(members[0]?.['spaceUuid'], 'cluster')
          const parts = await Promise.all(members.map((space) => get(space['spaceUuid'], 'space')))
          for (const [index, { value }] of whole.points.entries()) {
            const values = parts.map((part) => part.points[index]?.value ?? null)
            assert.equal(millionths([value]), millionths(values))
          }
        }
      }),
      { numRuns: 6 },
    )
  })

  test('a space with one meter consumes what that meter counts', async () => {
    const single = metrics.filter(({ spaceUuid, metricType, kind }) => {
      const same = metrics.filter((other) => other.spaceUuid === spaceUuid && other.metricType === metricType)
      return kind !== 'gauge' && same.length === 1
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...single), pastDay, async (metric, day) => {
        const range = { interval: 'PT1H', ...days(day, 2) }
        const space = await getSeries(client, `${ofSpace(metric.spaceUuid, metric.metricType)}/hourly`, range)
        const device = await getSeries(client, ofDevice(metric), range)
        assert.deepEqual(space.points, device.points)
      }),
      { numRuns: 20 },
    )
  })
})

describe('recomputed from the raw readings', () => {
  test('a register: every hour and day is the difference of its interpolated edges', async () => {
    const day = fc.oneof(pastDay, fc.constantFrom(...clockChanges))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...registers), day, async (metric, first) => {
        const readings = await getReadings(
          client,
          metric.deviceUuid,
          metric.metricType,
          days(first.subtract({ days: 1 }), 6),
        )
        const range = days(first, 3)
        for (const interval of ['PT1H', 'P1D'] as const) {
          const { points } = await getSeries(client, ofDevice(metric), { interval, ...range })
          const edges = edgesOf(range, interval)
          const expected = countedBetween(readings, edges, metric.registerSize)
          assert.equal(points.length, expected.length)
          for (const [index, value] of expected.entries()) {
            const point = points[index]
            const [start = 0, end = 0] = [edges[index], edges[index + 1]]
            if (Number.isNaN(value) || !point) continue
            near(point.value, value, `${metric.deviceUuid} ${metric.metricType} ${point.timestamp}`)
            const isFilled = !readings.some(({ at }) => at >= start && at <= end)
            const isRead = readings.some(({ at }) => at > start && at < end)
            if (isFilled) assert.equal(point.quality, 'estimated', point.timestamp)
            if (isRead) assert.match(point.quality, /^(measured|suspect)$/, point.timestamp)
            assert.equal(point.coverage, 1)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a gauge: the plain mean of the readings in the window, its extremes and its coverage', async () => {
    const day = fc.oneof(pastDay, fc.constantFrom(...clockChanges))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gauges), day, async (metric, first) => {
        const { metricType, spaceUuid } = metric
        const same = gauges.filter(
          (other) => other.spaceUuid === spaceUuid && other.metricType === metricType,
        )
        const range = days(first, 2)
        const pooled = await Promise.all(
          same.map(({ deviceUuid }) => getReadings(client, deviceUuid, metricType, range)),
        )
        for (const interval of ['PT1H', 'P1D'] as const) {
          const granularity = interval === 'PT1H' ? 'hourly' : 'daily'
          const device = await getSeries(client, ofDevice(metric), { interval, ...range })
          const space = await getSeries(client, `${ofSpace(spaceUuid, metricType)}/${granularity}`, range)
          assertGauge(device, edgesOf(range, interval), pooled[same.indexOf(metric)] ?? [])
          // The people whom several sensors of a room count add up; other readings are pooled.
          if (metricType !== 'occupancy' || same.length === 1)
            assertGauge(space, edgesOf(range, interval), pooled.flat())
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('interval=raw', () => {
  test('pages of readings are together the whole, in order of time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...metrics.filter(({ metricType }) => metricType !== 'battery')),
        pastDay,
        fc.integer({ min: 20, max: 400 }),
        async (metric, day, limit) => {
          const range = days(day, 7)
          const whole = await getReadings(client, metric.deviceUuid, metric.metricType, range)
          assert.deepEqual(
            whole,
            whole.toSorted((a, b) => a.at - b.at),
          )
          const pages: unknown[] = []
          const path = ofDevice(metric)
          for (let cursor: string | null = ''; cursor !== null; ) {
            const page = await client.get(
              `${path}${query({ interval: 'raw', ...range, limit: String(limit), ...(cursor && { cursor }) })}`,
            )
            const { nextCursor, hasMore } = asObject(page['pagination'])
            assert.equal(hasMore, nextCursor !== null)
            pages.push(...asArray(page['timeSeries']).map((item) => asObject(item)['value']))
            cursor = nextCursor === null ? null : asString(nextCursor)
          }
          assert.deepEqual(
            pages,
            whole.map(({ value }) => value),
          )
        },
      ),
      { numRuns: 10 },
    )
  })

  test('refuses a wrong limit, and a cursor that belongs to another device or range', async () => {
    const [one, two] = registers.filter(({ metricType }) => metricType === 'electricity')
    assert.ok(one && two)
    const range = days(todayHere.subtract({ days: 20 }), 3)
    const at = (metric: Metric, more: Record<string, string>): string =>
      `${ofDevice(metric)}${query({ interval: 'raw', ...range, ...more })}`
    for (const limit of ['0', '1001', '-1', 'x', ''])
      assertProblem(portico, await client.send(at(one, { limit })), 400)
    const cursor = asString(asObject((await client.get(at(one, { limit: '5' })))['pagination'])['nextCursor'])
    assert.equal((await client.send(at(one, { limit: '5', cursor }))).status, 200)
    assertProblem(portico, await client.send(at(two, { limit: '5', cursor })), 400)
    assertProblem(portico, await client.send(at(one, { limit: '5', cursor: `${cursor}x` })), 400)
    assertProblem(
      portico,
      await client.send(at(one, { limit: '5', cursor, ...days(todayHere.subtract({ days: 30 }), 3) })),
      400,
    )
  })

  test('every device of the demo has readings', async () => {
    assert.ok(devices.length > 0)
    for (const metric of metrics.filter((_, index) => index % 11 === 0)) {
      if (metric.metricType === 'battery') continue
      const readings = await getReadings(
        client,
        metric.deviceUuid,
        metric.metricType,
        days(todayHere.subtract({ days: 8 }), 7),
      )
      assert.ok(readings.length > 48, `${metric.deviceUuid} ${metric.metricType}: ${readings.length}`)
    }
  })
})

function assertPoints({ points }: Series, more: string[]): void {
  for (const { json, quality, coverage, value } of points) {
    const fields = Object.keys(json).toSorted()
    const expected = ['coverage', 'quality', 'timestamp', 'value']
    if (value !== null) expected.push(...more)
    assert.deepEqual(
      fields.filter((name) => value !== null || !more.includes(name)),
      expected.toSorted(),
    )
    assert.ok(['measured', 'estimated', 'partial', 'suspect', 'missing'].includes(quality))
    assert.ok(coverage >= 0 && coverage <= 1)
    assert.equal(value === null, quality === 'missing')
    if (value !== null) assert.equal(Number(value.toFixed(6)), value)
  }
}

function assertGauge({ points }: Series, edges: number[], readings: { at: number; value: number }[]): void {
  assert.equal(points.length, edges.length - 1)
  for (const [index, { timestamp, value, coverage, json }] of points.entries()) {
    const expected = gaugeIn(readings, edges[index] ?? 0, edges[index + 1] ?? 0)
    if (!expected) {
      assert.equal(value, null, timestamp)
      continue
    }
    near(value, expected.mean, `mean ${timestamp}`)
    near(asNumber(json['min']), expected.min, `min ${timestamp}`)
    near(asNumber(json['max']), expected.max, `max ${timestamp}`)
    assert.ok(
      Math.abs(coverage - expected.coverage) < 1e-3,
      `coverage ${timestamp}: ${coverage} ${expected.coverage}`,
    )
  }
}
