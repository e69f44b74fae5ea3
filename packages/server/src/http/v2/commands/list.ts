import { parsePosition, toPositionText } from '../../resources/command-position.ts'
import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import { Page, PageQuery } from '@portico/wire/page'
import { Command as WireCommand } from '@portico/wire/v2/command'
import type { Command } from '../../../domain/control/command/command.ts'
import { readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { role } from '../../pipeline/gates.ts'
import { pageOrCsv } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { estimateListCost } from '../../../domain/telemetry/series/query-cost.ts'
import { pagedReply, WHOLE_LIST } from '../paginate.ts'
import { DeviceParams, requireDevice } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import { toWireCommand } from '../../resources/command.ts'

/** Commands that are read at a time: few enough not to delay other requests. */
const BATCH = 1_001

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
  description:
    'Newest first. Without `limit`, the response contains the whole list. Send `Accept: text/csv` for CSV.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: PageQuery,
  produces: pageOrCsv('The commands', Page(WireCommand)),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(call, services: Pick<RouteServices, 'commands' | 'cursors' | 'addresses' | 'queries'>) {
    const { siteUuid } = call.site.site
    const { deviceUuid } = requireDevice(call).record
    const scope = `commands ${call.caller.partnerUuid} ${deviceUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const start = parsePosition(position)
    const size = call.query.limit === undefined ? WHOLE_LIST : limit
    const toReply = (commands: readonly Command[]): Reply => {
      const page = toPage(
        commands,
        size,
        (command) => command,
        (command) => services.cursors.encode(scope, toPositionText(command)),
      )
      return pagedReply(call, services, { ...page, size, toWire: toWireCommand, columns: COLUMNS })
    }
    const list = (before: typeof start, count: number): Promise<Command[]> =>
      services.commands.list(siteUuid, deviceUuid, { before, limit: count })
    const first = await list(start, Math.min(size + 1, BATCH))
    if (first.length < BATCH) return toReply(first)
    return services.queries.run(call, estimateListCost(size), async () => {
      const commands = [...first]
      for (let batch = first; batch.length === BATCH && commands.length <= size; ) {
        await nextLoopIteration()
        batch = await list(commands.at(-1), BATCH)
        commands.push(...batch)
      }
      return toReply(commands)
    })
  },
})
