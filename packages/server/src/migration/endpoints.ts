import { V1_CATALOGUE, type V1Endpoint } from './catalogue.ts'

const BY_PATH: ReadonlyMap<string, V1Endpoint> = new Map(
  V1_CATALOGUE.map((endpoint) => [endpoint.path, endpoint]),
)

export const isV1Path = (path: string): boolean => BY_PATH.has(path)

/** Counts outlive releases: an endpoint that a later catalogue no longer has is gone for good. */
export const getEndpoint = (path: string): Pick<V1Endpoint, 'method' | 'path' | 'state' | 'replacement'> =>
  BY_PATH.get(path) ?? { method: 'GET', path, state: 'retiring', replacement: null }
