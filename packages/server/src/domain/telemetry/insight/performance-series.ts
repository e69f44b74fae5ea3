import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { type MeasuredMetric, METRIC_NAMES } from '../../metric/catalogue.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'
import { round4, round6 } from '../reading/window-value.ts'
import type { Base } from '../series/compare.ts'
import type { DerivedSeries, DerivedSource } from '../series/derived-series.ts'
import { readPeerDays, DAYS_PER_STEP } from './peer-baselines.ts'
import { type DayUse, meanOfDays, scoreDay, toScore, summarizeScores } from './performance.ts'
import { fromPoints, toValue, type Series } from '../series/columns.ts'
import { missingPoint, type Point } from '../series/point.ts'
import { scoredMetrics, type SpaceSets, sumTargets } from '../series/scope.ts'

/**
 * Scores of a space or a cluster: days compared with its targets or peers, weeks and months as the mean of their closed
 * days.
 */
async function performanceSeries(
  source: DerivedSource,
  spaces: readonly SpaceRecord[],
  peers: SpaceSets,
  interval: Interval,
  windows: Windows,
  now: number,
): Promise<Series> {
  const days = daysIn(source, windows)
  const memory = reusableNumbers()
  const scores: Point[] = []
  for (const { closed, span } of closedDaySteps(days, now))
    for (const point of await scoreDays(source, spaces, peers, span, closed, memory)) scores.push(point)
  for (const { from } of days.slice(scores.length)) scores.push(missingPoint(from))
  const points = interval === 'P1D' ? scores : averageByWindow(windows, scores)
  return { columns: fromPoints(windows, points), summary: summarizeScores(points) }
}

const daysIn = ({ model }: DerivedSource, { whole: { from, to } }: Windows): TimeSpan[] => [
  ...toWindows(model.zone, 'P1D', from, to),
]

interface Step {
  closed: TimeSpan[]
  /** The range of all steps: which devices count as one contributor depends on the whole range. */
  span: TimeSpan
}

/** The closed days, in steps of `DAYS_PER_STEP`. */
function* closedDaySteps(days: readonly TimeSpan[], now: number): Generator<Step> {
  const closed = days.filter(({ to }) => to <= now)
  const [first, last] = [closed[0], closed.at(-1)]
  if (!first || !last) return
  const span = { from: first.from, to: last.to }
  for (let start = 0; start < closed.length; start += DAYS_PER_STEP)
    yield { closed: closed.slice(start, start + DAYS_PER_STEP), span }
}

/** Averages the scores of the days in each window. Days and windows are in order, so one pass suffices. */
function averageByWindow(windows: Windows, scores: readonly Point[]): Point[] {
  let next = 0
  return Array.from(windows, ({ from, to }) => {
    while ((scores[next]?.at ?? from) < from) next += 1
    const start = next
    while ((scores[next]?.at ?? to) < to) next += 1
    return meanOfDays(from, scores.slice(start, next))
  })
}

async function scoreDays(
  source: DerivedSource,
  spaces: readonly SpaceRecord[],
  peers: SpaceSets,
  span: TimeSpan,
  days: readonly TimeSpan[],
  memory: (length: number) => Float64Array,
): Promise<Point[]> {
  const uses = new Map<MeasuredMetric, DayUse[]>()
  for (const metric of scoredMetrics(source.model, spaces)) {
    const actual = await source.dayValues(spaces, metric, span, days)
    const target = sumTargets(spaces, metric)
    const baselines =
      target === undefined ? await findBaselines(source, peers, metric, span, days, memory) : undefined
    uses.set(
      metric,
      days.map((_, day) => ({
        actual: toValue(actual[day]),
        baseline: baselines ? toValue(baselines[day]) : (target ?? null),
      })),
    )
  }
  return days.map(({ from }, index) => {
    const ofDay: Record<string, DayUse> = {}
    for (const [metric, list] of uses) ofDay[metric] = list[index] ?? { actual: null, baseline: null }
    return scoreDay(from, ofDay)
  })
}

