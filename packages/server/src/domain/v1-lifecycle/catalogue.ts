/** Fate of a version 1 endpoint: version 2 has it, will have it, or never will. */
export type V1State = 'replaced' | 'awaiting-v2' | 'retiring'

/** The record that the path identifies. */
export type V1Subject = 'space' | 'building' | 'site' | 'tenant'

/** The version 2 metric types in the response of a version 1 endpoint. */
export type V1Metrics = 'utilities' | 'environment' | 'performance' | 'none'

export interface V1Endpoint {
  method: 'GET'
  /** As in the specification, without the version prefix. */
  path: string
  subject: V1Subject
  state: V1State
  /** The version 2 path that replaces it; null if there is none. */
  replacement: string | null
  /** The {metrictype} values to request there. */
  metrics: V1Metrics
  /** The interval to request there; null for the default. */
  interval: 'P1M' | null
}

const OVERVIEW = '/spaces/{spaceuuid}/overview'
const HOURLY = '/spaces/{spaceuuid}/aggregate/{metrictype}/hourly'
const DAILY = '/spaces/{spaceuuid}/aggregate/{metrictype}/daily'

const endpoint = <P extends string>(
  path: P,
  subject: V1Subject,
  state: V1State,
  replacement: string | null = null,
  metrics: V1Metrics = 'none',
  interval: V1Endpoint['interval'] = null,
): V1Endpoint & { path: P } => ({ method: 'GET', path, subject, state, replacement, metrics, interval })

/**
 * Every endpoint of version 1, in the order of the specification. Routes, headers, errors, reports and documentation
 * are derived from it.
 */
export const V1_CATALOGUE = [
  endpoint('/spaces/details/{spaceId}', 'space', 'replaced', OVERVIEW),
  endpoint('/spaces/utilities/{spaceId}', 'space', 'replaced', HOURLY, 'utilities'),
  endpoint('/spaces/utilities/{spaceId}/history', 'space', 'replaced', DAILY, 'utilities'),
  endpoint('/spaces/utilities/{spaceId}/monthly', 'space', 'replaced', DAILY, 'utilities', 'P1M'),
  endpoint('/spaces/multiSensor/{spaceId}', 'space', 'replaced', HOURLY, 'environment'),
  endpoint('/spaces/multiSensor/{spaceId}/history', 'space', 'replaced', DAILY, 'environment'),
  endpoint('/spaces/performance/{spaceId}', 'space', 'replaced', DAILY, 'performance', 'P1M'),
  endpoint('/spaces/utilities/performance/{spaceId}', 'space', 'replaced', DAILY, 'performance', 'P1M'),
  endpoint('/buildings/occupancy/{buildingId}', 'building', 'awaiting-v2'),
  endpoint('/buildings/occupancy/{buildingId}/history', 'building', 'awaiting-v2'),
  endpoint('/sites/occupancy/{siteId}', 'site', 'awaiting-v2'),
  endpoint('/sites/occupancy/{siteId}/history', 'site', 'awaiting-v2'),
  endpoint('/spaces/utilities/rank/{spaceId}', 'space', 'awaiting-v2'),
  endpoint('/spaces/tip/{spaceId}', 'space', 'awaiting-v2'),
  endpoint('/tenant/logo', 'tenant', 'retiring'),
  endpoint('/building/image/{buildingId}', 'building', 'retiring'),
  endpoint('/buildings/weather/{buildingId}', 'building', 'retiring'),
  endpoint('/sites/weather/{siteId}', 'site', 'retiring'),
  endpoint('/buildings/carbonIntensity/{buildingId}', 'building', 'retiring'),
  endpoint('/buildings/carbonIntensity/{buildingId}/carbonGenerationMix', 'building', 'retiring'),
  endpoint('/sites/carbonIntensity/{siteId}', 'site', 'retiring'),
  endpoint('/sites/carbonIntensity/{siteId}/carbonGenerationMix', 'site', 'retiring'),
  endpoint('/spaces/carbonEmissions/{spaceId}', 'space', 'retiring'),
] as const satisfies readonly V1Endpoint[]

/** A path of version 1, as in the specification. */
export type V1Path = (typeof V1_CATALOGUE)[number]['path']

export const findEndpoint = (method: string, path: string): V1Endpoint | undefined =>
  V1_CATALOGUE.find((endpoint) => endpoint.method === method && endpoint.path === path)

/** Time at which the first release deprecated version 1. */
export const DEPRECATED_SINCE = Date.UTC(2026, 10, 1)

const BY_PATH: ReadonlyMap<string, V1Endpoint> = new Map(
  V1_CATALOGUE.map((endpoint) => [endpoint.path, endpoint]),
)

export const isV1Path = (path: string): boolean => BY_PATH.has(path)

/** Counts outlive releases: an endpoint that is no longer in the catalogue counts as retiring. */
export const getEndpoint = (path: string): Pick<V1Endpoint, 'method' | 'path' | 'state' | 'replacement'> =>
  BY_PATH.get(path) ?? { method: 'GET', path, state: 'retiring', replacement: null }
