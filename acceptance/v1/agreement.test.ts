import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type DemoData, readDemoData } from '../support/oracles/demo-data.ts'
import { type Demo, exportInventory } from '../support/servers/installation.ts'
import { asArray, asInteger, asObject, asString, type JsonObject } from '../support/json.ts'
import { asNumber, getSeries } from '../support/clients/series.ts'
import { listSuccessors, type V1Client, v1Client } from '../support/clients/v1.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

/** Printed with a failure, to repeat it. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const utilities = ['electricity', 'gas', 'water', 'hotwater', 'heating', 'cooling', 'solar']
const perEndpoint = 12

let demo: Demo
let data: DemoData
let v1: V1Client
let getId: ReadonlyMap<unknown, number>

before(async () => {
  demo = await shareDemo()
  data = await readDemoData(demo)
  v1 = v1Client(demo.client)
  const document = await exportInventory(demo, demo.client.siteId)
  getId = new Map(document.spaces.map((space) => [space['spaceUuid'], asInteger(space['legacyId'])]))
})

interface Case {
  space: JsonObject
  uuid: string
  id: number
  utilities: string[]
  environment: string[]
  random(below: number): number
}

/** Some spaces of the demo, chosen by the seed. */
function cases(salt: number): Case[] {
  let state = seed + salt
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return Array.from({ length: perEndpoint }, () => {
    const space = data.spaces[random(data.spaces.length)] ?? assert.fail('the demo has no space')
    const metrics = asArray(space['metricTypes']).map(asString)
    return {
      space,
      uuid: asString(space['spaceUuid']),
      id: getId.get(space['spaceUuid']) ?? assert.fail('no legacy id'),
      utilities: metrics.filter((metric) => utilities.includes(metric)),
      environment: metrics.filter((metric) => !utilities.includes(metric)),
      random,
    }
  })
}

const today = (): Temporal.PlainDate => Temporal.Now.plainDateISO('Europe/London')

/** Days in the past, or up to now. */
function days(random: Case['random']): { from: string; to: string } {
  const start = today().subtract({ days: 1 + random(380) })
  return { from: start.toString(), to: start.add({ days: 1 + random(40) }).toString() }
}

/**
 * The current window changes during the test: the two responses count if version 2 returned the same before and after.
 */
const both = <T, U>(older: () => Promise<T>, newer: () => Promise<U>): Promise<[T, U]> =>
  eventually(async () => {
    const first = await newer()
    const one = await older()
    const second = await newer()
    assert.deepEqual(second, first, 'version 2 returned something else after the response of version 1')
    return [one, second]
  })

const series = async (uuid: string, metric: string, granularity: string, params: Record<string, string>) =>
  (await getSeries(demo.client, `/spaces/${uuid}/aggregate/${metric}/${granularity}`, params)).json

const points = (json: JsonObject): JsonObject[] => asArray(json['timeSeries']).map(asObject)
const rows = (json: JsonObject): JsonObject[] => asArray(json['data']).map(asObject)
const toDay = (point: JsonObject): string => asString(point['timestamp']).slice(0, 10)
const at = (id: unknown): string => `space ${JSON.stringify(id)}, seed ${seed}`

