import type { SpaceRecord } from '../inventory/inventory.ts'
import type { SiteModel } from '../inventory/site-model.ts'
import { METRICS, type MeasuredMetric } from '../metric/catalogue.ts'
import { type Interval, windowEdges } from '../metric/window.ts'
import type { Span } from '../reading/window-value.ts'
import { type DayUse, MIN_PEERS, meanOfDays, median, scoreDay, summarizeScores } from './performance.ts'
import { missingPoint, type Point, type Series } from './point.ts'
import { spansOf } from './utility.ts'

interface Question {
  model: SiteModel
  space: SpaceRecord
  interval: Interval
  edges: readonly number[]
  now: number
  /** Day values by space and metric, shared between questions about the same days. */
  memo: Map<string, Promise<(number | null)[]>>
  consumption(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    windows: readonly Span[],
  ): Promise<Point[]>
}

/** Scores of a space: days against its targets or its peers, weeks and months as the mean of their closed days. */
export async function performanceSeries(question: Question): Promise<Series> {
  const { model, edges, interval } = question
  const dayEdges = windowEdges(model.zone, 'P1D', edges[0] ?? 0, edges.at(-1) ?? 0)
  const days = await scoreDays(question, spansOf(dayEdges))
  const points =
    interval === 'P1D'
      ? days
      : spansOf(edges).map(({ from, to }) => {
          const inside = days.filter(({ at }) => at >= from && at < to)
          return meanOfDays(from, inside)
        })
  return { points, summary: summarizeScores(points) }
}

async function scoreDays(question: Question, days: readonly Span[]): Promise<Point[]> {
  const { model, space, now } = question
  const closed = days.filter(({ to }) => to <= now)
  const metrics = model
    .everMeasuredIn(space.spaceUuid)
    .filter((metric): metric is MeasuredMetric & typeof metric => METRICS[metric].group === 'utility')
    .filter((metric) => metric !== 'solar')
  const uses = new Map<MeasuredMetric, DayUse[]>()
  for (const metric of metrics) uses.set(metric, await usesOf(question, metric, closed))
  return days.map(({ from }, index) => {
    if (index >= closed.length) return missingPoint(from)
    const ofDay: Record<string, DayUse> = {}
    for (const [metric, list] of uses) ofDay[metric] = list[index] ?? { actual: null, baseline: null }
    return scoreDay(from, ofDay)
  })
}

async function usesOf(
  { model, space, consumption, memo }: Question,
  metric: MeasuredMetric,
  days: readonly Span[],
): Promise<DayUse[]> {
  const span = { from: days[0]?.from ?? 0, to: days.at(-1)?.to ?? 0 }
  const compute = async (one: SpaceRecord): Promise<(number | null)[]> => {
    const uses = await consumption(model, [one], metric, days)
    return uses.map(({ value }) => value)
  }
  const dayValues = (one: SpaceRecord): Promise<(number | null)[]> => {
    const key = `${one.spaceUuid} ${metric} ${span.from} ${span.to}`
    const known = memo.get(key) ?? compute(one)
    memo.set(key, known)
    return known
  }
  const actual = await dayValues(space)
  const target = space.targets[metric]?.perDay
  if (target !== undefined) return actual.map((value) => ({ actual: value, baseline: target }))
  // A room that was archived since was a peer on its days.
  const peers = [...model.spaces.values(), ...model.archivedSpaces].filter(
    ({ spaceType }) => spaceType === space.spaceType,
  )
  const all = await Promise.all(peers.map(dayValues))
  return actual.map((value, index) => ({
    actual: value,
    baseline: peerBaseline(all.flatMap((values) => values[index] ?? [])),
  }))
}

/** The middle of the peers that measured something that day. */
const peerBaseline = (values: readonly number[]): number | null =>
  values.length < MIN_PEERS ? null : median(values)
