import { LifecycleChanges, LifecycleTable } from '@portico/wire/operator/lifecycle'
import { NoQuery } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { fromWireLifecycle, toWireLifecycle } from './convert.ts'

const schema = {
  operationId: 'changeLifecycle',
  summary: 'Set when endpoints of version 1 end',
  description:
    'Changes only the endpoints named, and of them only the fields given; null clears one. In force before the answer. After sunsetAt, and inside a blackout, an endpoint answers 410.',
  tags: ['Version 1'],
  body: LifecycleChanges,
  querystring: NoQuery,
  response: responses(200, 'The whole table', LifecycleTable, 'forbidden'),
}

export function changeLifecycle(app: FastifyInstance, { lifecycle }: Services): void {
  app.put<{ Body: LifecycleChanges }>('/v1/lifecycle', { schema }, async (request) =>
    toWireLifecycle(await lifecycle.change(fromWireLifecycle(request.body), actorOf(request))),
  )
}
