import { type MetricName, METRICS } from '../../metric/catalogue.ts'
import { invalidField } from '../../../kernel/errors.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { CompareTo } from './compare.ts'
import { countFactorSeries } from './query-cost.ts'
import type { Range } from './range.ts'
import { findPeerSets, getSpacesInScope } from './scope.ts'
import type { SpaceQuery } from './space-query.ts'

const DAY_MS = 86_400_000

/**
 * Space-days whose half hours one request may read. Other long series are computed from one value per day, emissions
 * from 48. This many take about three seconds of CPU time, and are what a comparison over 60 months reads on a site
 * with 218 spaces of one type.
 */
const MAX_SPACE_DAYS = 400_000

/**
 * Emissions of other metrics than electricity are computed from one value per day, which takes a quarter of the time.
 */
const FACTOR_SERIES_PER_SPACE = 4

/** Rejects a query for emissions that exceeds `MAX_SPACE_DAYS`. */
export function checkEmissionBound(query: SpaceQuery, compareTo: CompareTo | undefined): void {
  const { model, metric, range } = query
  if (METRICS[metric].derive !== 'emissions') return
  const own = getSpacesInScope(query)
  checkEmissionsBound(model, metric, [...own, ...listComparedSpaces(query, own, compareTo)], range)
}

/** Rejects a sum over spaces that exceeds `MAX_SPACE_DAYS`. */
export function checkEmissionsBound(
  model: SiteModel,
  metric: MetricName,
  spaces: readonly SpaceRecord[],
  range: Pick<Range, 'from' | 'until'>,
): void {
  if (METRICS[metric].derive !== 'emissions') return
  const days = Math.ceil((range.until - range.from) / DAY_MS)
  const work = spaces.length + countFactorSeries(model, metric, spaces) / FACTOR_SERIES_PER_SPACE
  if (work * days <= MAX_SPACE_DAYS) return
  const most = Math.floor(MAX_SPACE_DAYS / work)
  throw invalidField(
    'toDateTime',
    'range-too-long',
    `must be at most ${most} days after fromDateTime, because carbon is computed for ${spaces.length} spaces`,
  )
}

function listComparedSpaces(
  query: SpaceQuery,
  own: readonly SpaceRecord[],
  compareTo: CompareTo | undefined,
): readonly SpaceRecord[] {
  if (compareTo === undefined || compareTo === 'target') return []
  return compareTo === 'siteAverage' ? [...findPeerSets(query).values()].flat() : own
}
