import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompareTo } from '../../../../../src/domain/telemetry/series/compare.ts'
import { checkEmissionBound } from '../../../../../src/domain/telemetry/series/emission-bound.ts'
import {
  estimateDeviceCost,
  estimateRankCost,
  estimateSeriesCost,
  estimateSpaceCost,
  estimateSumCost,
  MAX_COST,
} from '../../../../../src/domain/telemetry/series/query-cost.ts'
import { resolveRange } from '../../../../../src/domain/telemetry/series/range.ts'
import type { SpaceRecord } from '../../../../../src/domain/estate/inventory/inventory.ts'
import {
  createSiteModel,
  type Device,
  type SiteModel,
} from '../../../../../src/domain/estate/inventory/site-model.ts'
import { type MeasuredMetric, METRICS, type MetricName } from '../../../../../src/domain/metric/catalogue.ts'
import type { Interval } from '../../../../../src/calendar/window-edges.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

/** A site of studios, each with an electricity meter and a thermometer; the first three form a cluster. */
function makeSite(
  spaceCount: number,
  more: readonly MeasuredMetric[] = [],
): { model: SiteModel; space: SpaceRecord; device: Device } {
  const spec = { kind: 'gauge', registerSize: null, maxPerHour: null } as const
  const spaces = Array.from({ length: spaceCount }, (_, index): SpaceRecord => {
    const name = String(index).padStart(5, '0')
    return {
      spaceUuid: name,
      spaceName: name,
      spaceType: 'studio',
      buildingUuid: 'b',
      floorNumber: null,
      clusterUuid: index < 3 ? 'flat' : null,
      clusterName: null,
      areaM2: null,
      capacity: null,
      legacyId: null,
      targets: {},
    }
  })
  const model = createSiteModel(
    {
      version: 1,
      site: {
        siteUuid: 's',
        siteName: 'Site',
        timeZone: 'Europe/London',
        legacyId: null,
        latitude: null,
        longitude: null,
        postcode: null,
        sandbox: false,
        policy: {},
      },
      buildings: [],
      spaces: spaces.map((record) => ({ record, isArchived: false, series: {} })),
      devices: spaces.map(({ spaceUuid }, index) => ({
        record: {
          deviceUuid: spaceUuid,
          deviceName: spaceUuid,
          deviceType: 'multiSensor',
          spaceUuid,
          gatewayUuid: null,
          manufacturer: null,
          model: null,
          serialNumber: null,
          firmwareVersion: null,
          installedAt: null,
          metrics: {
            electricity: spec,
            temperature: spec,
            ...Object.fromEntries(more.map((metric) => [metric, spec])),
          },
          capabilities: {},
        },
        isArchived: false,
        placements: [{ spaceUuid, from: 0, to: null }],
        series: {
          electricity: 10 * index + 1,
          temperature: 10 * index + 2,
          ...Object.fromEntries(more.map((metric, offset) => [metric, 10 * index + 3 + offset])),
        },
      })),
    },
    METRIC_NAMES,
  )
  const [device] = model.devices.values()
  return { model, space: spaces[0] ?? assert.fail(), device: device ?? assert.fail() }
}

const small = makeSite(44)
const large = makeSite(1_000)

interface Query {
  metric: MetricName
  interval: Interval
  from: string
  compareTo?: CompareTo
  scope?: 'space' | 'cluster'
}

const rangeFor = (interval: Interval, from: string, to = '2026-11-15') =>
  resolveRange({ fromDateTime: from, toDateTime: to }, interval, small.model.zone, NOW)

const costOn = (site: typeof small, { metric, interval, from, compareTo, scope = 'space' }: Query): number =>
  estimateSpaceCost({ ...site, metric, scope, range: rangeFor(interval, from) }, compareTo)

test('every series of one measured metric costs 1, whatever its range and interval', () => {
  const longest: [Interval, string][] = [
    ['PT15M', '2026-10-15'],
    ['PT1H', '2026-10-15'],
    ['P1D', '2025-11-14'],
    ['P1W', '2025-11-17'],
    ['P1M', '2021-12-01'],
  ]
  for (const [interval, from] of longest) {
    for (const metric of ['electricity', 'temperature'] as const) {
      for (const compareTo of [undefined, 'previousPeriod', 'previousYear', 'target'] as const) {
        const query = { metric, interval, from, ...(compareTo && { compareTo }) }
        assert.equal(costOn(large, query), 1, JSON.stringify(query))
      }
      assert.equal(
        estimateDeviceCost(large.device, metric, rangeFor(interval, from), 'previousYear'),
        1,
        interval,
      )
    }
  }
})

