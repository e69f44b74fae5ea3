import { Page } from '@portico/wire/page'
import { IdMapEntry } from '@portico/wire/v2/migration'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type Named, ID_TYPES, idMapOf, isIdType } from '../../../migration/id-map.ts'
import { invalidField } from '../../../errors.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { sendList } from '../list-page.ts'
import { listQuery } from '../query.ts'

const schema = {
  operationId: 'listIdMap',
  summary: 'Find the UUID for an identifier of version 1',
  description:
    'The integers of version 1 and the UUIDs of version 2, by type and integer. The whole list without limit; pages with it. Accept text/csv for CSV.',
  tags: ['Migration'],
  querystring: listQuery({
    type: Type.Optional(
      Type.String({
        description: `One or more of ${ID_TYPES.join(', ')}, with commas between; all without it.`,
      }),
    ),
  }),
  response: responsesWithCsv('The identifiers of the site', Page(IdMapEntry), 'forbidden', 'rate-limited'),
}

const COLUMNS = ['type', 'id', 'uuid', 'name'] as const

export function listIdMap(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: { type?: string } }>('/migration/id-map', { schema }, async (request, reply) =>
    sendList(request, reply, services, {
      name: 'id-map',
      items: idMapOf(siteOf(request), readTypes(request.query.type)),
      keyOf: ({ type, id }) => [String(ID_TYPES.indexOf(type)), sortable(id)],
      toWire: (named: Named): IdMapEntry => named,
      columns: COLUMNS,
    }),
  )
}

const readTypes = (text: string | undefined): readonly Named['type'][] => {
  if (text === undefined) return ID_TYPES
  const types = text.split(',')
  if (types.every(isIdType)) return types
  throw invalidField(
    'type',
    'not-allowed',
    `must be one or more of ${ID_TYPES.join(', ')}, with commas between`,
  )
}

/** Positions in a list are compared as text; the largest identifier has ten digits. */
const sortable = (id: number): string => String(id).padStart(10, '0')
