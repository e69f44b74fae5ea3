import type { JsonObject } from './json.ts'

export interface Route {
  method: 'GET' | 'POST'
  /** As the specification writes it, with `{deviceuuid}`, `{spaceuuid}` or `{commanduuid}`. */
  path: string
  /** The role it wants; none: any partner. */
  role?: string
  body?: JsonObject
}

/** Every route of version 2 that this suite knows: those of the specification, section 4.1, and those beside them. */
export const routes: Route[] = [
  { method: 'GET', path: '/metric-types' },
  { method: 'GET', path: '/migration/id-map' },
  { method: 'GET', path: '/migration/usage' },
  { method: 'GET', path: '/devices', role: 'Devices.Read' },
  { method: 'GET', path: '/devices/{deviceuuid}', role: 'Devices.Read' },
  { method: 'GET', path: '/devices/{deviceuuid}/consumption/electricity', role: 'Devices.Read' },
  { method: 'GET', path: '/devices/{deviceuuid}/commands', role: 'Devices.Read' },
  { method: 'GET', path: '/devices/{deviceuuid}/commands/{commanduuid}', role: 'Devices.Read' },
  {
    method: 'POST',
    path: '/devices/{deviceuuid}/schedule',
    role: 'Devices.Control',
    body: { type: 'resume' },
  },
  { method: 'GET', path: '/spaces', role: 'Spaces.Read' },
  { method: 'GET', path: '/spaces/{spaceuuid}/overview', role: 'Spaces.Read' },
  { method: 'GET', path: '/spaces/{spaceuuid}/aggregate/electricity/hourly', role: 'Spaces.Read' },
  { method: 'GET', path: '/spaces/{spaceuuid}/aggregate/electricity/daily', role: 'Spaces.Read' },
]

/** Operations that `routes` leaves out, because they need no site, cannot be repeated or share a path: tests of their own call them. */
export const testedElsewhere = [
  'GET /sites',
  'GET /devices/{deviceuuid}/schedule',
  'DELETE /devices/{deviceuuid}/commands/{commanduuid}',
  'POST /sandbox/devices/{deviceuuid}/simulate',
]

export interface PathIds {
  deviceuuid: string
  spaceuuid: string
  commanduuid: string
}

export function fill(path: string, ids: PathIds): string {
  return path
    .replace('{deviceuuid}', ids.deviceuuid)
    .replace('{spaceuuid}', ids.spaceuuid)
    .replace('{commanduuid}', ids.commanduuid)
}