/** The baselines of some days, computed once for all spaces of a response that have the same peers. */
async function findBaselines(
  source: DerivedSource,
  peers: SpaceSets,
  metric: MeasuredMetric,
  span: TimeSpan,
  days: readonly TimeSpan[],
  memory: (length: number) => Float64Array,
): Promise<Float64Array> {
  const key = [metric, span.from, span.to, days[0]?.from, ...peers.keys()].join(' ')
  let baselines = source.baselines.get(key)
  if (!baselines) {
    ;({ baselines } = await readPeerDays(source, peers, metric, span, days, memory))
    source.baselines.set(key, baselines)
  }
  return baselines
}

/**
 * The mean score over a range for each of several peers. It equals the mean in the summary of `performanceSeries`, but
 * the days of the peers are read once for all.
 */
async function meanScores(
  source: DerivedSource,
  subjects: SpaceSets,
  peers: SpaceSets,
  windows: Windows,
  now: number,
): Promise<Base[]> {
  const sums = new Float64Array(subjects.size)
  const counts = new Uint32Array(subjects.size)
  let days = 0
  const memory = { values: reusableNumbers(), sums: reusableNumbers(), counts: reusableNumbers() }
  for (const { closed, span } of closedDaySteps(daysIn(source, windows), now)) {
    const scores = await scoreMany(source, subjects, peers, span, closed, memory)
    days += closed.length
    for (let index = 0; index < subjects.size; index += 1) {
      for (let day = 0; day < closed.length; day += 1) {
        const utilities = at(scores.counts, index * closed.length + day)
        if (utilities === 0) continue
        sums[index] = at(sums, index) + round6(at(scores.sums, index * closed.length + day) / utilities)
        counts[index] = at(counts, index) + 1
      }
      await yieldIfDue()
    }
  }
  return Array.from(counts, (count, index) =>
    count === 0
      ? { value: null, coverage: 0 }
      : { value: round6(at(sums, index) / count), coverage: round4(count / days) },
  )
}

/** For each subject and day, the sum and number of the scores of its utilities; the days of a subject are consecutive. */
async function scoreMany(
  source: DerivedSource,
  subjects: SpaceSets,
  peers: SpaceSets,
  span: TimeSpan,
  days: readonly TimeSpan[],
  memory: Record<'values' | 'sums' | 'counts', (length: number) => Float64Array>,
): Promise<Record<'sums' | 'counts', Float64Array>> {
  const sums = memory.sums(subjects.size * days.length).fill(0)
  const counts = memory.counts(sums.length).fill(0)
  const all = [...subjects]
  const scored = all.map(([, spaces]) => scoredMetrics(source.model, spaces))
  for (const metric of METRIC_NAMES.filter((name) => scored.some((own) => own.some((one) => one === name)))) {
    const name = metric as MeasuredMetric
    const { values, baselines } = await readPeerDays(source, peers, name, span, days, memory.values)
    for (const [index, [key, spaces]] of all.entries()) {
      const actual = values.get(key)
      if (!actual || !scored[index]?.includes(name)) continue
      const target = sumTargets(spaces, name)
      for (let day = 0; day < days.length; day += 1) {
        const score = toScore({ actual: toValue(actual[day]), baseline: target ?? toValue(baselines[day]) })
        const offset = index * days.length + day
        if (score === null) continue
        sums[offset] = at(sums, offset) + round6(score)
        counts[offset] = at(counts, offset) + 1
      }
      await yieldIfDue()
    }
  }
  return { sums, counts }
}

export const performanceScores: DerivedSeries = { series: performanceSeries, means: meanScores }

/**
 * Creates a function that returns a view of one reused buffer. A new buffer for each step of a computation would be
 * garbage-collected late, so the memory of all steps would add up.
 */
function reusableNumbers(): (length: number) => Float64Array {
  let numbers = new Float64Array()
  return (length) => {
    if (numbers.length < length) numbers = new Float64Array(length)
    return numbers.subarray(0, length)
  }
}
