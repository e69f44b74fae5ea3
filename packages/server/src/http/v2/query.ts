import { PageQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { type TSchema, Type } from 'typebox'
import { COMPARISONS } from '../../domain/telemetry/series/compare.ts'

/** Query schema of a list: paging and filters, each at most once, and no other parameters. */
export const listQuery = <F extends Record<string, TSchema>>(filters: F) =>
  Type.Object({ ...PageQuery.properties, ...filters }, { additionalProperties: false })

export const uuidFilter = Type.Optional(Uuid)

/** Whether an item matches a filter by identifier; an absent filter matches everything. */
export const matchesFilter = (wanted: string | undefined, uuid: string | null): boolean =>
  wanted === undefined || wanted.toLowerCase() === uuid

const Time = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      'A date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone.',
  }),
)

/** Query parameters of a series. */
export const rangeQuery = { fromDateTime: Time, toDateTime: Time }

export const compareQuery = Type.Optional(Type.Enum([...COMPARISONS]))
