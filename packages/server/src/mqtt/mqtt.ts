import { createHash } from 'node:crypto'
import { writeToStream } from 'mqtt-packet'
import type { CommandStore, OutboxStore } from '../command/store.ts'
import type { GatewayService } from '../gateway/service.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Leases } from '../instance/leases.ts'
import type { SiteDirectory } from '../inventory/site-directory.ts'
import type { InventoryStore } from '../inventory/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { retryUntilSuccess } from '../lib/retry.ts'
import type { Metrics } from '../metrics.ts'
import type { PresenceStore } from '../presence/store.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { RejectedStore } from '../rejected/store.ts'
import type { Broker } from './broker.ts'
import { createMessageRouter, type Handlers } from './dispatch.ts'
import { startEmbeddedBroker } from './embedded-broker.ts'
import { connectSharedBroker } from './among-instances.ts'
import type { ListenerOptions } from './listeners.ts'
import { openExternalBroker } from './outside-broker.ts'
import { createReadingBatches } from './reading-batches.ts'
import { createRejections } from './rejections.ts'
import { loadSiteUnits } from './site-units.ts'
import { handlePresence } from './take-presence.ts'
import { handleCommandStatus } from './take-status.ts'
import { handleReadings } from './take-readings.ts'
import { DEVICE_TOPIC_KINDS, type TopicKind } from './topics.ts'
import { createViolations } from './violations.ts'

export interface MqttDeps {
  inventory: Pick<InventoryStore, 'findSiteOfDevice'>
  siteDirectory: SiteDirectory
  readings: ReadingStore
  presences: PresenceStore
  rejected: RejectedStore
  gatewayStore: Pick<GatewayStore, 'list'>
  gateways: GatewayService
  commands: CommandStore
  outbox: OutboxStore
  clock: Clock
  rawRetentionMs: number | undefined
  log: Log
  metrics: Metrics
  /** Devices can be reached: those named, or all of a site, or whoever there is. */
  onReachable(where?: { siteUuid: string; deviceUuids: readonly string[] | 'all' }): void
}

const LOG_EVERY = 12

/** Where messages come from: the address of an outside broker, or the ports of the embedded one. */
export type BrokerChoice =
  | { url: string; installationKey: Uint8Array; leases: Leases | undefined }
  | ListenerOptions

/** Starts to take what devices say. */
export async function startMqtt(choice: BrokerChoice, deps: MqttDeps): Promise<Broker> {
  // Else the first packet makes a buffer of each number up to 65,535, some eight megabytes of them.
  writeToStream.cacheNumbers = false
  const { log, metrics } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const batches = createReadingBatches((siteUuid, batch, arrival) =>
    retryUntilSuccess(() => deps.readings.add(siteUuid, batch, arrival), {
      signal,
      onFailure: (err, failures) => {
        if (failures % LOG_EVERY === 1) log.error({ err, failures, siteUuid }, 'readings wait to be stored')
      },
    }),
  )
  /** One row for each kind of message that devices send. */
  const handlers: Handlers = {
    readings: handleReadings({ ...deps, batches }),
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

  async function open(): Promise<Broker> {
    if ('url' in choice) {
      const { url, installationKey, leases } = choice
      const kinds = listHandledKinds(handlers)
      const events = { receive, onConnected: () => deps.onReachable(), log, metrics }
      return leases
        ? connectSharedBroker({ url, prefix: toSessionPrefix(installationKey), kinds, leases }, events)
        : openExternalBroker({ url, clientId: toClientId(installationKey), kinds }, events)
    }
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
      await broker.close()
    },
  }
}

const listHandledKinds = (handlers: Handlers): TopicKind[] =>
  DEVICE_TOPIC_KINDS.filter((kind) => handlers[kind] !== undefined)

const hashInstallationKey = (installationKey: Uint8Array): string =>
  createHash('sha256').update('mqtt').update(installationKey).digest('hex')

/** The same after every start, so that the broker knows the session, and another for every installation. */
const toClientId = (installationKey: Uint8Array): string =>
  `portico-${hashInstallationKey(installationKey).slice(0, 12)}`

/** Short: a broker need not take a client id of more than 23 characters. */
const toSessionPrefix = (installationKey: Uint8Array): string =>
  `portico-${hashInstallationKey(installationKey).slice(0, 6)}-`
