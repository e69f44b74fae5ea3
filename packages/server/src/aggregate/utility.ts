import { joinMeterCells, type MeterCell, meterWindow } from '../reading/cell.ts'
import { type Quality, round4, round6, type Span, worst } from '../reading/window-value.ts'
import { METER } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { type Contributor, readContributions } from './contribution.ts'
import { missingPoint, type Point, type Series } from './point.ts'

/** Consumption in each window, added up over the contributors. */
export async function consumptionIn(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly Span[],
): Promise<Point[]> {
  const sums = windows.map(emptySum)
  for await (const contribution of readContributions(source, METER, contributors, windows)) {
    const { contributor, first, spans, ends, cells } = contribution
    for (const [place, span] of spans.entries()) {
      const sum = sums[first + place]
      if (sum && span) add(sum, cells.slice(ends[place - 1] ?? 0, ends[place]), span, contributor.members)
    }
  }
  return sums.map((sum, index) => toPoint(sum, windows[index]?.from ?? 0))
}

/** Several meters in one window. A meter that says nothing makes the sum partial, not smaller in silence. */
interface Sum {
  value: number
  covered: number
  /** Meters that said something, and all. */
  counted: number
  present: number
  quality: Quality
}

const emptySum = (): Sum => ({ value: 0, covered: 0, counted: 0, present: 0, quality: 'measured' })

function add(sum: Sum, cells: readonly MeterCell[], span: Span, meters: number): void {
  const part = meterWindow(joinMeterCells(cells), meters, span.to - span.from)
  sum.present += meters
  sum.covered += part.coverage * meters
  if (part.value === null) return
  sum.counted += meters
  sum.value += part.value
  sum.quality = worst(sum.quality, part.quality)
}

function toPoint({ value, covered, counted, present, quality }: Sum, at: number): Point {
  if (counted === 0) return missingPoint(at)
  const shown = counted < present ? worst(quality, 'partial') : quality
  return { at, value: round6(value), quality: shown, coverage: round4(covered / present) }
}

/** A window that the same meters were there for, and that is over. */
export function meterPoint(span: Span, cells: readonly MeterCell[], meters: number): Point {
  const sum = emptySum()
  add(sum, cells, span, meters)
  return toPoint(sum, span.from)
}

export const spansOf = (edges: readonly number[]): Span[] =>
  edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1] ?? from }))

/** No data spans what is still to come: the running window is partial, whatever its newest reading stands for. */
export function cutAtNow(point: Point, { from, to }: Span, now: number): Point {
  if (to <= now || point.value === null) return point
  const share = round4(Math.max(0, now - from) / (to - from))
  return { ...point, quality: worst(point.quality, 'partial'), coverage: Math.min(point.coverage, share) }
}

export async function utilitySeries(
  source: CellSource,
  contributors: readonly Contributor[],
  edges: readonly number[],
  now: number,
): Promise<Series> {
  const points = await utilityWindows(source, contributors, spansOf(edges), now)
  return { points, summary: summarizeSum(points) }
}

export async function utilityWindows(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly Span[],
  now: number,
): Promise<Point[]> {
  const whole = await consumptionIn(source, contributors, windows)
  return whole.map((point, index) => cutAtNow(point, windows[index] ?? EMPTY, now))
}

const EMPTY: Span = { from: 0, to: 0 }

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
