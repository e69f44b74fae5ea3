import { Page, PageQuery as PageQuerySchema } from '@portico/wire/page'
import { Command } from '@portico/wire/v2/command'
import type { FastifyInstance } from 'fastify'
import { type PageQuery, readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { answer } from '../answer.ts'
import { deviceOf } from '../path.ts'
import { DeviceParams } from '../query.ts'
import { toWireCommand } from './convert.ts'

const schema = {
  operationId: 'listCommands',
  summary: 'List the commands of a device',
  description: 'Newest first.',
  tags: ['Control'],
  params: DeviceParams,
  querystring: PageQuerySchema,
  response: responsesWithCsv('One page of commands', Page(Command), 'forbidden', 'not-found', 'rate-limited'),
}

const COLUMNS = [
  'commandUuid',
  'deviceUuid',
  'type',
  'state',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'completedAt',
  'failureReason',
  'clientReference',
  'schedule',
] as const

export function listCommands(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: PageQuery }>('/devices/:deviceuuid/commands', { schema }, async (request, reply) => {
    const { siteUuid } = siteOf(request).site
    const { deviceUuid } = deviceOf(request).record
    const scope = `commands ${callerOf(request).partnerUuid} ${deviceUuid}`
    const { limit, position } = readPageQuery(request.query, services, scope)
    const [createdAt, commandUuid] = position?.split(' ') ?? []
    const before = commandUuid === undefined ? undefined : { createdAt: Number(createdAt), commandUuid }
    const commands = await services.commands.list(siteUuid, deviceUuid, { before, limit: limit + 1 })
    const page = toPage(commands, limit, toWireCommand, (command) =>
      services.cursors.encode(scope, `${command.createdAt} ${command.commandUuid}`),
    )
    return answer(request, reply, page, COLUMNS, page.data)
  })
}
