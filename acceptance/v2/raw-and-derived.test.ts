import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onlyEmbedded } from '../support/servers/backend.ts'
import { parseCsv } from '../support/oracles/csv.ts'
import { readDemoData } from '../support/oracles/demo-data.ts'
import { days, historyDays, ofDevice, ofSpace, pastDay, todayHere } from '../support/oracles/demo-series.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { median } from '../support/oracles/readings.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { postReadings, write } from '../support/clients/ingest-channels.ts'
import type { Answer } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asNumber, getReadings, getSeries, type Series } from '../support/clients/series.ts'
import { query } from '../support/clients/v2-client.ts'
import { utilities } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()
const { client, portico } = demo

const data = await readDemoData(demo)
const { spaces, metrics } = data
const lastWeek = days(todayHere.subtract({ days: 10 }), 7)
const read = metrics.filter(({ metricType }) => metricType !== 'battery')

function isClose(actual: unknown, expected: number, tolerance: number, message: string): void {
  assert.ok(
    Math.abs(asNumber(actual) - expected) <= tolerance,
    `${message}: ${String(actual)}, not ${expected}`,
  )
}

describe('interval=raw', () => {
  const at = (metric: (typeof read)[number], params: Record<string, string>): string =>
    `${ofDevice(metric)}${query({ interval: 'raw', ...params })}`

  test('pages of readings are the whole, in chronological order', async () => {
    const limits = fc.integer({ min: 20, max: 400 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...read), pastDay, limits, async (metric, day, limit) => {
        const range = days(day, 7)
        const whole = await getReadings(client, metric.deviceUuid, metric.metricType, range)
        const instants = whole.map((reading) => reading.at)
        assert.deepEqual(
          instants,
          [...new Set(instants)].toSorted((a, b) => a - b),
        )
        const pages: unknown[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await client.get(
            at(metric, { ...range, limit: String(limit), ...(cursor && { cursor }) }),
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
      }),
      { numRuns: 15 },
    )
  })

  test('Link rel="next" leads through the pages, and the last has none', async () => {
    const [metric] = read
    assert.ok(metric)
    const whole = await getReadings(client, metric.deviceUuid, metric.metricType, lastWeek)
    const values: unknown[] = []
    for (let path: string | undefined = at(metric, { ...lastWeek, limit: '250' }); path !== undefined; ) {
      const answer = await client.send(path)
      assert.equal(answer.status, 200, answer.text)
      values.push(...asArray(answer.json['timeSeries']).map((item) => asObject(item)['value']))
      const link = answer.headers.get('link')
      assert.equal(asObject(answer.json['pagination'])['hasMore'], link !== null)
      path = link?.match(/^<(.+)>; rel="next"$/)?.[1]?.slice(portico.baseUrl.length)
    }
    assert.deepEqual(
      values,
      whole.map(({ value }) => value),
    )
  })

  test('CSV is the whole range, however many readings it has, and a page with limit', async () => {
    const house = makeSmallSite()
    await applyInventory(demo, house.document)
    const partner = await addClient(demo, [house.siteUuid])
    const from = Math.floor(Date.now() / 60_000) * 60_000 - 5 * 86_400_000
    const sent = Array.from({ length: 6_000 }, (_, index) => [from + index * 60_000, index / 10] as const)
    const readings = sent.map(([time, value]) => ({
      deviceUuid: house.sensor,
      metricType: 'temperature',
      timestamp: new Date(time).toISOString(),
      value,
    }))
    await postReadings(demo, 'csv', write(readings, 'csv'))
    const path = `/devices/${house.sensor}/consumption/temperature`
    const get = (params: Record<string, string>): Promise<Answer> =>
      partner.send(
        `${path}${query({ interval: 'raw', fromDateTime: new Date(from).toISOString(), ...params })}`,
        { headers: { accept: 'text/csv' } },
      )
    const whole = await get({})
    assert.equal(whole.status, 200, whole.text)
    assert.equal(whole.headers.get('link'), null)
    assert.deepEqual(
      parseCsv(whole.text).map(({ timestamp, value }) => [Date.parse(timestamp ?? ''), Number(value)]),
      sent,
    )
    const page = await get({ limit: '10' })
    assert.equal(parseCsv(page.text).length, 10)
    assert.match(page.headers.get('link') ?? '', /rel="next"$/)
  })

  test('rejects an invalid limit, and a cursor of another device or another range', async () => {
    const [one, two] = read.filter(({ metricType }) => metricType === 'electricity')
    assert.ok(one && two)
    for (const limit of ['0', '1001', '-1', 'x', '']) {
      assertProblem(portico, await client.send(at(one, { ...lastWeek, limit })), 400)
    }
    const first = await client.get(at(one, { ...lastWeek, limit: '5' }))
    const more = { limit: '5', cursor: asString(asObject(first['pagination'])['nextCursor']) }
    assert.equal((await client.send(at(one, { ...lastWeek, ...more }))).status, 200)
    assertProblem(portico, await client.send(at(two, { ...lastWeek, ...more })), 400)
    const earlier = days(todayHere.subtract({ days: 30 }), 7)
    assertProblem(portico, await client.send(at(one, { ...earlier, ...more })), 400)
  })

  test('limit and cursor are accepted for raw readings only', async () => {
    const [metric] = read
    assert.ok(metric)
    assertProblem(portico, await client.send(`${ofDevice(metric)}?limit=5`), 400)
  })

  test(`the devices of the demo have at least ${historyDays} days of readings`, async () => {
    // Some valves are silent for most of each month.
    const valves = new Set(
      data.devices.filter(({ deviceType }) => deviceType === 'trv').map(({ deviceUuid }) => deviceUuid),
    )
    const steady = read.filter(({ deviceUuid }) => !valves.has(deviceUuid))
    for (const metric of steady.filter((_, index) => index % 11 === 0)) {
      const counts: number[] = []
      for (const age of [8, historyDays / 2, historyDays]) {
        const range = days(todayHere.subtract({ days: age }), 7)
        counts.push((await getReadings(client, metric.deviceUuid, metric.metricType, range)).length)
      }
      assert.ok(
        Math.max(...counts) > 48 && counts.filter((count) => count > 0).length >= 2,
        JSON.stringify({ metric, counts }),
      )
    }
  })
})

describe('compareTo', () => {
  const used = spaces.flatMap((space) =>
    asArray(space['metricTypes'])
      .map(asString)
      .filter((name) => utilities.includes(name))
      .map((name) => ({ space, name, path: `${ofSpace(space['spaceUuid'], name)}/daily` })),
  )
  const getComparison = ({ summary }: Series): JsonObject => asObject(summary['comparison'])

  const assertTotal = (compareTo: string, before: Temporal.DurationLike): void => {
    test(`${compareTo} is the total of that range, and the change relative to it`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...used), async ({ path }) => {
          const from = todayHere.subtract({ days: 10 })
          const earlier = await getSeries(client, path, days(from.subtract(before), 7))
          const series = await getSeries(client, path, { ...lastWeek, compareTo })
          const { value, changePercent, coverage } = getComparison(series)
          // A day that is suspect, then or now, counts on neither side.
          const compared = series.points.flatMap((now, index) => {
            const before = earlier.points[index] ?? assert.fail()
            return now.quality === 'suspect' || before.quality === 'suspect' ? [] : [{ now, before }]
          })
          const sum = (values: (number | null)[]): number =>
            values.reduce<number>((total, one) => total + (one ?? 0), 0)
          const [total, base] = [
            sum(compared.map(({ now }) => now.value)),
            sum(compared.map(({ before: then }) => then.value)),
          ]
          isClose(value ?? 0, base, 1e-6, path)
          const covered =
            sum(compared.map(({ before: then }) => then.coverage)) / Math.max(1, compared.length)
          isClose(coverage, covered, 0.01, path)
          if (asNumber(coverage) < 0.9 || base <= 0) assert.equal(changePercent, null, path)
          else isClose(changePercent, (100 * (total - base)) / base, 0.1, path)
        }),
        { numRuns: 25 },
      )
    })
  }
  assertTotal('previousPeriod', { days: 7 })
  onlyEmbedded('in PostgreSQL the demo goes back some months', () => {
    assertTotal('previousYear', { years: 1 })
  })

  test('target is the declared target over the range, and null where none is declared', async () => {
    for (const { space, name, path } of used) {
      const target = data.listTargets(space['spaceUuid'])[name]
      const { value, changePercent } = getComparison(
        await getSeries(client, path, { ...lastWeek, compareTo: 'target' }),
      )
      const { points } = await getSeries(client, path, lastWeek)
      const trusted = points.filter(({ quality }) => quality !== 'suspect').length
      if (target === undefined) assert.deepEqual([value, changePercent], [null, null])
      else isClose(value, trusted * target, 1e-6, path)
    }
  })

  test('siteAverage has a value, a change and a percentile', async () => {
    for (const { space, path } of used) {
      if (space['spaceType'] !== 'bedroom') continue
      const { value, changePercent, percentile, coverage } = getComparison(
        await getSeries(client, path, { ...lastWeek, compareTo: 'siteAverage' }),
      )
      assert.ok(asNumber(value) >= 0)
      if (asNumber(coverage) < 0.9) {
        assert.deepEqual([changePercent, percentile], [null, null])
        continue
      }
      if (asNumber(value) > 0) asNumber(changePercent)
      assert.ok(asNumber(percentile) >= 0 && asNumber(percentile) <= 100)
    }
  })

  test('without compareTo there is no comparison', async () => {
    const series = await getSeries(client, used[0]?.path ?? '', lastWeek)
    assert.ok(!('comparison' in series.summary))
  })
})

