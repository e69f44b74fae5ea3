import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { notFound } from '../../kernel/errors.ts'
import type { SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import type { Device } from '../../domain/estate/inventory/site-model.ts'
import type { WithSite } from '../pipeline/gates.ts'

const spaceuuid = about(Uuid, 'The spaceUuid of a space, from GET /spaces.', EXAMPLE.spaceUuid)
const deviceuuid = about(Uuid, 'The deviceUuid of a device, from GET /devices.', EXAMPLE.valveUuid)

export const SpaceParams = Type.Object({ spaceuuid })

export const DeviceParams = Type.Object({ deviceuuid })

export const CommandParams = Type.Object({
  deviceuuid,
  commandUuid: about(
    Uuid,
    'The commandUuid of a command, from GET /devices/{deviceuuid}/commands.',
    EXAMPLE.commandUuid,
  ),
})

/** Finds a space of the request's site; another site's spaces are treated as non-existent. */
export function requireSpace({ site, params }: WithSite & { params: { spaceuuid: string } }): SpaceRecord {
  const space = findByUuid(site.spaces, params.spaceuuid)
  if (!space) throw notFound('space')
  return space
}

export function requireDevice({ site, params }: WithSite & { params: { deviceuuid: string } }): Device {
  const device = findByUuid(site.devices, params.deviceuuid)
  if (!device) throw notFound('device')
  return device
}

/** Keys are in lower case, as most clients send them. */
const findByUuid = <T>(records: ReadonlyMap<string, T>, uuid: string): T | undefined =>
  records.get(uuid) ?? records.get(uuid.toLowerCase())
