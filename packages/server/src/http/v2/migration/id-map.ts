import { Page } from '@portico/wire/page'
import { IdMapEntry } from '@portico/wire/v2/migration'
import { Type } from 'typebox'
import { invalidField } from '../../../kernel/errors.ts'
import { type IdMapRow, ID_TYPES, buildIdMap, isIdType } from '../../../domain/v1-lifecycle/id-map.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { pageOrCsv } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { listReply } from '../paginate.ts'
import { listQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

const COLUMNS = ['type', 'id', 'uuid', 'name'] as const

export const listIdMap = defineRoute({
  method: 'GET',
  path: '/migration/id-map',
  operationId: 'listIdMap',
  summary: 'Map version 1 identifiers to UUIDs',
  description:
    'The integers of version 1 with the UUIDs of version 2, ordered by type and integer. Without `limit`, the response contains the whole list. Send `Accept: text/csv` for CSV.',
  tags: ['Migration'],
  gates: [...SITE_GATES, anyRole],
  query: listQuery({
    type: Type.Optional(
      Type.String({
        description: `One or more of ${ID_TYPES.join(', ')}, separated by commas; all if absent.`,
        examples: ['space'],
      }),
    ),
  }),
  produces: pageOrCsv('The identifiers of the site', Page(IdMapEntry)),
  errors: ['forbidden', 'rate-limited'],
  handle: (call, services: Pick<Services, 'cursors' | 'addresses'>) =>
    listReply(call, services, {
      name: 'id-map',
      items: buildIdMap(call.site, readTypes(call.query.type)),
      getKey: ({ type, id }) => [String(ID_TYPES.indexOf(type)), sortable(id)],
      toWire: (named: IdMapRow): IdMapEntry => named,
      columns: COLUMNS,
    }),
})

const readTypes = (text: string | undefined): readonly IdMapRow['type'][] => {
  if (text === undefined) return ID_TYPES
  const types = text.split(',')
  if (types.every(isIdType)) return types
  throw invalidField(
    'type',
    'not-allowed',
    `must be one or more of ${ID_TYPES.join(', ')}, separated by commas`,
  )
}

/** List positions are compared as text; the largest identifier has ten digits. */
const sortable = (id: number): string => String(id).padStart(10, '0')
