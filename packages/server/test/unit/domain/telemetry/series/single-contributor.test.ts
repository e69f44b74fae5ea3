import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSingleContributor } from '../../../../../src/domain/telemetry/series/contribution.ts'

const SPACE = { spaceUuid: 'a' }

/** The single contributor of a space whose devices were installed from one instant to another, or still are. */
const sole = (canPool: boolean, ...stays: [from: number, to: number | null][]) =>
  findSingleContributor(
    {
      placedSeries: () =>
        stays.map(([from, to], index) => ({
          seriesId: 10 - index,
          deviceUuid: String(index),
          spec: { kind: 'gauge', registerSize: null, maxPerHour: null },
          placement: { ...SPACE, from, to },
        })),
      spaceSeries: () => 99,
    },
    SPACE,
    'temperature',
    canPool,
  )

test('the only device that a space ever had is its contributor while installed', () => {
  for (const canPool of [true, false]) {
    const { seriesId, placement } = sole(canPool, [5, 9]) ?? {}
    assert.deepEqual({ seriesId, placement }, { seriesId: 10, placement: { spaceUuid: 'a', from: 5, to: 9 } })
  }
})

test('a space contributes all its devices together while all are installed, if they can be pooled', () => {
  const { seriesId, members, sources, placement } = sole(true, [0, null], [5, 20], [3, null]) ?? {}
  assert.deepEqual(
    { seriesId, members, sources, placement },
    { seriesId: 99, members: 3, sources: [8, 9, 10], placement: { from: 5, to: 20 } },
  )
  assert.deepEqual(sole(true, [0, null], [7, null])?.placement, { from: 7, to: null })
  assert.equal(sole(false, [0, null], [5, 20]), undefined)
})

test('a space without measurements, or whose devices were never all installed together, has no single contributor', () => {
  assert.equal(sole(true), undefined)
  assert.equal(sole(true, [0, 5], [5, null]), undefined)
})
