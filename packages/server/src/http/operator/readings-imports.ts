import { NoQuery } from '@portico/wire/page'
import { ReadingsImport } from '@portico/wire/operator/readings'
import { toImportEntry } from '../../domain/telemetry/ingest/import-audit.ts'
import { nothing } from '../pipeline/produces.ts'
import { NO_CONTENT } from '../pipeline/reply.ts'
import { defineRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { OPERATOR_GATES, toActor } from './surface.ts'

export const recordImport = defineRoute({
  method: 'POST',
  path: '/readings/imports',
  operationId: 'recordImport',
  summary: 'Record the import of a file in the audit log',
  description:
    'For clients that send a file in several requests, such as portico readings import. Adds no readings.',
  tags: ['Readings'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: ReadingsImport,
  produces: nothing('Recorded'),
  errors: ['forbidden'],
  async handle(call, { audit, clock }: Pick<Services, 'audit' | 'clock'>) {
    await audit.add(toImportEntry(call.body, toActor(call), clock.now()))
    return NO_CONTENT
  },
})
