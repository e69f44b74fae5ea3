import type { SpaceRecord } from '../inventory/inventory.ts'
import type { SiteModel } from '../inventory/site-model.ts'
import type { MetricName } from '../metric/catalogue.ts'
import type { Interval } from '../metric/window.ts'
import { type CompareTo, compareWithPast, compareWithPeers, compareWithTarget, figureOf } from './compare.ts'
import type { Comparison, Series, Summary } from './point.ts'
import type { Range } from './range.ts'
import type { SeriesText, SeriesTexts } from './series-texts.ts'
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
  edges: readonly number[],
): Promise<Series> {
  const { model, space, metric, interval, memo } = question
  if (metric === 'performance') return aggregate.performance(model, space, interval, edges, memo)
  return aggregate.spaces(model, spacesOf(question), metric, edges)
}

/** The same, written out. */
export async function writeSpace(
  aggregate: AggregateService,
  texts: SeriesTexts,
  question: SpaceQuestion,
): Promise<SeriesText> {
  const { model, metric, interval, range } = question
  if (metric === 'performance')
    return texts.write(model.zone, await askSpace(aggregate, question, range.edges))
  return texts.spaces(model, spacesOf(question), metric, interval, range.edges)
}

export const spacesOf = ({
  model,
  space,
  scope,
}: Pick<SpaceQuestion, 'model' | 'space' | 'scope'>): readonly SpaceRecord[] =>
  scope === 'cluster' && space.clusterUuid !== null ? model.spacesIn(space.clusterUuid) : [space]

/** What the range's total or mean is against another. */
export async function compareSpace(
  aggregate: AggregateService,
  question: SpaceQuestion,
  compareTo: CompareTo,
  summary: Summary,
): Promise<Comparison> {
  const { model, space, metric, range } = question
  const current = figureOf(summary)
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
