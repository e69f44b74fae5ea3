import { NoQuery, Page } from '@portico/wire/page'
import { EVENT_SCHEMAS, EventTypeDescription } from '@portico/wire/v2/event'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../domain/event/event.ts'
import { EVENT_VERSION } from '../../../domain/event/log.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { type ExampleSchema, toExample } from '../../pipeline/openapi/example.ts'
import { toPlainSchema } from '../../pipeline/openapi/extract-components.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { SITE_GATES } from '../surface.ts'

const data = EVENT_TYPE_NAMES.map((type) => {
  const schema = EVENT_SCHEMAS[type]
  return {
    type,
    version: EVENT_VERSION,
    description: (schema as ExampleSchema & { description?: string }).description ?? '',
    requiredRole: EVENT_TYPES[type].role ?? null,
    schema: toPlainSchema(schema),
    example: toExample(schema as ExampleSchema),
  }
})

export const listEventTypes = defineRoute({
  method: 'GET',
  path: '/event-types',
  operationId: 'listEventTypes',
  summary: 'List the types of events',
  description: 'With the JSON Schema and an example of each.',
  tags: ['Events'],
  gates: [...SITE_GATES, anyRole],
  query: NoQuery,
  produces: json('The types of events', Page(EventTypeDescription), {
    example: { data: data.slice(0, 1) },
  }),
  errors: ['forbidden', 'rate-limited'],
  handle: () => jsonReply({ data, pagination: { nextCursor: null, hasMore: false } }),
})
