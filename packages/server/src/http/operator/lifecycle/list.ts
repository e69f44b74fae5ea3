import { LifecycleTable } from '@portico/wire/operator/lifecycle'
import { NoQuery } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toWireLifecycle } from './convert.ts'

const schema = {
  operationId: 'listLifecycle',
  summary: 'Read what becomes of each endpoint of version 1',
  description: 'Every endpoint with its state, its replacement and the dates that hold.',
  tags: ['Version 1'],
  querystring: NoQuery,
  response: responses(200, 'The table', LifecycleTable, 'forbidden'),
}

export function listLifecycle(app: FastifyInstance, { lifecycle }: Services): void {
  app.get('/v1/lifecycle', { schema }, async () => toWireLifecycle(await lifecycle.list()))
}
