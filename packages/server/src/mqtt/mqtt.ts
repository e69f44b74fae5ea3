import { createHash } from 'node:crypto'
import { writeToStream } from 'mqtt-packet'
import type { CommandStore, OutboxStore } from '../domain/control/command/store.ts'
import type { GatewayService } from '../domain/estate/gateway/service.ts'
import type { GatewayStore } from '../domain/estate/gateway/store.ts'
import type { Leases } from '../domain/coordination/leases.ts'
import type { SiteDirectory } from '../domain/estate/inventory/site-directory.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { PresenceStore } from '../domain/estate/presence.ts'
import type { RejectedStore } from '../domain/telemetry/ingest/rejected.ts'
import type { Broker } from './brokers/broker.ts'
import { createMessageRouter, type Handlers } from './message-router.ts'
import type { ListenerOptions } from './brokers/listeners.ts'
import { createRejections } from './handlers/rejections.ts'
import { loadSiteUnits } from './brokers/site-senders.ts'
import { handlePresence } from './handlers/presence.ts'
import { handleCommandStatus } from './handlers/command-status.ts'
import { forwardReadings, type MessageIngest } from './handlers/forward-readings.ts'
import { DEVICE_TOPIC_KINDS, type TopicKind } from './topics.ts'
import { createViolations } from './brokers/violations.ts'

export interface MqttDeps {
  siteDirectory: SiteDirectory
  ingest: MessageIngest
  presences: PresenceStore
  rejected: RejectedStore
  gatewayStore: Pick<GatewayStore, 'list'>
  gateways: GatewayService
  commands: CommandStore
  outbox: OutboxStore
  clock: Clock
  log: Log
  metrics: Metrics
  /** Devices have become reachable: those named, all of a site, or any. */
  onReachable(where?: { siteUuid: string; deviceUuids: readonly string[] | 'all' }): void
}

/** Source of messages: the address of an external broker, or the ports of the embedded one. */
export type BrokerChoice =
  | { url: string; installationKey: Uint8Array; leases: Leases | undefined }
  | ListenerOptions

/** Starts receiving messages from devices. */
export async function startMqtt(choice: BrokerChoice, deps: MqttDeps): Promise<Broker> {
  // Otherwise the first packet creates a buffer for each number up to 65,535, about 8 MB.
  writeToStream.cacheNumbers = false
  const { log, metrics } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  /** One handler for each kind of message that devices send. */
  const handlers: Handlers = {
    readings: forwardReadings({ ...deps, signal }),
    presence: handlePresence({
      ...deps,
      gateways: deps.gatewayStore,
      onOnline: (siteUuid, deviceUuids) => deps.onReachable({ siteUuid, deviceUuids }),
    }),
    commandStatus: handleCommandStatus(deps),
  }
  const rejections = createRejections({ ...deps, store: deps.rejected })
  const receive = createMessageRouter({ ...deps, handlers, rejections, signal })
  const broker = await open()

  /** Loads only the broker that is used, because the libraries take time to load and memory. */
  async function open(): Promise<Broker> {
    if ('url' in choice) {
      const { url, installationKey, leases } = choice
      const kinds = listHandledKinds(handlers)
      const events = { receive, onConnected: () => deps.onReachable(), log, metrics }
      if (leases) {
        const { connectSharedBroker } = await import('./brokers/external-shared.ts')
        return connectSharedBroker({ url, prefix: toSessionPrefix(installationKey), kinds, leases }, events)
      }
      const { openExternalBroker } = await import('./brokers/external.ts')
      return openExternalBroker({ url, clientId: toClientId(installationKey), kinds }, events)
    }
    const { startEmbeddedBroker } = await import('./brokers/embedded.ts')
    await deps.presences.forgetOnline()
    return startEmbeddedBroker(choice, {
      gateways: deps.gateways,
      receive,
      loadUnits: (siteUuid) => loadSiteUnits(siteUuid, { ...deps, gateways: deps.gatewayStore }),
      violations: createViolations({ ...deps, rejections }),
      onSubscriber: (siteUuid) => deps.onReachable({ siteUuid, deviceUuids: 'all' }),
      log,
      metrics,
    })
  }

  return {
    isConnected: () => broker.isConnected(),
    publish: (topic, payload) => broker.publish(topic, payload),
    async close() {
      stopping.abort()
      deps.ingest.stopRetrying()
      await broker.close()
    },
  }
}

const listHandledKinds = (handlers: Handlers): TopicKind[] =>
  DEVICE_TOPIC_KINDS.filter((kind) => handlers[kind] !== undefined)

const hashInstallationKey = (installationKey: Uint8Array): string =>
  createHash('sha256').update('mqtt').update(installationKey).digest('hex')

/** Stable across restarts, so that the broker recognises the session, and unique per installation. */
const toClientId = (installationKey: Uint8Array): string =>
  `portico-${hashInstallationKey(installationKey).slice(0, 12)}`

/** Short: a broker need not accept client ids of more than 23 characters. */
const toSessionPrefix = (installationKey: Uint8Array): string =>
  `portico-${hashInstallationKey(installationKey).slice(0, 6)}-`
