import type { Inventory } from '@portico/wire/operator/inventory'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'
import { findFaults } from './faults.ts'
import { createGrid, HALF_HOUR_MS, indexFrom, toInstant, SLOTS_PER_DAY } from './grid.ts'
import { createPremises } from './premises.ts'
import { type Series, createSeries } from './series.ts'

/** One metric of one device. Read-only: series without gaps share their timestamps. */
export interface SeriesHistory {
  deviceUuid: string
  metricType: MeasuredMetric
  /** Milliseconds since 1970, ascending; readings that were never received are absent. */
  timestamps: Float64Array
  values: Float64Array
}

interface Model {
  /** Half hours covered. */
  count: number
  series: Map<string, Series>
}

/** Half hours modelled beyond the requested ones, so that later requests seldom need a new model. */
const AHEAD = 60 * SLOTS_PER_DAY

const models = new WeakMap<Inventory, Model>()

/** Builds the model of a site up to an instant, so that its first history takes less time. */
export function buildModel(site: Inventory, to: number): void {
  getModel(site, indexFrom(to))
}

/** Half-hourly readings of every metric that the inventory declares, one series after another. */
export function* demoHistory(
  site: Inventory,
  range: { from: number; to: number },
): Generator<SeriesHistory, void, undefined> {
  const from = Math.max(0, indexFrom(range.from))
  const to = Math.max(from, indexFrom(range.to))
  const all = Float64Array.from({ length: to - from }, (_, index) => toInstant(from + index))
  for (const { deviceUuid, metricType, silences, values } of getModel(site, to).series.values()) {
    const missing = silences.filter(([start, end]) => start < to && end > from)
    const complete = { timestamps: all, values: values(from, to) }
    yield {
      deviceUuid,
      metricType,
      ...(missing.length > 0 ? withoutMissing(complete, from, missing) : complete),
    }
  }
}

/** The last reading of every metric before an instant. Gaps are known without generating the history. */
export function* demoLatest(
  site: Inventory,
  before: number,
): Generator<{ deviceUuid: string; metricType: MeasuredMetric; at: number }, void, undefined> {
  const grid = createGrid(site.site.timeZone, Math.max(0, indexFrom(before)))
  for (const device of site.devices) {
    let last = grid.count - 1
    for (const [from, to] of findFaults(device, grid).silences.toReversed())
      if (from <= last && last < to) last = from - 1
    for (const name of Object.keys(device.metrics ?? {}))
      yield { deviceUuid: device.deviceUuid, metricType: name as MeasuredMetric, at: toInstant(last) }
  }
}

/** A single reading of the history; undefined in a gap, off the half hour, and for a metric that is not declared. */
export function demoReadingAt(
  site: Inventory,
  deviceUuid: string,
  metricType: MeasuredMetric,
  at: number,
): number | undefined {
  const index = indexFrom(at)
  if (index < 0 || at % HALF_HOUR_MS !== 0) return undefined
  const series = getModel(site, index + 1).series.get(toSeriesKey(deviceUuid, metricType))
  if (!series || series.silences.some(([from, to]) => index >= from && index < to)) return undefined
  return series.values(index, index + 1)[0]
}

/** Removes the gaps, which are ordered by start and may overlap. */
function withoutMissing(
  complete: { timestamps: Float64Array; values: Float64Array },
  from: number,
  silences: Series['silences'],
): { timestamps: Float64Array; values: Float64Array } {
  const spans: [from: number, to: number][] = []
  let start = 0
  for (const [silentFrom, silentTo] of silences) {
    if (silentFrom - from > start) spans.push([start, silentFrom - from])
    start = Math.max(start, silentTo - from)
  }
  if (start < complete.values.length) spans.push([start, complete.values.length])
  return { timestamps: joined(complete.timestamps, spans), values: joined(complete.values, spans) }
}

function joined(all: Float64Array, spans: [from: number, to: number][]): Float64Array {
  const result = new Float64Array(spans.reduce((sum, [from, to]) => sum + to - from, 0))
  let length = 0
  for (const [from, to] of spans) {
    result.set(all.subarray(from, to), length)
    length += to - from
  }
  return result
}

const toSeriesKey = (deviceUuid: string, metricType: MeasuredMetric): string => `${deviceUuid}/${metricType}`

function getModel(site: Inventory, count: number): Model {
  const cached = models.get(site)
  if (cached && cached.count >= count) return cached
  const model = createModel(site, Math.ceil((count + AHEAD) / SLOTS_PER_DAY) * SLOTS_PER_DAY)
  models.set(site, model)
  return model
}

function createModel(site: Inventory, count: number): Model {
  const premises = createPremises(site, count)
  const series = new Map<string, Series>()
  for (const device of site.devices) {
    for (const [name, metric] of Object.entries(device.metrics ?? {})) {
      const metricType = name as MeasuredMetric
      const found = createSeries(premises, device, metricType, metric)
      if (found) series.set(toSeriesKey(device.deviceUuid, metricType), found)
    }
  }
  return { count, series }
}
