import type { Actor } from '../audit/audit.ts'
import { AppError, notFound } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { checkName } from '../partner/name.ts'
import { createGateway, type Gateway } from './gateway.ts'
import type { GatewayStore } from './store.ts'

export interface AddedGateway extends Gateway {
  /** Shown this once. */
  mqttPassword: string
}

export interface GatewayService {
  list(siteUuid: string): Promise<Gateway[]>
  add(siteUuid: string, input: { name: string; gatewayUuid?: string }, actor: Actor): Promise<AddedGateway>
  remove(siteUuid: string, gatewayUuid: string, actor: Actor): Promise<void>
}

export function createGatewayService({
  store,
  clock,
}: {
  store: GatewayStore
  clock: Clock
}): GatewayService {
  return {
    list: (siteUuid) => store.list(siteUuid),

    async add(siteUuid, { name, gatewayUuid }, actor) {
      const now = clock.now()
      const { gateway, password } = createGateway(siteUuid, checkName(name), now, gatewayUuid)
      const outcome = await store.add(siteUuid, gateway, {
        at: now,
        actor,
        action: 'gateway.added',
        target: gateway.gatewayUuid,
        detail: { siteUuid, name },
      })
      if (outcome === 'unknown-site') throw notFound('site')
      if (outcome === 'uuid-taken') throw new AppError('conflict', 'Another gateway has this gatewayUuid.')
      const { passwordHash: _, ...shown } = gateway
      return { ...shown, mqttPassword: password }
    },

    async remove(siteUuid, gatewayUuid, actor) {
      const entry = {
        at: clock.now(),
        actor,
        action: 'gateway.removed',
        target: gatewayUuid,
        detail: { siteUuid },
      }
      if ((await store.remove(siteUuid, gatewayUuid, entry)) === 'unknown') throw notFound('gateway')
    },
  }
}
