import { LifecycleTable, LifecycleChanges } from '@portico/wire/operator/lifecycle'
import { NoQuery } from '@portico/wire/page'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { OPERATOR_GATES, toActor } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireLifecycle, fromWireLifecycle } from './convert.ts'

export const listLifecycle = defineRoute({
  method: 'GET',
  path: '/v1/lifecycle',
  operationId: 'listLifecycle',
  summary: 'List the lifecycle of the version 1 endpoints',
  description: 'Every endpoint with its state, its replacement and its effective dates.',
  tags: ['Version 1'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  produces: jsonAlways(200, 'The table', LifecycleTable),
  errors: ['forbidden'],
  handle: async (_call, { lifecycle }: Pick<Services, 'lifecycle'>) =>
    jsonReply(toWireLifecycle(await lifecycle.list())),
})

export const changeLifecycle = defineRoute({
  method: 'PUT',
  path: '/v1/lifecycle',
  operationId: 'changeLifecycle',
  summary: 'Set the end dates of version 1 endpoints',
  description:
    'Changes only the given endpoints and fields; null clears a field. In effect before the response is sent. After sunsetAt, and during a blackout, an endpoint returns 410.',
  tags: ['Version 1'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: LifecycleChanges,
  produces: jsonAlways(200, 'All endpoints', LifecycleTable),
  errors: ['forbidden'],
  handle: async (call, { lifecycle }: Pick<Services, 'lifecycle'>) =>
    jsonReply(toWireLifecycle(await lifecycle.change(fromWireLifecycle(call.body), toActor(call)))),
})
