import type { V1Endpoint } from '../../migration/catalogue.ts'
import { environmentOf, utilitiesOf } from './metrics.ts'
import type { Found, V1Call, V1Route } from './route.ts'

type Asked = Pick<V1Call, 'model' | 'now' | 'query'>

/** The addresses of version 2 that answer this very request; one for each metric that the space measures. */
export function successorsOf(
  { replacement, metrics }: V1Endpoint,
  { successorQuery, when }: V1Route,
  found: Found,
  asked: Asked,
  baseUrl: string,
): string[] {
  if (replacement === null || found.kind !== 'space') return []
  const { space } = found
  const names = {
    none: [''],
    utilities: utilitiesOf(asked.model, space, when),
    environment: environmentOf(asked.model, space, when),
    performance: ['performance'],
  }[metrics]
  const query = new URLSearchParams(successorQuery(asked)).toString()
  return names.map((metric) => {
    const path = replacement.replace('{spaceuuid}', space.spaceUuid).replace('{metrictype}', metric)
    return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`
  })
}