describe('both versions agree to the digit', () => {
  test('details and overview', async () => {
    for (const { id, uuid, space } of cases(1)) {
      const [older, newer] = await both(
        () => v1.get(`/spaces/details/${id}`),
        () => demo.client.get(`/spaces/${uuid}/overview`),
      )
      assert.equal(older['spaceId'], id)
      for (const name of ['spaceName', 'spaceType', 'buildingName', 'floorNumber', 'clusterName', 'areaM2'])
        assert.deepEqual(older[name], newer[name], `${name}, ${at(id)}`)
      for (const name of ['capacity', 'timeZone', 'metricTypes', 'deviceCount'])
        assert.deepEqual(older[name], space[name], `${name}, ${at(id)}`)
      assert.deepEqual(older['occupancy'], newer['occupancy'], at(id))
    }
  })

  test('utilities: the last closed hour is the one in /hourly', async () => {
    for (const { id, uuid, utilities: metrics } of cases(2)) {
      const [older, newer] = await both(
        () => v1.get(`/spaces/utilities/${id}`),
        () => Promise.all(metrics.map((metric) => series(uuid, metric, 'hourly', {}))),
      )
      assert.deepEqual(Object.keys(older), ['spaceId', 'timestamp', ...metrics], at(id))
      if (metrics.length === 0) {
        assert.equal(older['timestamp'], null, at(id))
        continue
      }
      const age = Date.now() - Date.parse(asString(older['timestamp']))
      assert.ok(age >= 3_600_000 && age < 2 * 3_600_000 + 60_000, `${age}`)
      metrics.forEach((metric, index) => {
        const { unit } = newer[index] ?? {}
        const hour = points(newer[index] ?? {}).find(({ timestamp }) => timestamp === older['timestamp'])
        assert.deepEqual(older[metric], { value: hour?.['value'], unit }, `${metric}, ${at(id)}`)
      })
    }
  })

  test('utilities history and /daily, over any days', async () => {
    for (const { id, uuid, utilities: metrics, random } of cases(3)) {
      const { from, to } = days(random)
      const range = { fromDateTime: from, toDateTime: to }
      const [older, newer] = await both(
        () => v1.get(`/spaces/utilities/${id}/history?from=${from}&to=${to}`),
        () => Promise.all(metrics.map((metric) => series(uuid, metric, 'daily', range))),
      )
      assert.equal(older['spaceId'], id)
      metrics.forEach((metric, index) => {
        const { unit } = newer[index] ?? {}
        assert.deepEqual(
          rows(older).map((row) => [row['date'], row[metric]]),
          points(newer[index] ?? {}).map((point) => [toDay(point), { value: point['value'], unit }]),
          `${metric} ${from} ${to}, ${at(id)}`,
        )
      })
    }
  })

  test('multi-sensor history and /daily: mean, minimum and maximum', async () => {
    for (const { id, uuid, environment, random } of cases(4)) {
      const { from, to } = days(random)
      const range = { fromDateTime: from, toDateTime: to }
      const [older, newer] = await both(
        () => v1.get(`/spaces/multiSensor/${id}/history?from=${from}&to=${to}`),
        () => Promise.all(environment.map((metric) => series(uuid, metric, 'daily', range))),
      )
      environment.forEach((metric, index) => {
        const { unit } = newer[index] ?? {}
        assert.deepEqual(
          rows(older).map((row) => [row['date'], row[metric]]),
          points(newer[index] ?? {}).map((point) => [
            toDay(point),
            { value: point['value'], min: point['min'] ?? null, max: point['max'] ?? null, unit },
          ]),
          `${metric} ${from} ${to}, ${at(id)}`,
        )
      })
    }
  })

  test('multi-sensor: each metric in its newest hour with data in /hourly', async () => {
    for (const { id, uuid, environment } of cases(5)) {
      const [older, newer] = await both(
        () => v1.get(`/spaces/multiSensor/${id}`),
        () => Promise.all(environment.map((metric) => series(uuid, metric, 'hourly', {}))),
      )
      const { spaceId: _, timestamp, ...metrics } = older
      const newest = newer.map((json) => points(json).findLast(({ value }) => value !== null))
      assert.deepEqual(
        metrics,
        Object.fromEntries(
          environment.map((metric, index) => [
            metric,
            {
              value: newest[index]?.['value'] ?? null,
              unit: newer[index]?.['unit'],
              timestamp: newest[index]?.['timestamp'] ?? null,
            },
          ]),
        ),
        at(id),
      )
      const times = newest.flatMap((point) => (point ? [asString(point['timestamp'])] : []))
      assert.deepEqual(timestamp, times.toSorted().at(-1) ?? null)
    }
  })

  test('without a range: the last 30 days and the last 12 months, as in the successor', async () => {
    for (const { id, utilities: metrics } of cases(6).slice(0, 4)) {
      for (const [path, field, count] of [
        [`/spaces/utilities/${id}/history`, 'date', 31],
        [`/spaces/utilities/${id}/monthly`, 'month', 12],
      ] as const) {
        const answer = await v1.send(path)
        assert.equal(rows(answer.json).length, count)
        const successors = listSuccessors(answer)
        assert.equal(successors.length, metrics.length)
        for (const [index, address] of successors.entries()) {
          const metric = metrics[index] ?? ''
          const [older, newer] = await both(
            () => v1.get(path),
            () => demo.client.get(address.slice(demo.portico.baseUrl.length)),
          )
          assert.deepEqual(
            rows(older).map((row) => [row[field], asObject(row[metric])['value']]),
            points(newer).map((point) => [
              asString(point['timestamp']).slice(0, field === 'date' ? 10 : 7),
              point['value'],
            ]),
            `${metric}, ${at(id)}`,
          )
        }
      }
    }
  })

  test('performance and its components, for the month', async () => {
    for (const { id } of cases(7)) {
      const answer = await v1.send(`/spaces/performance/${id}`)
      const [address = ''] = listSuccessors(answer)
      const newer = await demo.client.get(address.slice(demo.portico.baseUrl.length))
      const [month, ...more] = points(newer)
      assert.deepEqual(more, [])
      assert.deepEqual(answer.json, {
        spaceId: id,
        month: asString(month?.['timestamp']).slice(0, 7),
        performance: { value: month?.['value'], unit: newer['unit'] },
      })
      const { spaceId: _, month: __, ...components } = await v1.get(`/spaces/utilities/performance/${id}`)
      const scored = Object.entries(components).filter(([, one]) => asObject(one)['value'] !== null)
      assert.deepEqual(
        Object.fromEntries(scored.map(([metric, one]) => [metric, asObject(one)['value']])),
        month?.['components'] ?? {},
        at(id),
      )
    }
  })

  test('carbon emissions and the metric carbon', async () => {
    for (const { id, uuid, random } of cases(8)) {
      const { from, to } = days(random)
      const [older, newer] = await both(
        () => v1.get(`/spaces/carbonEmissions/${id}?from=${from}&to=${to}`),
        () => series(uuid, 'carbon', 'daily', { fromDateTime: from, toDateTime: to }),
      )
      assert.deepEqual(
        rows(older),
        points(newer).map((point) => ({ date: toDay(point), value: point['value'] })),
        at(id),
      )
      assert.deepEqual([older['unit'], older['total']], [newer['unit'], asObject(newer['summary'])['total']])
    }
  })

  test('occupancy of buildings and the site: the sum of their spaces', async () => {
    const document = await exportInventory(demo, demo.client.siteId)
    const places = [
      ...document.buildings.map(({ buildingUuid, legacyId }) => ({
        path: `/buildings/occupancy/${asInteger(legacyId)}`,
        spaces: data.spaces.filter((space) => space['buildingUuid'] === buildingUuid),
      })),
      { path: `/sites/occupancy/${asInteger(document.site['legacyId'])}`, spaces: data.spaces },
    ]
    for (const { path, spaces } of places) {
      const counted = spaces.filter((space) => asArray(space['metricTypes']).includes('occupancy'))
      const [older, newer] = await both(
        () => v1.get(path),
        () =>
          Promise.all(
            counted.map(
              async ({ spaceUuid }) =>
                (await demo.client.get(`/spaces/${asString(spaceUuid)}/overview`))['occupancy'],
            ),
          ),
      )
      const people = newer.reduce<number>((sum, value) => sum + Number(value ?? 0), 0)
      // A space without a current count is neither empty nor full.
      const capacity = counted
        .filter((_, index) => newer[index] !== null)
        .reduce((sum, space) => sum + Number(space['capacity'] ?? 0), 0)
      assert.deepEqual([older['occupied'], older['capacity']], [people, capacity], path)
      assert.ok(Math.abs(asNumber(older['percentage']) - (people / capacity) * 100) < 1e-3)

      const day = today().subtract({ days: 40 })
      const range = { fromDateTime: day.toString(), toDateTime: day.add({ days: 1 }).toString() }
      const history = await v1.get(`${path}/history?from=${range.fromDateTime}&to=${range.toDateTime}`)
      const each = await Promise.all(
        counted.map(async ({ spaceUuid }) =>
          points(await series(asString(spaceUuid), 'occupancy', 'hourly', range)),
        ),
      )
      rows(history).forEach((row, hour) => {
        const sum = each.reduce((total, own) => total + Number(own[hour]?.['value'] ?? 0), 0)
        assert.equal(row['timestamp'], each[0]?.[hour]?.['timestamp'])
        assert.ok(Math.abs(asNumber(row['occupied']) - sum) < 1e-4, `${path} ${hour}: ${sum}`)
      })
    }
  })

  test('rank: position and percentile follow from the version 2 values of every similar space', async () => {
    for (const { id, uuid, utilities: metrics, space } of cases(9).slice(0, 5)) {
      const month = `${today().toString().slice(0, 7)}-01`
      const params = { interval: 'P1D', fromDateTime: month }
      const like = data.spaces.filter(({ spaceType }) => spaceType === space['spaceType'])
      for (const metric of metrics) {
        const [older, newer] = await both(
          () => v1.get(`/spaces/utilities/rank/${id}`),
          () =>
            Promise.all(
              like.map(async ({ spaceUuid }) => {
                const days = points(await series(asString(spaceUuid), metric, 'daily', params))
                // Suspect days are not ranked.
                const known = days.filter(({ value, quality }) => value !== null && quality !== 'suspect')
                const sum = known.reduce((total, { value }) => total + Math.round(asNumber(value) * 1e6), 0)
                return { spaceUuid, total: known.length === 0 ? null : sum / 1e6 }
              }),
            ),
        )
        const own = newer.find(({ spaceUuid }) => spaceUuid === uuid)?.total
        const known = newer.flatMap(({ total }) => (total === null ? [] : [asNumber(total)]))
        const isRanked = known.length >= 5 && own !== null
        const share = (known.filter((total) => total <= Number(own)).length / known.length) * 100
        const { percentile, ...rank } = asObject(older[metric])
        assert.deepEqual(
          rank,
          {
            position: isRanked ? 1 + known.filter((total) => total < Number(own)).length : null,
            peers: known.length,
            value: own,
            unit: rank['unit'],
          },
          `${metric}, ${at(id)}`,
        )
        if (!isRanked) assert.equal(percentile, null)
        else assert.ok(Math.abs(asNumber(percentile) - share) < 1e-3, `${metric}, ${at(id)}`)
        if (metrics.length === 1 && metric !== 'solar')
          assert.deepEqual([older['position'], older['percentile']], [rank['position'], percentile], at(id))
      }
    }
  })
})

