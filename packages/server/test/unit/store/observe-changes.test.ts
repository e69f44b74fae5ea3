import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangeRow, createChangeObserver } from '../../../src/store/postgres/readings/observe-changes.ts'
import type { RunQuery } from '../../../src/store/postgres/readings/read-readings.ts'

const HOUR = 3_600_000
const SERIES = 7
const OTHER = 8

/** An observer of rows that the test changes. */
function observeRows(maxSeries?: number) {
  const rows = new Map<number, ChangeRow>()
  const put = (seriesId: number, at: number, version: number, lateVersion = 0): void =>
    void rows.set(seriesId, { seriesId, at, version, lateVersion, rollupVersion: null })
  const runQuery = (async () => [...rows.values()]) as RunQuery
  const observe = createChangeObserver(runQuery, maxSeries)
  return { put, observe: (...seriesIds: number[]) => observe('site', seriesIds) }
}

test('results remain valid while the version is the same', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], 4 * HOUR) <= sequence)
})

test('appended readings change nothing before the previous latest reading', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES)
  put(SERIES, 5 * HOUR, 7)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], 3 * HOUR) <= sequence)
  assert.ok(lastChangeBefore([SERIES], 4 * HOUR) > sequence)
})

test('results computed after a change was observed are valid', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  await observe(SERIES)
  put(SERIES, 5 * HOUR, 7)
  const { sequence, lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], 9 * HOUR) <= sequence)
})

test('a late batch changes everything, even if others were appended', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES)
  put(SERIES, 5 * HOUR, 7, 1)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], HOUR) > sequence)
})

test('a lower version, as in a restored database, changes everything', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES)
  put(SERIES, 3 * HOUR, 4)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], HOUR) > sequence)
})

test('the first readings of a series change everything', async () => {
  const { put, observe } = observeRows()
  put(SERIES, Number.NEGATIVE_INFINITY, 0)
  const { sequence } = await observe(SERIES)
  put(SERIES, 3 * HOUR, 1)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], HOUR) > sequence)
})

test('a change affects only its own series', async () => {
  const { put, observe } = observeRows()
  put(SERIES, 3 * HOUR, 5)
  put(OTHER, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES, OTHER)
  put(OTHER, 5 * HOUR, 6, 1)
  const { lastChangeBefore } = await observe(SERIES, OTHER)
  assert.ok(lastChangeBefore([SERIES], 9 * HOUR) <= sequence)
  assert.ok(lastChangeBefore([SERIES, OTHER], 9 * HOUR) > sequence)
})

test('when more series are observed than are kept, all earlier results are invalid', async () => {
  const { put, observe } = observeRows(1)
  put(SERIES, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES)
  put(OTHER, 3 * HOUR, 5)
  await observe(OTHER)
  const { lastChangeBefore } = await observe(SERIES)
  assert.ok(lastChangeBefore([SERIES], HOUR) > sequence)
})

test('a change of a series is noticed if more series are observed together than are kept', async () => {
  const { put, observe } = observeRows(1)
  put(SERIES, 3 * HOUR, 5)
  put(OTHER, 3 * HOUR, 5)
  const { sequence } = await observe(SERIES, OTHER)
  put(SERIES, 5 * HOUR, 6, 1)
  const { lastChangeBefore } = await observe(SERIES, OTHER)
  assert.ok(lastChangeBefore([SERIES], HOUR) > sequence)
})
