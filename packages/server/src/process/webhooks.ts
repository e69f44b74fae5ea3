import type { Config } from '../config/config.ts'
import { createDeliverer, type Deliverer } from '../domain/webhook/deliver.ts'
import { RETRY_TOTAL_MS } from '../domain/webhook/rules.ts'
import { createSender, type Sender } from '../domain/webhook/send.ts'
import { createWebhookService, type WebhookService } from '../domain/webhook/service.ts'
import { createStandings } from '../domain/webhook/standing.ts'
import { type AddressFilter, createAddressFilter, type Network } from '../kernel/address-filter.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { randomShare } from '../kernel/ids.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { createOutgoingHttp } from '../kernel/outgoing-http.ts'
import { getSharedState, type Store } from '../store/store.ts'

/** The demo can be tried with a receiver on the same machine. */
const LOOPBACK: readonly Network[] = [
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '::1', prefix: 128, family: 'ipv6' },
]

interface WebhookParts {
  store: Store
  publicUrl: string
  installationKey(): Uint8Array
  clock: Clock
}

const toFilter = ({ webhookAllowedNetworks, demo }: Config): AddressFilter =>
  createAddressFilter(webhookAllowedNetworks ?? (demo ? LOOPBACK : []))

const toSender = (config: Config, { publicUrl, installationKey, clock }: WebhookParts): Sender =>
  createSender({ outgoing: createOutgoingHttp(toFilter(config)), installationKey, publicUrl, clock })

/** Undefined if webhooks are switched off. */
export const createWebhooks = (config: Config, parts: WebhookParts): WebhookService | undefined =>
  config.webhooks
    ? createWebhookService({
        store: parts.store.webhooks,
        events: parts.store.events,
        partners: parts.store.partners,
        sender: toSender(config, parts),
        filter: toFilter(config),
        installationKey: parts.installationKey,
        clock: parts.clock,
      })
    : undefined

/** Starts the delivery of events: in the primary process of each server. Undefined if webhooks are switched off. */
export function startDelivery(
  config: Config,
  parts: WebhookParts & { log: Log; metrics: Metrics },
): Deliverer | undefined {
  if (!config.webhooks) return undefined
  const { store, clock, log, metrics } = parts
  if (config.eventRetentionMs < RETRY_TOTAL_MS)
    log.warn(
      'EVENT_RETENTION is shorter than the 75 hours in which a delivery is retried: events may be removed before',
    )
  return createDeliverer({
    store: store.webhooks,
    sender: toSender(config, parts),
    findStanding: createStandings(store.partners, clock),
    clock,
    log,
    random: randomShare,
    onResult: (result) => metrics.webhookDeliveries.inc({ result }),
    isShared: getSharedState(store, config) !== undefined,
  })
}
