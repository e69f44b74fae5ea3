import type { FastifyInstance } from 'fastify'
import { requireToken } from '../plugins/bearer-auth.ts'
import { watchMethods } from '../plugins/method-not-allowed.ts'
import { describeSurface } from '../plugins/openapi.ts'
import { readyGate } from '../plugins/ready-gate.ts'
import { noSuchAddress } from '../problem.ts'
import type { Services } from '../services.ts'
import { listSites } from './sites/list.ts'

/** Version 2 of the partner API. Everything in it needs a token, unknown addresses included. */
export async function v2(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => void reply.header('api-version', '2'))
  readyGate(app, services)
  requireToken(app, services)
  await describeSurface(app, services, {
    title: 'Portico partner API, version 2',
    description: 'Building data and device control for a partner’s backend.',
    serverUrl: services.addresses.baseUrl,
  })
  const answerOtherMethods = watchMethods(app)
  listSites(app, services)
  answerOtherMethods()
  app.setNotFoundHandler(() => {
    throw noSuchAddress()
  })
}
