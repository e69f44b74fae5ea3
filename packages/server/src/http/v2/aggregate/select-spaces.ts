import type { GROUPS } from '@portico/wire/v2/batch'
import { overlaps, type TimeSpan } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import {
  countsAsUse,
  getSources,
  isMeasured,
  type MeasuredMetric,
  METRICS,
  type MetricName,
  UTILITIES,
} from '../../../domain/metric/catalogue.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { matchesFilter } from '../matches-filter.ts'
import { parseUuids, requireNamed } from './batch-parameters.ts'

export type GroupBy = (typeof GROUPS)[number]

/** Which spaces a request is about. */
export interface SpaceFilters {
  spaceUuids?: string | undefined
  buildingUuid?: string | undefined
  clusterUuid?: string | undefined
  spaceType?: string | undefined
}

export interface SpaceBatchFilters extends SpaceFilters {
  groupBy: GroupBy
}

export interface SelectedSpaces {
  spaces: readonly SpaceRecord[]
  /** Spaces that the request names are in the response even if they measure nothing. */
  isNamed: boolean
}

/**
 * The spaces that match all filters, in the order of the site. With `isEver`, archived spaces are included, which count
 * in the history of a building or site; they cannot be named.
 */
export function selectSpaces(model: SiteModel, filters: SpaceFilters, isEver: boolean): SelectedSpaces {
  const uuids = parseUuids('spaceUuids', filters.spaceUuids)
  const named = uuids && new Set(requireNamed('spaceUuids', uuids, model.spaces, 'space'))
  const { buildingUuid, clusterUuid, spaceType } = filters
  const all = [...model.spaces.values(), ...(isEver && !named ? model.archivedSpaces : [])]
  const spaces = all.filter(
    (space) =>
      (!named || named.has(space)) &&
      matchesFilter(buildingUuid, space.buildingUuid) &&
      matchesFilter(clusterUuid, space.clusterUuid) &&
      (spaceType === undefined || space.spaceType === spaceType),
  )
  return { spaces, isNamed: named !== undefined }
}

/** Spaces that are one series, by the identifier of their group, in the order of the site. */
export function groupSpaces(
  { site }: SiteModel,
  { spaces, isNamed }: SelectedSpaces,
  groupBy: GroupBy,
): Map<string, readonly SpaceRecord[]> {
  if (groupBy !== 'cluster') {
    const getKey: Record<typeof groupBy, (space: SpaceRecord) => string> = {
      space: ({ spaceUuid }) => spaceUuid,
      building: ({ buildingUuid }) => buildingUuid,
      site: () => site.siteUuid,
    }
    return Map.groupBy(spaces, getKey[groupBy])
  }
  const alone = spaces.find(({ clusterUuid }) => clusterUuid === null)
  if (isNamed && alone)
    throw invalidField('spaceUuids', 'not-allowed', `has a space without a cluster: ${alone.spaceUuid}`)
  return Map.groupBy(
    spaces.filter(({ clusterUuid }) => clusterUuid !== null),
    ({ clusterUuid }) => String(clusterUuid),
  )
}

/** The metrics from which a series is computed. */
const listSources = (metric: MetricName): readonly MeasuredMetric[] => {
  if (isMeasured(metric)) return [metric]
  return METRICS[metric].derive === 'emissions'
    ? getSources(metric)
    : UTILITIES.filter(isMeasured).filter(countsAsUse)
}

/** Whether any of the spaces measures the metric now, or did in the span. */
export function isMeasuredIn(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  metric: MetricName,
  span: TimeSpan,
): boolean {
  const sources = listSources(metric)
  return spaces.some(({ spaceUuid }) =>
    sources.some((source) =>
      model
        .placedSeries(spaceUuid, source)
        .some(({ placement }) => placement.to === null || overlaps(placement, span)),
    ),
  )
}
