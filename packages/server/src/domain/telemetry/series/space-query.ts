import { Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { type MetricName, METRICS } from '../../metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import { type CompareTo, compareWithPast, compareWithPeers, compareWithTarget, getTotal } from './compare.ts'
import type { Comparison, Summary } from './point.ts'
import type { Range } from './range.ts'
import type { Series } from './columns.ts'
import type { SeriesService } from './service.ts'

/** A query for one series of a space, or of its flat. */
export interface SpaceQuery {
  model: SiteModel
  space: SpaceRecord
  metric: MetricName
  interval: Interval
  scope: 'space' | 'cluster'
  range: Range
}

type SpaceScope = Pick<SpaceQuery, 'model' | 'space' | 'scope'>

/** The spaces over which the series is computed. */
export const getSpacesInScope = ({ model, space, scope }: SpaceScope): readonly SpaceRecord[] =>
  scope === 'cluster' && space.clusterUuid !== null ? model.spacesIn(space.clusterUuid) : [space]

export function querySpace(
  aggregate: SeriesService,
  query: Omit<SpaceQuery, 'range'>,
  windows: Windows,
): Promise<Series> {
  const { model, space, metric, interval } = query
  if (METRICS[metric].derive === 'score') return aggregate.performance(model, space, interval, windows)
  return aggregate.spaces(model, getSpacesInScope(query), metric, windows)
}

/** Identifies the value by which a peer is compared: its own, or that of its cluster. */
const peerKey = (scope: SpaceQuery['scope'], { spaceUuid, clusterUuid }: SpaceRecord): string =>
  scope === 'cluster' && clusterUuid !== null ? clusterUuid : spaceUuid

/** The site's spaces of the same type. */
export const findPeers = ({ model, space }: Pick<SpaceQuery, 'model' | 'space'>): SpaceRecord[] =>
  [...model.spaces.values()].filter(({ spaceType }) => spaceType === space.spaceType)

/** The spaces over which each peer's value is computed, by `peerKey`. All peers of a cluster share one set. */
export const peerSets = (query: SpaceScope): Map<string, readonly SpaceRecord[]> =>
  new Map(
    findPeers(query).map((peer) => [peerKey(query.scope, peer), getSpacesInScope({ ...query, space: peer })]),
  )

/** Compares the total or mean of the range with another one. */
export async function compareSpace(
  aggregate: SeriesService,
  query: SpaceQuery,
  compareTo: CompareTo,
  summary: Summary,
): Promise<Comparison> {
  const { model, space, metric, range } = query
  const current = getTotal(summary)
  if (compareTo === 'target') return compareWithTarget(space, metric, range, current)
  if (compareTo === 'siteAverage') return compareWithPeers(current, await readPeerValues(aggregate, query))
  return compareWithPast(compareTo, model, range, current, async (from, to) =>
    getTotal((await querySpace(aggregate, query, new Windows([from, to]))).summary),
  )
}

/** The value of each peer. The value of a cluster is computed once for all its spaces. */
async function readPeerValues(aggregate: SeriesService, query: SpaceQuery): Promise<(number | null)[]> {
  const { model, metric, scope, range } = query
  const window = { from: range.from, to: range.until }
  const peers = findPeers(query)
  if (METRICS[metric].derive === 'score') return aggregate.meanScores(model, peers, window)
  const sets = peerSets(query)
  const totals = await aggregate.totals(model, [...sets.values()], metric, window)
  const byKey = new Map([...sets.keys()].map((key, index) => [key, totals[index] ?? null]))
  return peers.map((peer) => byKey.get(peerKey(scope, peer)) ?? null)
}
