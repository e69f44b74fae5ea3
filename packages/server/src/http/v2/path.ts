import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { notFound } from '../../kernel/errors.ts'
import type { SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import type { Device } from '../../domain/estate/inventory/site-model.ts'
import type { WithSite } from '../pipeline/gates.ts'

export const SpaceParams = Type.Object({ spaceuuid: Uuid })

export const DeviceParams = Type.Object({ deviceuuid: Uuid })

export const CommandParams = Type.Object({ deviceuuid: Uuid, commandUuid: Uuid })

/** Finds a space of the request's site; another site's spaces are treated as non-existent. */
export function requireSpace({ site, params }: WithSite & { params: { spaceuuid: string } }): SpaceRecord {
  const space = site.spaces.get(params.spaceuuid.toLowerCase())
  if (!space) throw notFound('space')
  return space
}

export function requireDevice({ site, params }: WithSite & { params: { deviceuuid: string } }): Device {
  const device = site.devices.get(params.deviceuuid.toLowerCase())
  if (!device) throw notFound('device')
  return device
}
