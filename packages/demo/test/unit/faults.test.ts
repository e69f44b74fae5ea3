import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, DAY_MS, declared, HALF_HOUR_MS, findSeries, whole } from './series.ts'

/** Every decrease of a register in the history. */
const falls = whole.flatMap((series) => {
  const { device, metric } = declared(series)
  if (metric.kind !== 'register') return []
  const { timestamps, values } = series
  return [...values.keys()]
    .filter((index) => (values[index] ?? 0) < (values[index - 1] ?? 0))
    .map((index) => ({
      deviceName: device.deviceName,
      at: timestamps[index] ?? 0,
      before: values[index - 1] ?? 0,
      after: values[index] ?? 0,
    }))
})

test('registers only rise, but for one reset and one roll-over', () => {
  assert.deepEqual(falls.map(({ deviceName }) => deviceName).toSorted(), ['Flat W2B cold water', 'Main gas'])
})

test('a meter without a declared size is reset to 0', () => {
  const reset = falls.find(({ deviceName }) => deviceName === 'Flat W2B cold water')
  assert.equal(reset?.at, Date.UTC(2026, 4, 14, 10))
  assert.ok(reset.before > 50)
  assert.equal(reset.after, 0)
  assert.equal(declared(findSeries('Flat W2B cold water', 'water')).metric.registerSize, undefined)
})

test('a meter that declares its size rolls over', () => {
  const rollOver = falls.find(({ deviceName }) => deviceName === 'Main gas')
  assert.equal(declared(findSeries('Main gas', 'gas')).metric.registerSize, 10_000)
  assert.ok(rollOver && rollOver.before > 9990 && rollOver.after < 10)
})

test('an outage of the gateway silences everything wireless for five hours, and nothing else', () => {
  for (const from of [Date.UTC(2026, 1, 9, 1), Date.UTC(2026, 9, 22, 13)]) {
    for (const series of whole) {
      const { device } = declared(series)
      const received = between(series, from, from + 10 * HALF_HOUR_MS).length
      assert.equal(received, device.gatewayUuid ? 0 : 10, device.deviceName)
    }
  }
})

test('a few devices are silent for hours or days; nearly all readings are there', () => {
  const sensor = findSeries('S203 sensor', 'temperature')
  const from = Date.UTC(2026, 2, 3, 7)
  assert.equal(between(sensor, from, from + 9 * DAY_MS).length, 0)
  const received = whole.reduce((sum, { values }) => sum + values.length, 0)
  const lost = whole.length * 400 * 48 - received
  assert.ok(lost > 5000 && lost < 0.01 * received, `${lost} of ${received}`)
})

test('a sensor is stuck for a day', () => {
  const sensor = findSeries('S104 sensor', 'temperature')
  const day = Date.UTC(2026, 10, 5)
  assert.equal(new Set(between(sensor, day, day + DAY_MS)).size, 1)
  assert.ok(new Set(between(sensor, day + DAY_MS, day + 2 * DAY_MS)).size > 5)
})
