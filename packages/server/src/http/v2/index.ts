import type { FastifyInstance } from 'fastify'
import { requireRole, requireToken } from '../plugins/bearer-auth.ts'
import type { ExpensiveQueries } from '../plugins/expensive-queries.ts'
import { watchMethods } from '../plugins/method-not-allowed.ts'
import { describeSurface } from '../plugins/openapi.ts'
import type { RequestLimits } from '../plugins/rate-limit.ts'
import { readyGate } from '../plugins/ready-gate.ts'
import { representation } from '../plugins/representation.ts'
import { requireSandbox, requireSite } from '../plugins/site-scope.ts'
import { noSuchAddress } from '../problem.ts'
import type { Services } from '../services.ts'
import { cancelCommand } from './commands/cancel.ts'
import { getCommand } from './commands/get.ts'
import { listCommands } from './commands/list.ts'
import { getSchedule } from './commands/schedule.ts'
import { sendSchedule } from './commands/send.ts'
import { deviceConsumption } from './devices/consumption.ts'
import { getDevice } from './devices/get.ts'
import { listDevices } from './devices/list.ts'
import { listMetricTypes } from './metric-types/list.ts'
import { listIdMap } from './migration/id-map.ts'
import { listOwnV1Usage } from './migration/usage.ts'
import { simulateDevice } from './sandbox/simulate.ts'
import { listSites } from './sites/list.ts'
import { spaceAggregate } from './spaces/aggregate.ts'
import { listSpaces } from './spaces/list.ts'
import { spaceOverview } from './spaces/overview.ts'

/** Version 2 of the partner API. Everything in it needs a token, unknown addresses included. */
export async function v2(
  app: FastifyInstance,
  services: Services,
  limits: RequestLimits,
  queries: ExpensiveQueries,
): Promise<void> {
  readyGate(app, services)
  requireToken(app, services)
  representation(app, limits, services.unreadBytes)
  await describeSurface(app, services, {
    title: 'Portico partner API, version 2',
    description: 'Building data and device control for a partner’s backend.',
    serverUrl: services.addresses.baseUrl,
    withoutSite: ['listSites'],
  })
  const answerOtherMethods = watchMethods(app, limits.countPartner)

  await app.register(async (anySite) => {
    anySite.addHook('onRequest', async (request, reply) => limits.countPartner(request, reply))
    listSites(anySite, services)
  })

  await app.register(async (site) => {
    requireSite(site, services, limits)
    listMetricTypes(site)
    listIdMap(site, services)
    listOwnV1Usage(site, services)

    await site.register(async (readers) => {
      requireRole(readers, 'Spaces.Read')
      listSpaces(readers, services, queries)
      spaceOverview(readers, services)
      spaceAggregate(readers, services, queries)
    })

    await site.register(async (readers) => {
      requireRole(readers, 'Devices.Read')
      listDevices(readers, services, queries)
      getDevice(readers, services)
      deviceConsumption(readers, services, queries)
      listCommands(readers, services)
      getCommand(readers, services)
      getSchedule(readers, services)
    })

    await site.register(async (controllers) => {
      requireRole(controllers, 'Devices.Control')
      sendSchedule(controllers, services)
      cancelCommand(controllers, services)

      await controllers.register(async (sandbox) => {
        requireSandbox(sandbox)
        simulateDevice(sandbox, services)
      })
    })
  })

  answerOtherMethods()
  app.setNotFoundHandler(async (request, reply) => {
    await limits.countPartner(request, reply)
    throw noSuchAddress()
  })
}
