import { METRICS } from '../../metric/catalogue.ts'
import { invalidField } from '../../../kernel/errors.ts'
import type { CompareTo } from './compare.ts'
import { findPeerSets, getSpacesInScope } from './scope.ts'
import type { SpaceQuery } from './space-query.ts'

const DAY_MS = 86_400_000

/**
 * Space-days whose half hours one request may read. Other long series are computed from one value per day, emissions
 * from 48. This many take about three seconds of CPU time, and are what a comparison over 60 months reads on a site
 * with 218 spaces of one type.
 */
const MAX_SPACE_DAYS = 400_000

/** Rejects a query for emissions that exceeds `MAX_SPACE_DAYS`. */
export function checkEmissionBound(query: SpaceQuery, compareTo: CompareTo | undefined): void {
  const { metric, range } = query
  if (METRICS[metric].derive !== 'emissions') return
  const own = getSpacesInScope(query).length
  const spaces = own + comparedSpaces(query, own, compareTo)
  const days = Math.ceil((range.until - range.from) / DAY_MS)
  if (spaces * days <= MAX_SPACE_DAYS) return
  const most = Math.floor(MAX_SPACE_DAYS / spaces)
  throw invalidField(
    'toDateTime',
    'range-too-long',
    `must be at most ${most} days after fromDateTime, because carbon is computed for ${spaces} spaces`,
  )
}

function comparedSpaces(query: SpaceQuery, own: number, compareTo: CompareTo | undefined): number {
  if (compareTo === undefined || compareTo === 'target') return 0
  if (compareTo !== 'siteAverage') return own
  return [...findPeerSets(query).values()].reduce((sum, { length }) => sum + length, 0)
}
