import type { SpaceRecord } from '../inventory/inventory.ts'
import type { SiteModel } from '../inventory/site-model.ts'
import type { MetricName } from '../metric/catalogue.ts'
import type { Interval } from '../metric/window.ts'
import { type CompareTo, compareWithPast, compareWithPeers, compareWithTarget, figureOf } from './compare.ts'
import type { Comparison, Series } from './point.ts'
import type { Range } from './range.ts'
import type { AggregateService } from './service.ts'

/** One series of a space, or of the flat it belongs to. */
export interface SpaceQuestion {
  model: SiteModel
  space: SpaceRecord
  metric: MetricName
  interval: Interval
  scope: 'space' | 'cluster'
  range: Range
  /** Shared between the questions of one comparison. */
  memo: Map<string, Promise<(number | null)[]>>
}

export function askSpace(
  aggregate: AggregateService,
  question: SpaceQuestion,
  edges: number[],
): Promise<Series> {
  const { model, space, metric, interval, scope, memo } = question
  if (metric === 'performance') return aggregate.performance(model, space, interval, edges, memo)
  const spaces =
    scope === 'cluster' && space.clusterUuid !== null ? model.spacesIn(space.clusterUuid) : [space]
  return aggregate.spaces(model, spaces, metric, edges)
}

/** What the range's total or mean is against another. */
export async function compareSpace(
  aggregate: AggregateService,
  question: SpaceQuestion,
  compareTo: CompareTo,
  series: Series,
): Promise<Comparison> {
  const { model, space, metric, range } = question
  const current = figureOf(series.summary)
  if (compareTo === 'target') return compareWithTarget(space, metric, range, current)
  if (compareTo === 'siteAverage') {
    const peers = [...model.spaces.values()].filter(({ spaceType }) => spaceType === space.spaceType)
    const figures = peers.map(async (peer) =>
      figureOf((await askSpace(aggregate, { ...question, space: peer }, [range.from, range.until])).summary),
    )
    return compareWithPeers(current, await Promise.all(figures))
  }
  return compareWithPast(compareTo, model, range, current, async (from, to) =>
    figureOf((await askSpace(aggregate, question, [from, to])).summary),
  )
}
