import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSilentThisMonth } from '../../src/content/index.ts'
import { between, DAY_MS, declared, FROM, HALF_HOUR_MS, findSeries, TO, whole } from './series.ts'
import { main } from './sites.ts'

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

test('registers only increase, except for one reset, one roll-over and a meter that dips', () => {
  const names = falls.map(({ deviceName }) => deviceName).filter((name) => name !== 'Laundry cold water')
  assert.deepEqual(names.toSorted(), ['Flat W2B cold water', 'Main gas'])
})

test('a register falls a little every Monday and Thursday', () => {
  const dips = falls.filter(({ deviceName }) => deviceName === 'Laundry cold water')
  assert.equal(dips.length, 114)
  for (const { at, before, after } of dips) {
    assert.ok([1, 4].includes(new Date(at).getUTCDay()))
    assert.ok(before - after < 0.401 && after > before / 2, `${before} ${after}`)
  }
})

test('some devices are silent for weeks, at any time; presence says so', () => {
  for (let at = FROM + DAY_MS; at < TO; at += 7 * HALF_HOUR_MS * 11) {
    const silent = main.devices.filter(({ deviceUuid }) => isSilentThisMonth(deviceUuid, at))
    const valves = silent.filter(({ deviceType }) => deviceType === 'trv')
    assert.ok(valves.length >= 2 && valves.length <= 4, new Date(at).toISOString())
    for (const { deviceUuid } of valves)
      for (const series of whole.filter((one) => one.deviceUuid === deviceUuid))
        assert.deepEqual(between(series, at, at + HALF_HOUR_MS), [])
  }
})

test('some batteries are low', () => {
  const low = whole.filter(({ metricType, values }) => metricType === 'battery' && (values.at(-1) ?? 0) < 15)
  assert.deepEqual(low.map((series) => declared(series).device.deviceName).toSorted(), [
    'S203 radiator valve',
    'S2A-1 radiator valve',
    'W1A-2 radiator valve',
  ])
})

test('the reception’s meter misses a day of every month, and the common room’s sensor some hours of every day', () => {
  const day = Date.UTC(2026, 10, 6)
  assert.deepEqual(between(findSeries('Reception electricity', 'electricity'), day, day + DAY_MS), [])
  assert.equal(between(findSeries('Common room sensor', 'co2'), day, day + DAY_MS).length, 40)
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
      if (device.deviceName === 'Common room sensor') continue
      const received = between(series, from, from + 10 * HALF_HOUR_MS).length
      assert.equal(received, device.gatewayUuid ? 0 : 10, device.deviceName)
    }
  }
})

test('a few devices are silent for hours or days; nearly all readings are present', () => {
  const sensor = findSeries('S203 sensor', 'temperature')
  const from = Date.UTC(2026, 2, 3, 7)
  assert.equal(between(sensor, from, from + 9 * DAY_MS).length, 0)
  const received = whole.reduce((sum, { values }) => sum + values.length, 0)
  const lost = whole.length * 400 * 48 - received
  assert.ok(lost > 5000 && lost < 0.03 * received, `${lost} of ${received}`)
})

test('a sensor is stuck for a day', () => {
  const sensor = findSeries('S104 sensor', 'temperature')
  const day = Date.UTC(2026, 10, 5)
  assert.equal(new Set(between(sensor, day, day + DAY_MS)).size, 1)
  assert.ok(new Set(between(sensor, day + DAY_MS, day + 2 * DAY_MS)).size > 5)
})
