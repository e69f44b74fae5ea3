import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Command } from '@portico/wire/v2/command'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { requireJson } from '../../require-json.ts'
import { deviceOf, uuidOf } from '../path.ts'
import { toWireCommand } from './convert.ts'

const schema = {
  operationId: 'getCommand',
  summary: 'Follow a command',
  tags: ['Control'],
  params: Type.Object({ deviceuuid: Uuid, commandUuid: Uuid }),
  querystring: NoQuery,
  response: responses(200, 'The command', Command, 'forbidden', 'not-found', 'rate-limited'),
}

export function getCommand(app: FastifyInstance, { commands }: Services): void {
  app.get('/devices/:deviceuuid/commands/:commandUuid', { schema }, async (request) => {
    requireJson(request)
    const commandUuid = uuidOf(request, 'commandUuid')
    return toWireCommand(await commands.get(siteOf(request), deviceOf(request), commandUuid))
  })
}
