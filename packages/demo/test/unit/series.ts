import assert from 'node:assert/strict'
import { demoHistory, type SeriesHistory } from '../../src/content/index.ts'
import { type DeclaredMetric, type Device, main, listMetrics } from './sites.ts'

export const DAY_MS = 86_400_000
export const HALF_HOUR_MS = 1_800_000

/** 400 days up to a Sunday in November. */
export const TO = Date.UTC(2026, 10, 15)
export const FROM = TO - 400 * DAY_MS

/** The whole history of the main site, generated once per test file. */
export const whole: readonly SeriesHistory[] = [...demoHistory(main, { from: FROM, to: TO })]

const devices = new Map(main.devices.map((device) => [device.deviceUuid, device]))

/** The device of a series and how it declares the metric. */
export function declared({ deviceUuid, metricType }: SeriesHistory): {
  device: Device
  metric: DeclaredMetric
} {
  const device = devices.get(deviceUuid)
  const metric = device && listMetrics(device).find((candidate) => candidate.metricType === metricType)
  assert.ok(device && metric)
  return { device, metric }
}

export function findSeries(deviceName: string, metricType: string): SeriesHistory {
  const device = main.devices.find((candidate) => candidate.deviceName === deviceName)
  const found = whole.find(
    (series) => series.deviceUuid === device?.deviceUuid && series.metricType === metricType,
  )
  assert.ok(found, `${deviceName} measures ${metricType}`)
  return found
}

/** The readings of [from, to). */
export function between({ timestamps, values }: SeriesHistory, from: number, to: number): number[] {
  return [...values.subarray(firstAt(timestamps, from), firstAt(timestamps, to))]
}

/** Index of the first timestamp at or after an instant. */
function firstAt(timestamps: Float64Array, at: number): number {
  let [low, high] = [0, timestamps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timestamps[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Quantity that a register counted in a range without a reset. */
export function counted(series: SeriesHistory, from: number, to: number): number {
  const values = between(series, from, to + 1)
  return (values.at(-1) ?? 0) - (values[0] ?? 0)
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
