import type { V1Endpoint } from '../../domain/v1-lifecycle/catalogue.ts'
import { listEnvironmentMetrics, listUtilities } from './metrics.ts'
import type { V1Target, V1Call, V1Route } from './route.ts'

type SuccessorRequest = Pick<V1Call, 'model' | 'now' | 'query'>

/** Version 2 addresses that return the data of this request, one for each metric that the space measures. */
export function listSuccessors(
  { replacement, metrics }: V1Endpoint,
  { successorQuery, when }: V1Route,
  found: V1Target,
  requested: SuccessorRequest,
  baseUrl: string,
): string[] {
  if (replacement === null || found.kind !== 'space') return []
  const { space } = found
  const names = {
    none: [''],
    utilities: listUtilities(requested.model, space, when),
    environment: listEnvironmentMetrics(requested.model, space, when),
    performance: ['performance'],
  }[metrics]
  const query = new URLSearchParams(successorQuery(requested)).toString()
  return names.map((metric) => {
    const path = replacement.replace('{spaceuuid}', space.spaceUuid).replace('{metrictype}', metric)
    return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`
  })
}
