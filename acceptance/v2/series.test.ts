import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readDemoData } from '../support/oracles/demo-data.ts'
import {
  assertGauge,
  assertNear,
  assertPoints,
  clockChanges,
  days,
  computeEdges,
  ofDevice,
  ofSpace,
  pastDay,
  todayHere,
} from '../support/oracles/demo-series.ts'
import { asArray, asString, type JsonObject } from '../support/json.ts'
import { countedBetween } from '../support/oracles/readings.ts'
import { asNumber, getReadings, getSeries, millionths, listValues } from '../support/clients/series.ts'
import { environment, utilities } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()
const { client } = demo

const { spaces, metrics } = await readDemoData(demo)
const registers = metrics.filter(({ kind }) => kind === 'register')
const gauges = metrics.filter(({ kind, metricType }) => kind === 'gauge' && metricType !== 'battery')
const anyDay = fc.oneof(pastDay, ...clockChanges.map((day) => fc.constant(day)))

/** A space and a utility measured in it. */
const used = spaces.flatMap((space) =>
  asArray(space['metricTypes'])
    .map(asString)
    .filter((name) => utilities.includes(name))
    .map((name) => ({ space, name, path: ofSpace(space['spaceUuid'], name) })),
)

describe('the body of a series', () => {
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
          const hasSuspect = series.points.some(({ quality, value }) => quality === 'suspect' && value !== 0)
          const summary = ['max', environment.includes(name) ? 'mean' : 'total', 'min']
          if (hasSuspect) summary.push('suspectTotal')
          assert.deepEqual(Object.keys(series.summary).toSorted(), summary.toSorted())
        }
      }
    }
  })

  test('of a device has the same fields with deviceUuid, at every interval', async () => {
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

test('the current window is partial or suspect, or missing if there are no data yet', async () => {
  const wrong: string[] = []
  for (const metric of metrics.filter(({ kind }) => kind !== 'gauge')) {
    for (const interval of ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']) {
      const { points } = await getSeries(client, ofDevice(metric), { interval })
      const { quality, coverage } = points.at(-1) ?? { quality: 'absent', coverage: 0 }
      const isRunning = (['partial', 'suspect'].includes(quality) && coverage < 1) || quality === 'missing'
      if (!isRunning) wrong.push(`${metric.kind} ${metric.deviceUuid} ${interval}: ${quality} ${coverage}`)
    }
  }
  assert.deepEqual(wrong, [])
})

describe('sums', () => {
  test('hours add up to their day and quarter hours to their hour, also at clock changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...used), anyDay, async ({ path }, day) => {
        const range = days(day, 1)
        const daily = await getSeries(client, `${path}/daily`, range)
        for (const interval of ['PT1H', 'PT30M', 'PT15M']) {
          const hourly = await getSeries(client, `${path}/hourly`, { interval, ...range })
          const message = `${path} ${day.toString()} ${interval}`
          assert.equal(millionths(listValues(hourly)), millionths(listValues(daily)), message)
          assert.equal(millionths([asNumber(hourly.summary['total'])]), millionths(listValues(hourly)))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('days add up to their week and to their month', async () => {
    const age = fc.integer({ min: 2, max: 12 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...used), age, async ({ path }, months) => {
        const first = todayHere.subtract({ months }).with({ day: 1 })
        const month = days(first, first.daysInMonth)
        const week = days(first.add({ days: 8 - first.dayOfWeek }), 7)
        for (const [interval, range] of [
          ['P1M', month],
          ['P1W', week],
        ] as const) {
          const whole = await getSeries(client, `${path}/daily`, { interval, ...range })
          const parts = await getSeries(client, `${path}/daily`, range)
          assert.equal(whole.points.length, 1)
          assert.equal(
            millionths(listValues(parts)),
            millionths(listValues(whole)),
            `${path} ${first.toString()}`,
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  test('scope=cluster is the sum over the meters of the cluster, without those below another', async () => {
    const devices = await client.list('/devices')
    const counts = (
      { clusterUuid, submeterOf, metricTypes }: JsonObject,
      cluster: unknown,
      name: string,
    ): boolean => clusterUuid === cluster && submeterOf === null && asArray(metricTypes).includes(name)
    const clusters = [...new Set(spaces.flatMap((space) => space['clusterUuid'] ?? []))]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...clusters), anyDay, async (clusterUuid, day) => {
        const members = spaces.filter((space) => space['clusterUuid'] === clusterUuid)
        for (const name of ['electricity', 'water']) {
          const range = { interval: 'P1D', ...days(day, 3) }
          const path = `${ofSpace(members[0]?.['spaceUuid'], name)}/daily`
          const whole = await getSeries(client, path, { scope: 'cluster', ...range })
          const parts = await Promise.all(
            devices
              .filter((device) => counts(device, clusterUuid, name))
              .map(({ deviceUuid }) =>
                getSeries(client, `/devices/${asString(deviceUuid)}/consumption/${name}`, range),
              ),
          )
          assert.ok(parts.length > 0)
          for (const [index, { value }] of whole.points.entries()) {
            const values = parts.map((part) => part.points[index]?.value ?? null)
            assert.equal(millionths([value]), millionths(values))
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  test('the consumption of a space with one meter is that of the meter', async () => {
    const single = metrics.filter(({ spaceUuid, metricType, kind }) => {
      const same = metrics.filter((other) => other.spaceUuid === spaceUuid && other.metricType === metricType)
      return kind !== 'gauge' && same.length === 1
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...single), anyDay, async (metric, day) => {
        const range = { interval: 'PT1H', ...days(day, 2) }
        const space = await getSeries(client, `${ofSpace(metric.spaceUuid, metric.metricType)}/hourly`, range)
        const device = await getSeries(client, ofDevice(metric), range)
        assert.deepEqual(space.points, device.points)
      }),
      { numRuns: 30 },
    )
  })
})

describe('recomputed from the raw readings', () => {
  test('a register: every hour and day is the difference of its interpolated edges', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...registers), anyDay, async (metric, first) => {
        const { deviceUuid, metricType, registerSize } = metric
        const around = days(first.subtract({ days: 1 }), 6)
        const readings = await getReadings(client, deviceUuid, metricType, around)
        const range = days(first, 3)
        for (const interval of ['PT1H', 'P1D'] as const) {
          const { points } = await getSeries(client, ofDevice(metric), { interval, ...range })
          const edges = computeEdges(range, interval)
          const counted = countedBetween(readings, edges, registerSize)
          assert.equal(points.length, counted.length)
          for (const [index, { timestamp, value, quality, coverage }] of points.entries()) {
            const expected = counted[index] ?? Number.NaN
            const [start = 0, end = 0] = [edges[index], edges[index + 1]]
            // At the ends of the history, values may be unknown on one side.
            if (Number.isNaN(expected)) continue
            compared++
            assertNear(value, expected, `${deviceUuid} ${metricType} ${timestamp}`)
            assert.equal(coverage, 1, timestamp)
            const isRead = readings.some(({ at }) => at > start && at < end)
            const isFilled = !readings.some(({ at }) => at >= start && at <= end)
            if (isRead) assert.match(quality, /^(measured|suspect)$/, timestamp)
            if (isFilled) assert.equal(quality, 'estimated', timestamp)
          }
        }
      }),
      { numRuns: 150 },
    )
    assert.ok(compared > 5_000, `${compared} windows`)
  })

  test('a gauge: the plain mean of the readings in the window, its extremes and its coverage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gauges), anyDay, async (metric, first) => {
        const { metricType, spaceUuid } = metric
        const range = days(first, 2)
        const same = gauges.filter(
          (other) => other.spaceUuid === spaceUuid && other.metricType === metricType,
        )
        const readings = await Promise.all(
          same.map(({ deviceUuid }) =>
            getReadings(client, deviceUuid, metricType, days(first.subtract({ days: 1 }), 3)),
          ),
        )
        for (const interval of ['PT1H', 'P1D'] as const) {
          const granularity = interval === 'PT1H' ? 'hourly' : 'daily'
          const device = await getSeries(client, ofDevice(metric), { interval, ...range })
          assertGauge(device, computeEdges(range, interval), [readings[same.indexOf(metric)] ?? []])
          // People counted by several sensors are summed; all other gauges of the air are pooled.
          if (metricType === 'occupancy' && same.length > 1) continue
          const space = await getSeries(client, `${ofSpace(spaceUuid, metricType)}/${granularity}`, range)
          const ofAir = readings.filter((_, index) => same[index]?.countsInSpace)
          assertGauge(space, computeEdges(range, interval), ofAir)
        }
      }),
      { numRuns: 80 },
    )
  })
})
