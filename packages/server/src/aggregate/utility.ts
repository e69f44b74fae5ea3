import type { PlacedSeries } from '../inventory/site-model.ts'
import { readDeltas } from '../reading/delta.ts'
import type { Readings } from '../reading/packed-day.ts'
import { readRegister } from '../reading/register.ts'
import { type Quality, round4, round6, type Span, type WindowValue, worst } from '../reading/window-value.ts'
import { missingPoint, type Point, type Series } from './point.ts'

/** One meter's consumption over any span, cut to its stay in the space. */
export interface Meter {
  /** Undefined where the device was elsewhere. */
  consumption(span: Span): WindowValue | undefined
}

export function createMeter(
  { spec, placement }: Pick<PlacedSeries, 'spec' | 'placement'>,
  readings: Readings,
): Meter {
  const source = spec.kind === 'delta' ? readDeltas(readings, spec) : readRegister(readings, spec)
  return {
    consumption({ from, to }) {
      const span = { from: Math.max(from, placement.from), to: Math.min(to, placement.to ?? to) }
      return span.from < span.to ? source.consumption(span) : undefined
    },
  }
}

/** The sum of several meters in one window. A meter that says nothing makes the sum partial, not smaller in silence. */
export function sumMeters(meters: readonly Meter[], span: Span): Omit<Point, 'at'> {
  let sum = 0
  let covered = 0
  let counted = 0
  let present = 0
  let quality: Quality = 'measured'
  for (const meter of meters) {
    const part = meter.consumption(span)
    if (!part) continue
    present += 1
    covered += part.coverage
    if (part.value === null) continue
    counted += 1
    sum += part.value
    quality = worst(quality, part.quality)
  }
  if (counted === 0) return { value: null, quality: 'missing', coverage: 0 }
  if (counted < present) quality = worst(quality, 'partial')
  return { value: round6(sum), quality, coverage: round4(covered / present) }
}

export const spansOf = (edges: readonly number[]): Span[] =>
  edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1] ?? from }))

/** No data spans what is still to come: the running window is partial, whatever its newest reading stands for. */
export function cutAtNow(point: Point, { from, to }: Span, now: number): Point {
  if (to <= now || point.value === null) return point
  const share = round4(Math.max(0, now - from) / (to - from))
  return { ...point, quality: worst(point.quality, 'partial'), coverage: Math.min(point.coverage, share) }
}

export function utilitySeries(meters: readonly Meter[], edges: readonly number[], now: number): Series {
  const points = spansOf(edges).map((span) =>
    cutAtNow({ at: span.from, ...sumMeters(meters, span) }, span, now),
  )
  return { points, summary: summarizeSum(points) }
}

export function summarizeSum(points: readonly Point[]): Series['summary'] {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return { total: null, min: null, max: null }
  return {
    total: round6(values.reduce((sum, value) => sum + value, 0)),
    min: Math.min(...values),
    max: Math.max(...values),
  }
}

export const emptySeries = (edges: readonly number[], aggregation: 'sum' | 'mean' | 'score'): Series => ({
  points: spansOf(edges).map(({ from }) => missingPoint(from)),
  summary:
    aggregation === 'sum' ? { total: null, min: null, max: null } : { mean: null, min: null, max: null },
})
