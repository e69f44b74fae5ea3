import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { demoHistory, demoLatest, demoReadingAt } from '../../src/content/index.ts'
import { DAY_MS, declared, FROM, HALF_HOUR_MS, findSeries, TO, whole } from './series.ts'
import { main, listMetrics, other } from './sites.ts'

test('every metric that a device declares has a history, once', () => {
  for (const site of [main, other]) {
    const expected = site.devices.flatMap((device) =>
      listMetrics(device).map(({ metricType }) => `${device.deviceUuid}/${metricType}`),
    )
    const made = [...demoHistory(site, { from: FROM, to: FROM + HALF_HOUR_MS * 1500 })]
    assert.deepEqual(
      made.map(({ deviceUuid, metricType }) => `${deviceUuid}/${metricType}`),
      expected,
    )
    assert.ok(made.every(({ values }) => values.length > 0))
  }
})

test('readings are on the half hours of the range, in order, with few decimals', () => {
  for (const series of whole) {
    const { timestamps, values, metricType, deviceUuid } = series
    const { metric } = declared(series)
    const steps = metric.kind !== 'gauge' ? 1000 : ['co2', 'light', 'occupancy'].includes(metricType) ? 1 : 10
    assert.equal(timestamps.length, values.length)
    let previous = FROM - HALF_HOUR_MS
    for (let index = 0; index < values.length; index += 1) {
      const at = timestamps[index] ?? 0
      const value = values[index] ?? Number.NaN
      const isFine = at > previous && at % HALF_HOUR_MS === 0 && Math.round(value * steps) / steps === value
      if (!isFine) assert.fail(`${deviceUuid} ${metricType} at ${at}: ${value}`)
      previous = at
    }
    assert.ok(previous < TO)
  }
})

test('a range equals its parts, wherever it is split', () => {
  // Around the meter's reset; the cut is not on a half hour.
  const [from, cut, to] = [Date.UTC(2026, 4, 3), Date.UTC(2026, 4, 14, 9, 47), Date.UTC(2026, 4, 20)]
  const firsts = [...demoHistory(main, { from, to: cut })]
  const seconds = [...demoHistory(main, { from: cut, to })]
  for (const [index, series] of [...demoHistory(main, { from, to })].entries()) {
    const [first, second] = [firsts[index], seconds[index]]
    assert.deepEqual([...series.timestamps], [...(first?.timestamps ?? []), ...(second?.timestamps ?? [])])
    assert.deepEqual([...series.values], [...(first?.values ?? []), ...(second?.values ?? [])])
  }
})

test('the history of a day does not depend on the range of the model', () => {
  const [from, to] = [TO - 5 * HALF_HOUR_MS, TO]
  const fresh = structuredClone(main)
  const { deviceUuid } = findSeries('Flat W1A electricity', 'electricity')
  assert.ok(demoReadingAt(fresh, deviceUuid, 'electricity', TO + 400 * DAY_MS))
  assert.deepEqual([...demoHistory(fresh, { from, to })], [...demoHistory(main, { from, to })])
})

test('the last readings before an instant are found without generating the history', () => {
  // During normal operation, during an outage of the gateway, and during the long silence of a device.
  for (const before of [TO, Date.UTC(2026, 9, 22, 15, 10), Date.UTC(2026, 9, 29, 12)]) {
    const latest = [...demoHistory(main, { from: before - 31 * DAY_MS, to: before })].map((series) => ({
      deviceUuid: series.deviceUuid,
      metricType: series.metricType,
      at: series.timestamps.at(-1),
    }))
    assert.deepEqual([...demoLatest(main, before)], latest)
  }
})

describe('a single reading', () => {
  const at = Date.UTC(2026, 9, 22, 14)

  test('equals that of the history, or is undefined in a gap', () => {
    let silent = 0
    for (const { deviceUuid, metricType, timestamps, values } of whole) {
      const index = timestamps.indexOf(at)
      if (index === -1) silent += 1
      assert.equal(demoReadingAt(main, deviceUuid, metricType, at), values[index])
    }
    assert.ok(silent > 100 && silent < whole.length)
  })

  test('of a register continues after the end of the history', () => {
    const { deviceUuid, values } = findSeries('Flat W1A electricity', 'electricity')
    let last = values.at(-1) ?? 0
    for (let live = TO; live < TO + 96 * HALF_HOUR_MS; live += HALF_HOUR_MS) {
      const value = demoReadingAt(main, deviceUuid, 'electricity', live) ?? 0
      assert.ok(value >= last && value < last + 5)
      last = value
    }
  })

  test('is undefined off the half hour, before the house opened, and for a metric that is not measured', () => {
    const { deviceUuid } = findSeries('Flat W1A electricity', 'electricity')
    assert.equal(demoReadingAt(main, deviceUuid, 'electricity', at + 1), undefined)
    assert.equal(demoReadingAt(main, deviceUuid, 'electricity', Date.UTC(2024, 7, 31)), undefined)
    assert.equal(demoReadingAt(main, deviceUuid, 'gas', at), undefined)
    assert.equal(demoReadingAt(other, deviceUuid, 'electricity', at), undefined)
  })
})
