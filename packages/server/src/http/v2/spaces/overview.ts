import { NoQuery } from '@portico/wire/page'
import { SpaceOverview } from '@portico/wire/v2/space'
import { climateNow, occupancyNow, utilitiesNow } from '../../../domain/telemetry/insight/overview.ts'
import { loadSignals, withUsualSteps } from '../../../domain/telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../../../domain/telemetry/device-status/status.ts'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireSpace, SpaceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireSpace } from './convert.ts'

export const getSpaceOverview = defineRoute({
  method: 'GET',
  path: '/spaces/{spaceuuid}/overview',
  operationId: 'getSpaceOverview',
  summary: 'Enhanced space metadata',
  description:
    'The space, the consumption of the space or its cluster today, yesterday and this month, and its current climate.',
  tags: ['Spaces'],
  gates: [...SITE_GATES, role('Spaces.Read')],
  params: SpaceParams,
  query: NoQuery,
  produces: json('The overview', SpaceOverview),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(
    call,
    services: Pick<Services, 'aggregate' | 'clock' | 'readings' | 'presences' | 'usualSteps'>,
  ) {
    const { aggregate, clock } = services
    const { site } = call
    const space = requireSpace(call)
    const now = clock.now()
    const reported = await loadSignals(services, site)
    const { latest } = reported
    const devices = site.devicesIn(space.spaceUuid)
    const signals = await withUsualSteps(services, site, devices, reported, now)
    const local = (at: number | null): string | null => (at === null ? null : site.zone.format(at))
    const utilities = await utilitiesNow(aggregate, site, space, latest, now)
    const overview: SpaceOverview = {
      ...toWireSpace(site, space),
      consumptionScope: space.clusterUuid === null ? 'space' : 'cluster',
      utilities: utilities.map((use) => ({ ...use, lastUpdated: local(use.lastUpdated) })),
      environment: climateNow(site, space, latest, now).map((one) => ({
        ...one,
        timestamp: local(one.timestamp),
      })),
      occupancy: occupancyNow(site, space, latest, now),
      devices: devices.map((device) => ({
        deviceUuid: device.record.deviceUuid,
        deviceType: device.record.deviceType,
        status: deriveDeviceState(device, signals, now).status,
      })),
    }
    return jsonReply(overview)
  },
})
