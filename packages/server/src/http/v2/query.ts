import { PageQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { type TSchema, Type } from 'typebox'

/** Query schema of a list: paging and filters, each at most once, and no other parameters. */
export const listQuery = <F extends Record<string, TSchema>>(filters: F) =>
  Type.Object({ ...PageQuery.properties, ...filters }, { additionalProperties: false })

export const uuidFilter = Type.Optional(Uuid)

export const SpaceParams = Type.Object({ spaceuuid: Uuid })

export const DeviceParams = Type.Object({ deviceuuid: Uuid })

export const CommandParams = Type.Object({ deviceuuid: Uuid, commandUuid: Uuid })

/** Whether an item matches a filter by identifier; an absent filter matches everything. */
export const matchesFilter = (wanted: string | undefined, uuid: string | null): boolean =>
  wanted === undefined || wanted.toLowerCase() === uuid
