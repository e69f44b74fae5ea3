import { asObject, type JsonObject } from './json.ts'
import type { Portico } from './portico.ts'
import { api } from './requests.ts'

/** An operation of version 2, as its API description has it. */
export interface Route {
  method: string
  /** As the description writes it, with `{deviceuuid}` and the like. */
  path: string
  /** The role it requires; any partner may call it if undefined. */
  role: string | undefined
  /** Whether it requires the header SiteId. */
  hasSite: boolean
  /** A valid request body. */
  body: JsonObject | undefined
}

/** The endpoints of version 2 that the specification lists in section 4.1: the description must have all of them. */
export const specifiedRoutes = [
  'GET /devices',
  'GET /devices/{deviceuuid}/consumption/{metrictype}',
  'POST /devices/{deviceuuid}/schedule',
  'GET /spaces',
  'GET /spaces/{spaceuuid}/overview',
  'GET /spaces/{spaceuuid}/aggregate/{metrictype}/hourly',
  'GET /spaces/{spaceuuid}/aggregate/{metrictype}/daily',
]

/** Bodies of the operations that require one. */
const BODIES: Record<string, JsonObject> = {
  'POST /devices/{deviceuuid}/schedule': { type: 'resume' },
  'POST /sandbox/devices/{deviceuuid}/simulate': { mode: 'normal' },
}

export const nameRoute = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Reads the operations of version 2 from the API description of a server. */
export async function loadRoutes(portico: Portico): Promise<Route[]> {
  const { json } = await api(portico, '/openapi/v2.json')
  return Object.entries(asObject(json['paths'])).flatMap(([path, item]) =>
    Object.entries(asObject(item)).map(([verb, operation]) => toRoute(verb.toUpperCase(), path, operation)),
  )
}

function toRoute(method: string, path: string, described: unknown): Route {
  const operation = asObject(described)
  const role = operation['x-required-role']
  const name = nameRoute({ method, path })
  if (operation['requestBody'] && !BODIES[name]) throw new Error(`${name} needs a body in routes.ts.`)
  const unknown = toParameters(path).find((parameter) => !PARAMETERS.includes(parameter))
  if (unknown !== undefined) throw new Error(`${name} needs a value for ${unknown} in routes.ts.`)
  return {
    method,
    path,
    role: typeof role === 'string' ? role : undefined,
    hasSite: JSON.stringify(operation['parameters'] ?? []).includes('"SiteId"'),
    body: BODIES[name],
  }
}

const PARAMETERS = ['deviceuuid', 'spaceuuid', 'commandUuid', 'metrictype']

const toParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)

export interface PathIds {
  deviceuuid: string
  spaceuuid: string
  commandUuid: string
}

/** The address of an operation on these things. */
export const fill = (path: string, ids: PathIds): string =>
  path
    .replace('{deviceuuid}', ids.deviceuuid)
    .replace('{spaceuuid}', ids.spaceuuid)
    .replace('{commandUuid}', ids.commandUuid)
    .replace('{metrictype}', 'electricity')
