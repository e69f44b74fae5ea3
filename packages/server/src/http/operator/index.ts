import type { FastifyInstance } from 'fastify'
import { requireRole, requireToken } from '../plugins/bearer-auth.ts'
import { watchMethods } from '../plugins/method-not-allowed.ts'
import { describeSurface } from '../plugins/openapi.ts'
import { readyGate } from '../plugins/ready-gate.ts'
import { noSuchAddress } from '../problem.ts'
import type { Services } from '../services.ts'
import { listAudit } from './audit/list.ts'
import { gatewayRoutes } from './gateways/routes.ts'
import { applyInventory } from './inventory/apply.ts'
import { exportInventory } from './inventory/export.ts'
import { setBuildingImage } from './images/set-building-image.ts'
import { takeImages } from './images/body.ts'
import { setLogo } from './images/set-logo.ts'
import { rotateKeys } from './keys/rotate.ts'
import { listV1Callers } from './migration/list.ts'
import { changeLifecycle } from './lifecycle/change.ts'
import { listLifecycle } from './lifecycle/list.ts'
import { addPartner } from './partners/add.ts'
import { changePartner } from './partners/change.ts'
import { getPartner } from './partners/get.ts'
import { listPartners } from './partners/list.ts'
import { addReadings } from './readings/add.ts'
import { listRejected } from './rejected/list.ts'
import { addSecret } from './secrets/add.ts'
import { removeSecret } from './secrets/remove.ts'

/** The operator API. Everything in it needs a token with the role Operator. */
export async function operator(app: FastifyInstance, services: Services): Promise<void> {
  readyGate(app, services)
  requireToken(app, services)
  requireRole(app, 'Operator')
  await describeSurface(app, services, {
    title: 'Portico operator API',
    description: 'For the platform team that runs the installation.',
    serverUrl: services.addresses.operatorUrl,
  })
  const answerOtherMethods = watchMethods(app)
  applyInventory(app, services)
  exportInventory(app, services)
  gatewayRoutes(app, services)
  await app.register(async (scope) => addReadings(scope, services))
  listRejected(app, services)
  listPartners(app, services)
  addPartner(app, services)
  getPartner(app, services)
  changePartner(app, services)
  addSecret(app, services)
  removeSecret(app, services)
  rotateKeys(app, services)
  listV1Callers(app, services)
  listLifecycle(app, services)
  changeLifecycle(app, services)
  await app.register(async (scope) => {
    takeImages(scope)
    setLogo(scope, services)
    setBuildingImage(scope, services)
  })
  listAudit(app, services)
  answerOtherMethods()
  app.setNotFoundHandler(() => {
    throw noSuchAddress()
  })
}
