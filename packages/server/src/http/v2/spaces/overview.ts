import { NoQuery } from '@portico/wire/page'
import { SpaceOverview } from '@portico/wire/v2/space'
import type { FastifyInstance } from 'fastify'
import { climateNow, occupancyNow, utilitiesNow } from '../../../telemetry/insight/overview.ts'
import { stateOf } from '../../../device/status.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { requireJson } from '../../require-json.ts'
import { heardOf } from '../../../device/heard.ts'
import { spaceOf } from '../path.ts'
import { SpaceParams } from '../query.ts'
import { toWireSpace } from './convert.ts'

const schema = {
  operationId: 'getSpaceOverview',
  summary: 'Enhanced space metadata',
  description: 'The space, what it or its cluster used today, yesterday and this month, and its climate now.',
  tags: ['Spaces'],
  params: SpaceParams,
  querystring: NoQuery,
  response: responses(200, 'The overview', SpaceOverview, 'forbidden', 'not-found', 'rate-limited'),
}

export function spaceOverview(app: FastifyInstance, services: Services): void {
  const { aggregate, clock } = services
  app.get('/spaces/:spaceuuid/overview', { schema }, async (request): Promise<SpaceOverview> => {
    requireJson(request)
    const model = siteOf(request)
    const space = spaceOf(request)
    const now = clock.now()
    const heard = await heardOf(services, model)
    const { latest } = heard
    const local = (at: number | null): string | null => (at === null ? null : model.zone.format(at))
    const utilities = await utilitiesNow(aggregate, model, space, latest, now)
    return {
      ...toWireSpace(model, space),
      consumptionScope: space.clusterUuid === null ? 'space' : 'cluster',
      utilities: utilities.map((use) => ({ ...use, lastUpdated: local(use.lastUpdated) })),
      environment: climateNow(model, space, latest, now).map((one) => ({
        ...one,
        timestamp: local(one.timestamp),
      })),
      occupancy: occupancyNow(model, space, latest, now),
      devices: model.devicesIn(space.spaceUuid).map((device) => ({
        deviceUuid: device.record.deviceUuid,
        deviceType: device.record.deviceType,
        status: stateOf(device, heard, now).status,
      })),
    }
  })
}