describe('tip', () => {
  test('names a metric that the space measures, in words', async () => {
    for (const { id, space } of cases(10)) {
      const tip = await v1.get(`/spaces/tip/${id}`)
      assert.notEqual(asString(tip['tip']), '')
      if (tip['metricType'] !== null)
        assert.ok(asArray(space['metricTypes']).includes(tip['metricType']), at(id))
    }
  })
})

describe('weather and grid', () => {
  test('of a building are those of its site', async () => {
    const document = await exportInventory(demo, demo.client.siteId)
    const building = asInteger(document.buildings[0]?.['legacyId'])
    const site = asInteger(document.site['legacyId'])
    for (const what of ['weather', 'carbonIntensity', 'carbonIntensity/carbonGenerationMix']) {
      const [head = '', ...tail] = what.split('/')
      const rest = tail.map((part) => `/${part}`).join('')
      const [{ buildingId, ...ofBuilding }, { siteId, ...ofSite }] = await both(
        () => v1.get(`/buildings/${head}/${building}${rest}`),
        () => v1.get(`/sites/${head}/${site}${rest}`),
      )
      assert.deepEqual([buildingId, siteId], [building, site])
      assert.deepEqual(ofBuilding, ofSite)
    }
    const { generationMix } = await v1.get(`/sites/carbonIntensity/${site}/carbonGenerationMix`)
    const shares = asArray(generationMix).map((one) => asNumber(asObject(one)['percentage']))
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 2)
  })

  test('are marked as synthetic if no source is configured', async () => {
    const document = await exportInventory(demo, demo.client.siteId)
    const site = asInteger(document.site['legacyId'])
    for (const what of [
      `weather/${site}`,
      `carbonIntensity/${site}`,
      `carbonIntensity/${site}/carbonGenerationMix`,
    ]) {
      const { isSynthetic, isStale } = await v1.get(`/sites/${what}`)
      assert.deepEqual([isSynthetic, isStale], [true, false], what)
    }
  })
})
