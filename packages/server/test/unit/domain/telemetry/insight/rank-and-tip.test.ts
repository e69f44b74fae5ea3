import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClimateNow } from '../../../../../src/domain/telemetry/insight/overview.ts'
import { rankAmong } from '../../../../../src/domain/telemetry/insight/rank.ts'
import { chooseTip } from '../../../../../src/domain/telemetry/insight/tip.ts'
import { NOON } from '../../../../support/seed.ts'

describe('a rank', () => {
  test('starts at the lowest consumption, and equal consumption has equal rank', () => {
    const all = [1, 2, 2, 3, null, 4]
    assert.deepEqual(rankAmong(1, all), { position: 1, percentile: 20, peers: 5 })
    assert.deepEqual(rankAmong(2, all), { position: 2, percentile: 60, peers: 5 })
    assert.deepEqual(rankAmong(4, all), { position: 5, percentile: 100, peers: 5 })
  })

  test('is null among fewer than five, or without a value', () => {
    assert.deepEqual(rankAmong(1, [1, 2, 3, 4]), { position: null, percentile: null, peers: 4 })
    assert.deepEqual(rankAmong(null, [1, 2, 3, 4, 5]), { position: null, percentile: null, peers: 5 })
  })
})

const climate = (metricType: ClimateNow['metricType'], value: number, stale = false): ClimateNow => ({
  metricType,
  unit: 'unit',
  value,
  timestamp: NOON,
  stale,
})

const use = { metricType: 'electricity', unit: 'kWh', lastUpdated: NOON } as const

/** `yesterday` is null if it is suspect. */
const recent = (yesterday: number | null, usual: number | null) =>
  new Map([['electricity', { yesterday, usual }] as const])

describe('a tip', () => {
  test('prefers air quality to temperature', () => {
    const tip = chooseTip([climate('temperature', 26), climate('co2', 1500)], [], new Map())
    assert.deepEqual([tip.metricType, tip.value, tip.unit, tip.at], ['co2', 1500, 'unit', NOON])
  })

  test('ignores old readings', () => {
    assert.equal(chooseTip([climate('co2', 1500, true)], [], new Map()).metricType, null)
  })

  test('reports a day that consumed much more than usual', () => {
    assert.match(chooseTip([], [use], recent(6, 4)).text, /more electricity than is usual/)
    assert.match(chooseTip([], [use], recent(4, 4)).text, /Nothing out of the ordinary/)
    assert.equal(chooseTip([], [use], recent(null, 4)).metricType, null)
  })

  test('exists for a space without measurements', () => {
    assert.notEqual(chooseTip([], [use], recent(null, null)).text, '')
  })
})
