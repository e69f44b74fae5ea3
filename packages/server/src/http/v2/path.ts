import type { FastifyRequest } from 'fastify'
import { invalidField, notFound } from '../../errors.ts'
import type { SpaceRecord } from '../../inventory/inventory.ts'
import type { Device } from '../../inventory/site-model.ts'
import { isUuid } from '../../lib/ids.ts'
import { isMetricName, METRIC_NAMES, type MetricName } from '../../metric/catalogue.ts'
import { siteOf } from '../plugins/site-scope.ts'

/** A UUID of the path in lower case. */
export function uuidOf(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string>)[name] ?? ''
  if (!isUuid(value)) throw invalidField(name, 'malformed', 'must be a UUID')
  return value.toLowerCase()
}

/** A space of the request's site; another site's is as unknown as one that does not exist. */
export function spaceOf(request: FastifyRequest): SpaceRecord {
  const space = siteOf(request).spaces.get(uuidOf(request, 'spaceuuid'))
  if (!space) throw notFound('space')
  return space
}

export function deviceOf(request: FastifyRequest): Device {
  const device = siteOf(request).devices.get(uuidOf(request, 'deviceuuid'))
  if (!device) throw notFound('device')
  return device
}

export function metricOf(request: FastifyRequest): MetricName {
  const { metrictype = '' } = request.params as Record<string, string>
  if (!isMetricName(metrictype)) {
    throw invalidField('metrictype', 'not-allowed', `must be one of ${METRIC_NAMES.join(', ')}`)
  }
  return metrictype
}
