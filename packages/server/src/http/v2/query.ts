import { about, DESCRIBED_AS } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { DeviceType, SpaceType } from '@portico/wire/operator/inventory'
import { PageQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { type TSchema, Type } from 'typebox'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS } from '../../calendar/window-edges.ts'
import { COMPARISONS } from '../../domain/telemetry/series/compare.ts'

/** Query schema of a list: paging and filters, each at most once, and no other parameters. */
export const listQuery = <F extends Record<string, TSchema>>(filters: F) =>
  Type.Object({ ...PageQuery.properties, ...filters }, { additionalProperties: false })

/** Filters of lists. */
export const filters = {
  buildingUuid: Type.Optional(about(Uuid, 'Only records of this building.', EXAMPLE.buildingUuid)),
  spaceUuid: Type.Optional(about(Uuid, 'Only records of this space.', EXAMPLE.spaceUuid)),
  clusterUuid: Type.Optional(about(Uuid, 'Only records of this cluster.', EXAMPLE.clusterUuid)),
}

export const spaceTypeFilter = Type.Optional(about(SpaceType, 'Only spaces of this type.'))

export const deviceTypeFilter = Type.Optional(about(DeviceType, 'Only devices of this type.'))

export const floorFilter = Type.Optional(
  Type.String({
    pattern: '^-?[0-9]{1,4}$',
    description: 'Only spaces on this floor; 0 is the ground floor.',
    examples: [2],
    [DESCRIBED_AS]: { type: 'integer', minimum: -9999, maximum: 9999 },
  }),
)

export const searchFilter = (records: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Only ${records} whose name contains this text, in upper or lower case.`,
      examples: ['kitchen'],
    }),
  )

const time = (what: string, example: string) =>
  Type.String({
    maxLength: 40,
    description: `${what}: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone.`,
    examples: [example],
  })

/** Query parameters of a range without defaults. */
export const requiredRangeQuery = {
  fromDateTime: time('Start of the range', '2026-11-14'),
  toDateTime: time('End of the range, exclusive', '2026-11-15'),
}

/** Query parameters of a series. */
export const rangeQuery = {
  fromDateTime: Type.Optional(requiredRangeQuery.fromDateTime),
  toDateTime: Type.Optional(requiredRangeQuery.toDateTime),
}

export const clockInterval = Type.Optional(
  Type.Enum([...CLOCK_INTERVALS], { description: 'The length of a window; PT1H if absent.' }),
)

export const calendarInterval = Type.Optional(
  Type.Enum([...CALENDAR_INTERVALS], { description: 'The length of a window; P1D if absent.' }),
)

export const compareQuery = Type.Optional(
  Type.Enum([...COMPARISONS], { description: 'Adds summary.comparison: what the range is compared with.' }),
)
