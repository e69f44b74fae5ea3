import { parsePosition, toPositionText } from '../resources/command-position.ts'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { ListedCommand } from '@portico/wire/operator/command'
import { Page, PageQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { COMMAND_STATES, type Command } from '../../domain/control/command/command.ts'
import type { CommandFilter } from '../../domain/control/command/store.ts'
import { pageReply, readPageQuery, toPage } from '../pipeline/page-query.ts'
import { page } from '../pipeline/produces.ts'
import { defineRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { fromFilter, partnerFilter, readFrom } from './list-query.ts'
import { toWireOperatorCommand } from './sites/convert.ts'
import { OPERATOR_GATES } from './surface.ts'

/** How far back commands are searched if `from` is absent. */
const DEFAULT_RANGE_MS = 7 * 86_400_000

const CommandQuery = Type.Object(
  {
    ...PageQuery.properties,
    siteUuid: Type.Optional(about(Uuid, 'Only commands to devices of this site.', EXAMPLE.siteUuid)),
    partnerUuid: partnerFilter('commands'),
    state: Type.Optional(
      Type.Enum([...COMMAND_STATES], { description: 'Only commands in this state.', examples: ['FAILED'] }),
    ),
    from: fromFilter('Only commands sent since then; the last 7 days if absent.'),
  },
  { additionalProperties: false },
)

export const listAllCommands = defineRoute({
  method: 'GET',
  path: '/commands',
  operationId: 'listAllCommands',
  summary: 'List the commands of all sites',
  description: 'Newest first, with the names of the site, the device and the partner.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  query: CommandQuery,
  produces: page('One page of commands', Page(ListedCommand)),
  errors: ['forbidden'],
  async handle(
    call,
    services: Pick<
      Services,
      'clock' | 'cursors' | 'addresses' | 'partners' | 'searchCommands' | 'siteDirectory'
    >,
  ) {
    const { query } = call
    const filter = toFilter(query, services.clock.now())
    // The scope has the requested `from`, not its default, which moves with the clock and would invalidate cursors.
    const { siteUuid, partnerUuid, state, from } = query
    const scope = `operator/all-commands ${call.caller.partnerUuid} ${JSON.stringify([siteUuid, partnerUuid, state, from])}`
    const { limit, position } = readPageQuery(query, services, scope)
    const before = parsePosition(position)
    const rows = await services.searchCommands(filter, { before, limit: limit + 1 })
    const found = toPage(
      rows,
      limit,
      (command) => command,
      (command) => services.cursors.encode(scope, toPositionText(command)),
    )
    return pageReply(call, services, { ...found, data: await addNames(found.data, services) }, limit)
  },
})

function toFilter(
  {
    siteUuid,
    partnerUuid,
    state,
    from,
  }: { siteUuid?: string; partnerUuid?: string; state?: CommandFilter['state']; from?: string },
  now: number,
): CommandFilter {
  return {
    createdFrom: readFrom(from) ?? now - DEFAULT_RANGE_MS,
    ...(siteUuid === undefined ? {} : { siteUuid: siteUuid.toLowerCase() }),
    ...(partnerUuid === undefined ? {} : { partnerUuid: partnerUuid.toLowerCase() }),
    ...(state === undefined ? {} : { state }),
  }
}

async function addNames(
  commands: readonly Command[],
  { partners, siteDirectory }: Pick<Services, 'partners' | 'siteDirectory'>,
): Promise<ListedCommand[]> {
  const names = new Map<string, string | null>()
  for (const { partnerUuid } of commands)
    if (!names.has(partnerUuid))
      names.set(
        partnerUuid,
        await partners.get(partnerUuid).then(
          ({ partner }) => partner.name,
          () => null,
        ),
      )
  return Promise.all(
    commands.map(async (command) => {
      const model = await siteDirectory.find(command.siteUuid)
      return {
        ...toWireOperatorCommand(command),
        siteUuid: command.siteUuid,
        siteName: model?.site.siteName ?? null,
        deviceName: model?.devices.get(command.deviceUuid)?.record.deviceName ?? null,
        partnerName: names.get(command.partnerUuid) ?? null,
      }
    }),
  )
}