describe('performance', () => {
  const day = todayHere.subtract({ days: 9 })
  const daily = (space: JsonObject, name: string, range = days(day, 1)): Promise<Series> =>
    getSeries(client, `${ofSpace(space['spaceUuid'], name)}/daily`, range)

  test('the score of a day compares each utility with its target or the median of similar spaces', async () => {
    const actual = new Map<string, number | null>()
    const key = (space: JsonObject, name: string): string => `${String(space['spaceUuid'])} ${name}`
    for (const space of spaces) {
      for (const name of asArray(space['metricTypes']).map(asString)) {
        if (!utilities.includes(name)) continue
        const [point] = (await daily(space, name)).points
        actual.set(key(space, name), point?.quality === 'suspect' ? null : (point?.value ?? null))
      }
    }
    for (const space of spaces) {
      const peers = spaces.filter((other) => other['spaceType'] === space['spaceType'])
      const scores: Record<string, number> = {}
      for (const name of utilities) {
        const value = actual.get(key(space, name))
        if (name === 'solar' || value === null || value === undefined) continue
        const others = peers.flatMap((peer) => actual.get(key(peer, name)) ?? [])
        const baseline =
          data.listTargets(space['spaceUuid'])[name] ?? (others.length >= 5 ? median(others) : 0)
        if (baseline > 0) scores[name] = Math.min(100, Math.max(0, 100 * (1 - value / (2 * baseline))))
      }
      const [point] = (await daily(space, 'performance')).points
      const names = Object.keys(scores)
      if (names.length === 0) {
        assert.equal(point?.value, null, String(space['spaceName']))
        continue
      }
      const components = asObject(point?.json['components'])
      assert.deepEqual(Object.keys(components).toSorted(), names.toSorted(), String(space['spaceName']))
      for (const name of names)
        isClose(components[name], scores[name] ?? 0, 0.51, `${String(space['spaceName'])} ${name}`)
      const mean = names.reduce((sum, name) => sum + (scores[name] ?? 0), 0) / names.length
      isClose(point?.value, mean, 0.51, String(space['spaceName']))
    }
  })

  test('a week and a month are the mean of their closed days, and the current day is null', async () => {
    const scored = spaces.filter((space) => space['spaceType'] === 'bedroom').slice(0, 5)
    for (const space of scored) {
      const path = `${ofSpace(space['spaceUuid'], 'performance')}/daily`
      const recent = await getSeries(client, path, {})
      assert.equal(recent.points.at(-1)?.value, null)
      const first = todayHere.with({ day: 1 })
      const ranges = [
        ['P1M', days(first.subtract({ months: 1 }), first.subtract({ months: 1 }).daysInMonth)],
        ['P1M', days(first, first.daysInMonth)],
        ['P1W', days(todayHere.subtract({ days: todayHere.dayOfWeek + 6 }), 7)],
      ] as const
      for (const [interval, range] of ranges) {
        const whole = await getSeries(client, path, { interval, ...range })
        const values = (await getSeries(client, path, range)).points.flatMap(({ value }) => value ?? [])
        if (values.length === 0) assert.equal(whole.points[0]?.value, null)
        else
          isClose(
            whole.points[0]?.value,
            values.reduce((sum, value) => sum + value, 0) / values.length,
            0.51,
            path,
          )
      }
    }
  })
})