test('the day on which clocks go back does not make the longest range of quarter hours more expensive', () => {
  const range = rangeFor('PT15M', '2026-10-01', '2026-11-01')
  assert.equal(range.windows.length, 31 * 96 + 4)
  assert.equal(estimateDeviceCost(small.device, 'electricity', range, 'previousPeriod'), 1)
})

test('a comparison with the peers costs more the more there are, and the longer the range', () => {
  const siteAverage = { metric: 'temperature', compareTo: 'siteAverage' } as const
  const day = { ...siteAverage, interval: 'PT1H', from: '2026-11-14' } as const
  const month = { ...siteAverage, interval: 'PT15M', from: '2026-10-15' } as const
  const years = { ...siteAverage, interval: 'P1M', from: '2021-12-01' } as const
  assert.deepEqual(
    [day, month, years].map((query) => costOn(small, query)),
    [1, 2, 6],
  )
  assert.deepEqual(
    [day, month, years].map((query) => costOn(large, query)),
    [13, 16, 60],
  )
})

test('each day of emissions costs four times as much', () => {
  const years = { metric: 'carbon', interval: 'P1M', from: '2021-12-01' } as const
  const [month, average] = [{ from: '2026-10-01' }, { compareTo: 'siteAverage' }] as const
  assert.equal(costOn(small, years), 1)
  assert.equal(costOn(small, { ...years, ...month, ...average }), 2)
  assert.equal(costOn(small, { ...years, ...average }), 22)
  assert.equal(costOn(large, { ...years, ...month, ...average }), 29)
})

test('each further source of emissions costs as much as a series of consumption', () => {
  const heated = makeSite(44, ['gas', 'heating', 'cooling', 'solar', 'water'])
  const years = { interval: 'P1M', from: '2021-12-01', compareTo: 'siteAverage' } as const
  const carbon = costOn(small, { ...years, metric: 'carbon' })
  const electricity = costOn(small, { ...years, metric: 'electricity' })
  assert.deepEqual([carbon, electricity], [22, 6])
  assert.equal(costOn(heated, { ...years, metric: 'carbon' }), carbon + 3 * electricity - 1)
  assert.equal(costOn(heated, { ...years, metric: 'electricity' }), electricity)
  const range = rangeFor('P1M', '2021-12-01')
  assert.equal(estimateDeviceCost(small.device, 'carbon', range), 1)
  assert.equal(estimateDeviceCost(heated.device, 'carbon', range, 'previousYear'), 2)
})

test('emissions are bounded by space-days; a further source counts as a fourth of a space', () => {
  const heated = makeSite(1_000, ['gas', 'heating'])
  const allowed = ({ model, space }: typeof large): string => {
    const range = rangeFor('P1M', '2021-12-01')
    const query = { model, space, metric: 'carbon', interval: 'P1M', scope: 'space', range } as const
    try {
      checkEmissionBound(query, 'siteAverage')
      return 'any'
    } catch (error) {
      return /at most (\d+) days/.exec(String(error))?.[1] ?? ''
    }
  }
  assert.deepEqual([small, large, heated].map(allowed), ['any', '399', '266'])
})

test('a score costs as much as the days of all peers, unless the space has a target', () => {
  const year = { metric: 'performance', interval: 'P1D', from: '2025-11-14' } as const
  assert.equal(costOn(small, year), 2)
  assert.equal(costOn(large, year), 36)
  const targets = { electricity: { perDay: 5 } }
  assert.equal(costOn({ ...large, space: { ...large.space, targets } }, year), 1)
  assert.ok(costOn(large, { ...year, compareTo: 'previousYear' }) > 36)
})

test('a cluster costs as much as the series of its spaces', () => {
  const month = { metric: 'electricity', interval: 'PT15M', from: '2026-10-15', scope: 'cluster' } as const
  assert.equal(costOn(small, month), 2)
  assert.equal(costOn(small, { ...month, interval: 'PT1H' }), 1)
})

test('nothing costs more than the maximum', () => {
  const all: Query = { metric: 'carbon', interval: 'P1M', from: '2021-12-01', compareTo: 'siteAverage' }
  assert.equal(costOn(large, all), MAX_COST)
})

test('histories and ranks of version 1 are estimated from their series too', () => {
  const year = rangeFor('P1D', '2025-11-14')
  assert.equal(estimateSeriesCost(7, year), 1)
  const month = rangeFor('PT1H', '2026-10-15')
  assert.equal(estimateSumCost(10, month), 1)
  assert.ok(estimateSumCost(1_000, month) > 50)
  const span = { from: NOW - 14 * 86_400_000, to: NOW }
  assert.equal(estimateRankCost(small.model, small.space, span), 1)
  assert.ok(estimateRankCost(large.model, large.space, span) > 10)
})
