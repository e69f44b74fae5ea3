import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Windows } from '../../../../../src/calendar/interval.ts'
import type { DerivedSource } from '../../../../../src/domain/telemetry/series/derived-series.ts'
import { performanceScores } from '../../../../../src/domain/telemetry/insight/performance-series.ts'
import { findPeerSets, findPeerSetsEver } from '../../../../../src/domain/telemetry/series/scope.ts'
import { createSiteModel } from '../../../../../src/domain/estate/inventory/site-model.ts'
import { METRIC_NAMES, type MeasuredMetric } from '../../../../../src/domain/metric/catalogue.ts'
import { makeSmallSite, REGISTER } from '../../../../support/small-site.ts'

const DAY = 86_400_000
const FIRST = Date.UTC(2025, 0, 1)

const SPACES = 8
const UTILITIES: readonly MeasuredMetric[] = ['electricity', 'heating', 'water']

const request = fc.record({
  /** The utilities that each space measures. */
  measured: fc.array(fc.subarray([...UTILITIES]), { minLength: SPACES, maxLength: SPACES }),
  target: fc.option(fc.double({ min: 0.5, max: 9, noNaN: true })),
  days: fc.integer({ min: 1, max: 800 }),
  interval: fc.constantFrom('P1D' as const, 'P1M' as const),
  seed: fc.nat(),
})

/** A day value, missing on some days. */
const draw = (...parts: number[]): number => {
  const mixed = parts.reduce((sum, part) => (sum * 31 + part * 7 + 11) % 1_000_003, 1)
  return mixed % 9 === 0 ? Number.NaN : (mixed % 5_000) / 1_000
}

test('the mean scores of all peers equal the score of each computed alone', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ measured, target, days, interval, seed }) => {
      const source = createSource(measured, target, seed)
      const [space = assert.fail()] = source.model.spaces.values()
      const query = { model: source.model, space, scope: 'space' } as const
      const [subjects, peers] = [findPeerSets(query), findPeerSetsEver(query)]
      assert.deepEqual([subjects.size, peers.size], [SPACES - 1, SPACES])
      const windows = new Windows([FIRST, FIRST + days * DAY])
      const now = FIRST + (days - 1) * DAY + DAY / 2
      const alone = []
      for (const spaces of subjects.values()) {
        const series = await performanceScores.series(source, spaces, peers, interval, windows, now)
        alone.push(series.summary.mean)
      }
      const means = await performanceScores.means(source, subjects, peers, windows, now)
      assert.deepEqual(
        means.map(({ value }) => value),
        alone,
      )
    }),
    { numRuns: 15 },
  )
})

function createSource(
  measured: readonly MeasuredMetric[][],
  target: number | null,
  seed: number,
): DerivedSource {
  const devices = measured.map((own, space) => ({
    space,
    metrics: Object.fromEntries(own.map((metric) => [metric, REGISTER])),
  }))
  const { site, buildings, spaces, devices: records } = makeSmallSite('UTC', SPACES, devices)
  const model = createSiteModel(
    {
      version: 1,
      site,
      buildings: buildings.map((record) => ({ record, isArchived: false })),
      // One space is compared with its own target, and one was archived.
      spaces: spaces.map((record, index) => ({
        record:
          index === 0 && target !== null ? { ...record, targets: { water: { perDay: target } } } : record,
        isArchived: index === 1,
        series: {},
      })),
      devices: records.map(({ since: _since, ...record }, index) => ({
        record,
        isArchived: false,
        series: Object.fromEntries(
          Object.keys(record.metrics).map((metric) => [
            metric,
            index * 10 + METRIC_NAMES.indexOf(metric as 'water'),
          ]),
        ),
        placements: [{ spaceUuid: record.spaceUuid, from: 0, to: null }],
      })),
    },
    METRIC_NAMES,
  )
  const order = spaces.map(({ spaceUuid }) => spaceUuid)
  return {
    model,
    concurrency: 3,
    dayValues: async ([{ spaceUuid } = assert.fail()], metric, _span, days) =>
      Float64Array.from(days, ({ from }) =>
        model.placedSeries(spaceUuid, metric).length === 0
          ? Number.NaN
          : draw(seed, order.indexOf(spaceUuid), UTILITIES.indexOf(metric), from / DAY),
      ),
    baselines: new Map(),
  }
}
