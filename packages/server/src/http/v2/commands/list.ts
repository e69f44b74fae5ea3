import { Page, PageQuery } from '@portico/wire/page'
import { Command } from '@portico/wire/v2/command'
import { readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonOrCsv, jsonOrCsvReply } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, DeviceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireCommand } from './convert.ts'

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

export const listCommands = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/commands',
  operationId: 'listCommands',
  summary: 'List the commands of a device',
  description: 'Newest first.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: PageQuery,
  produces: jsonOrCsv('One page of commands', Page(Command)),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(call, services: Pick<Services, 'commands' | 'cursors'>) {
    const { siteUuid } = call.site.site
    const { deviceUuid } = requireDevice(call).record
    const scope = `commands ${call.caller.partnerUuid} ${deviceUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const [createdAt, commandUuid] = position?.split(' ') ?? []
    const before = commandUuid === undefined ? undefined : { createdAt: Number(createdAt), commandUuid }
    const commands = await services.commands.list(siteUuid, deviceUuid, { before, limit: limit + 1 })
    const page = toPage(commands, limit, toWireCommand, (command) =>
      services.cursors.encode(scope, `${command.createdAt} ${command.commandUuid}`),
    )
    return jsonOrCsvReply(call, page, COLUMNS, page.data)
  },
})
