import type { Actor } from '../../identity/audit.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { checkName } from '../../identity/partner/name.ts'
import { constantEquals } from '../../../kernel/constant-equals.ts'
import { createGateway, type Gateway, hashPassword, type StoredGateway } from './gateway.ts'
import type { GatewayStore } from './store.ts'

export interface AddedGateway extends Gateway {
  /** Available only when the gateway is created. */
  mqttPassword: string
}

export interface GatewayService {
  list(siteUuid: string): Promise<Gateway[]>
  add(siteUuid: string, input: { name: string; gatewayUuid?: string }, actor: Actor): Promise<AddedGateway>
  remove(siteUuid: string, gatewayUuid: string, actor: Actor): Promise<void>
  /** The current account with this name and password. */
  authenticate(mqttUsername: string, password: string | Uint8Array): Promise<StoredGateway | undefined>
  /** Whether the account is unchanged since it was authenticated. */
  isCurrent(gateway: StoredGateway): Promise<boolean>
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
      const { passwordHash: _, mosquittoHash: __, ...shown } = gateway
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

    async authenticate(mqttUsername, password) {
      const found = await store.findAccount(mqttUsername)
      return found && constantEquals(found.passwordHash, hashPassword(password)) ? found : undefined
    },

    async isCurrent({ mqttUsername, passwordHash }) {
      const found = await store.findAccount(mqttUsername)
      return found !== undefined && constantEquals(found.passwordHash, passwordHash)
    },
  }
}
