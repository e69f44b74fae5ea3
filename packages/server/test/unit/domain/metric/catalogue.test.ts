import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countsAsUse,
  ENVIRONMENT,
  getCellKind,
  getCombination,
  getSources,
  isMeasured,
  METRIC_NAMES,
  METRICS,
  type MetricType,
  UTILITIES,
} from '../../../../src/domain/metric/catalogue.ts'

const METRIC_TYPES = new Map<string, MetricType>(Object.entries(METRICS))

test('a measured metric has a kind of cell and a combination, a derived one a derivation', () => {
  for (const [name, { group, cellKind, combination, derive }] of METRIC_TYPES) {
    const isDerived = group === 'derived'
    assert.deepEqual(
      [cellKind === null, combination === null, derive !== null],
      [isDerived, isDerived, isDerived],
      name,
    )
  }
})

test('a metric is derived from metrics that are measured', () => {
  for (const [name, { derivedFrom }] of METRIC_TYPES)
    for (const source of derivedFrom)
      assert.ok(
        METRIC_NAMES.some((one) => one === source && isMeasured(one)),
        `${name} from ${source}`,
      )
})

test('emissions are derived from all metrics that cause some', () => {
  assert.deepEqual(
    getSources('carbon'),
    METRIC_NAMES.filter((name) => METRICS[name].emissions !== null),
  )
})

test('utilities are metered and all but solar count as use; battery is a gauge beside the catalogue', () => {
  const measured = METRIC_NAMES.filter(isMeasured)
  assert.deepEqual(
    measured.filter((name) => getCellKind(name) === 'meter'),
    UTILITIES,
  )
  assert.deepEqual(
    measured.filter((name) => getCellKind(name) === 'gauge'),
    ENVIRONMENT,
  )
  assert.deepEqual(
    METRIC_NAMES.filter(countsAsUse),
    UTILITIES.filter((name) => name !== 'solar'),
  )
  assert.deepEqual(
    [getCellKind('battery'), getCombination('battery'), countsAsUse('battery')],
    ['gauge', 'pooled', false],
  )
})

test('people are summed over devices, everything else is pooled', () => {
  assert.deepEqual(
    METRIC_NAMES.filter(isMeasured).filter((name) => getCombination(name) === 'added'),
    ['occupancy'],
  )
})

test('scores exist by day only', () => {
  assert.deepEqual(
    METRIC_NAMES.filter((name) => METRICS[name].granularities.every((one) => one === 'daily')),
    ['performance'],
  )
})
