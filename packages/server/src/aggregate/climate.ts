import type { PlacedSeries } from '../inventory/site-model.ts'
import { type GaugeWindow, quartersIn, readGauge } from '../reading/gauge.ts'
import type { Readings } from '../reading/packed-day.ts'
import { round4, round6, type Span } from '../reading/window-value.ts'
import { missingPoint, type Point, type Series } from './point.ts'
import { cutAtNow, spansOf } from './utility.ts'

/** One gauge over any span, cut to its stay in the space. */
export interface Gauge {
  window(span: Span): GaugeWindow
}

export const createGauge = ({ placement }: Pick<PlacedSeries, 'placement'>, readings: Readings): Gauge => ({
  window: ({ from, to }) =>
    readGauge(readings, { from: Math.max(from, placement.from), to: Math.min(to, placement.to ?? to) }),
})

/** `pooled`: the plain mean of all readings. `added`: the devices' means are summed, as people in a room are. */
export type Combination = 'pooled' | 'added'

export function climateSeries(
  gauges: readonly Gauge[],
  edges: readonly number[],
  combination: Combination,
  now: number,
): Series {
  const points = spansOf(edges).map((span): Point => {
    const windows = gauges.map((gauge) => gauge.window(span)).filter(({ count }) => count > 0)
    if (windows.length === 0) return missingPoint(span.from)
    const quarters = new Set(windows.flatMap((window) => [...window.quarters]))
    const coverage = Math.min(1, round4(quarters.size / quartersIn(span)))
    const quality = coverage < 1 ? 'partial' : 'measured'
    return cutAtNow({ at: span.from, ...combine(windows, combination), quality, coverage }, span, now)
  })
  return { points, summary: summarize(gauges, edges, combination) }
}

function summarize(
  gauges: readonly Gauge[],
  edges: readonly number[],
  combination: Combination,
): Series['summary'] {
  const whole = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
  const windows = gauges.map((gauge) => gauge.window(whole)).filter(({ count }) => count > 0)
  if (windows.length === 0) return { mean: null, min: null, max: null }
  const { value, min, max } = combine(windows, combination)
  return { mean: value, min, max }
}

function combine(
  windows: readonly GaugeWindow[],
  combination: Combination,
): { value: number; min: number; max: number } {
  const total = (pick: (window: GaugeWindow) => number): number =>
    windows.reduce((sum, window) => sum + pick(window), 0)
  if (combination === 'added') {
    return {
      value: round6(total(({ sum, count }) => sum / count)),
      min: round6(total(({ min }) => min)),
      max: round6(total(({ max }) => max)),
    }
  }
  return {
    value: round6(total(({ sum }) => sum) / total(({ count }) => count)),
    min: Math.min(...windows.map(({ min }) => min)),
    max: Math.max(...windows.map(({ max }) => max)),
  }
}
