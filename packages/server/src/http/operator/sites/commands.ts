import { parsePosition, toPositionText } from '../../resources/command-position.ts'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { OperatorCommand } from '@portico/wire/operator/command'
import { Page, PageQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { OPERATOR_GATES } from '../surface.ts'
import { toWireOperatorCommand } from './convert.ts'
import { requireSiteInPath, SiteParams } from './site.ts'

export const listCommandsOfSite = defineRoute({
  method: 'GET',
  path: '/sites/{siteUuid}/commands',
  operationId: 'listCommandsOfSite',
  summary: 'List the commands of a site',
  description: 'Of all partners and devices, or of one device; newest first.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: Type.Object(
    {
      ...PageQuery.properties,
      deviceUuid: Type.Optional(about(Uuid, 'Only commands to this device.', EXAMPLE.valveUuid)),
    },
    { additionalProperties: false },
  ),
  produces: jsonAlways(200, 'One page of commands', Page(OperatorCommand)),
  errors: ['forbidden', 'not-found'],
  async handle(call, services: Pick<Services, 'commands' | 'siteDirectory' | 'cursors' | 'addresses'>) {
    const { siteUuid } = (await requireSiteInPath(call, services)).site
    const deviceUuid = call.query.deviceUuid?.toLowerCase()
    const scope = `operator/commands ${call.caller.partnerUuid} ${siteUuid} ${deviceUuid ?? 'all'}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const before = parsePosition(position)
    const commands = await services.commands.list(siteUuid, deviceUuid, { before, limit: limit + 1 })
    return pageReply(
      call,
      services,
      toPage(commands, limit, toWireOperatorCommand, (command) =>
        services.cursors.encode(scope, toPositionText(command)),
      ),
      limit,
    )
  },
})
