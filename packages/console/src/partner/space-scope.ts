import type { SpaceOverview } from '@portico/sdk'

const UTILITIES: ReadonlySet<string> = new Set([
  'electricity',
  'gas',
  'water',
  'hotwater',
  'heating',
  'cooling',
  'solar',
])

export const isUtility = (metric: string): boolean => UTILITIES.has(metric)

/** Whose consumption is shown: the space's, or that of its cluster if only the cluster has meters. */
export function toScope(
  { clusterUuid, metricTypes, utilities }: Pick<SpaceOverview, 'clusterUuid' | 'metricTypes' | 'utilities'>,
  chosen: string | undefined,
): 'space' | 'cluster' {
  if (clusterUuid === null) return 'space'
  if (chosen === 'space' || chosen === 'cluster') return chosen
  return !metricTypes.some(isUtility) && utilities.length > 0 ? 'cluster' : 'space'
}
