import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Command } from '@portico/wire/v2/command'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { requireJson } from '../../require-json.ts'
import { deviceOf, uuidOf } from '../path.ts'
import { toWireCommand } from './convert.ts'

const schema = {
  operationId: 'cancelCommand',
  summary: 'Cancel a command',
  description: 'A device that has it already is told to forget it. 409 when the command has ended.',
  tags: ['Control'],
  params: Type.Object({ deviceuuid: Uuid, commandUuid: Uuid }),
  querystring: NoQuery,
  response: responses(
    200,
    'The cancelled command',
    Command,
    'forbidden',
    'not-found',
    'conflict',
    'rate-limited',
  ),
}

export function cancelCommand(app: FastifyInstance, { commands }: Services): void {
  app.delete('/devices/:deviceuuid/commands/:commandUuid', { schema }, async (request) => {
    requireJson(request)
    const commandUuid = uuidOf(request, 'commandUuid')
    const caller = { partner: callerOf(request), traceId: request.id }
    return toWireCommand(await commands.cancel(siteOf(request), deviceOf(request), commandUuid, caller))
  })
}
