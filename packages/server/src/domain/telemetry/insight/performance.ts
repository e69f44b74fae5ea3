import { round6 } from '../reading/window-value.ts'
import { missingPoint, type Point, type Summary } from '../series/point.ts'

/** One utility of a space on one closed day. */
export interface DayUse {
  actual: number | null
  /** The space's own target, otherwise the median of its peers; null if there are too few. */
  baseline: number | null
}

export const MIN_PEERS = 5

/** 50 is as much as the baseline, 100 is no consumption, 0 is twice as much or more. */
export const toScore = ({ actual, baseline }: DayUse): number | null =>
  actual === null || baseline === null || baseline <= 0
    ? null
    : Math.min(100, Math.max(0, 100 * (1 - actual / (2 * baseline))))

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A day's score is the mean of its utilities' scores; null if none can be scored. */
export function scoreDay(at: number, uses: Readonly<Record<string, DayUse>>): Point {
  const components: Record<string, number> = {}
  for (const [metric, use] of Object.entries(uses)) {
    const score = toScore(use)
    if (score !== null) components[metric] = round6(score)
  }
  const scores = Object.values(components)
  if (scores.length === 0) return missingPoint(at)
  return { at, value: round6(mean(scores)), quality: 'measured', coverage: 1, components }
}

/** Weeks and months: the mean of their closed days. `days` lists the days of each window. */
export function meanOfDays(at: number, days: readonly Point[]): Point {
  const scored = days.filter(({ value }) => value !== null)
  if (scored.length === 0) return missingPoint(at)
  const names = new Set(scored.flatMap(({ components }) => Object.keys(components ?? {})))
  const components: Record<string, number> = {}
  for (const name of names) {
    components[name] = round6(mean(scored.flatMap((day) => day.components?.[name] ?? [])))
  }
  const coverage = round6(scored.length / days.length)
  return {
    at,
    value: round6(mean(scored.map(({ value }) => value ?? 0))),
    quality: coverage < 1 ? 'partial' : 'measured',
    coverage,
    components,
  }
}

export function summarizeScores(points: readonly Point[]): Summary {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return { mean: null, min: null, max: null }
  return { mean: round6(mean(values)), min: Math.min(...values), max: Math.max(...values) }
}
