import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { countsAsUse, type MeasuredMetric, METRIC_NAMES } from '../../metric/catalogue.ts'

export interface SpaceScope {
  model: SiteModel
  space: SpaceRecord
  scope: 'space' | 'cluster'
}

/** Spaces whose values are added up, by space or cluster. */
export type SpaceSets = ReadonlyMap<string, readonly SpaceRecord[]>

/** The spaces over which the series is computed. A space without a cluster counts as a cluster of one. */
export const getSpacesInScope = ({ model, space, scope }: SpaceScope): readonly SpaceRecord[] =>
  scope === 'cluster' && space.clusterUuid !== null ? model.spacesIn(space.clusterUuid) : [space]

/** Identifies the value by which a space is compared: its own, or that of its cluster. */
export const getScopeKey = ({ space, scope }: Omit<SpaceScope, 'model'>): string =>
  scope === 'cluster' && space.clusterUuid !== null ? space.clusterUuid : space.spaceUuid

/** The site's spaces of the same type. */
export const findPeers = ({ model, space }: Pick<SpaceScope, 'model' | 'space'>): SpaceRecord[] =>
  [...model.spaces.values()].filter(({ spaceType }) => spaceType === space.spaceType)

/** The space and its peers: spaces of its type, or the clusters that contain one. */
export const findPeerSets = (query: SpaceScope): SpaceSets =>
  new Map(
    findPeers(query).map((space) => [
      getScopeKey({ ...query, space }),
      getSpacesInScope({ ...query, space }),
    ]),
  )

/** The peers of every day. A space that has been archived since was a peer while it existed. */
export function findPeerSetsEver(query: SpaceScope): SpaceSets {
  const { model, space, scope } = query
  const archived = model.archivedSpaces.filter(({ spaceType }) => spaceType === space.spaceType)
  const sets = new Map(findPeerSets(query))
  for (const [key, spaces] of Map.groupBy(archived, (one) => getScopeKey({ space: one, scope })))
    if (!sets.has(key)) sets.set(key, spaces)
  return sets
}

/** The target per day of some spaces: the sum of those that have one, undefined if none has. */
export function sumTargets(spaces: readonly SpaceRecord[], metric: MeasuredMetric): number | undefined {
  const targets = spaces.flatMap((space) => space.targets[metric]?.perDay ?? [])
  return targets.length === 0 ? undefined : targets.reduce((sum, target) => sum + target, 0)
}

/** Utilities that some spaces are scored on. Solar generation is not consumption and has no score. */
export function scoredMetrics(
  { everMeasuredIn }: SiteModel,
  spaces: readonly SpaceRecord[],
): MeasuredMetric[] {
  const measured = new Set(spaces.flatMap(({ spaceUuid }) => everMeasuredIn(spaceUuid)))
  return METRIC_NAMES.filter((metric) => measured.has(metric)).filter(
    (metric): metric is MeasuredMetric & typeof metric => countsAsUse(metric),
  )
}
