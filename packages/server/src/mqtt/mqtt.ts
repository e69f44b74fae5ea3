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
import { untilItWorks } from '../lib/retry.ts'
import type { Metrics } from '../metrics.ts'
import type { PresenceStore } from '../presence/store.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { RejectedStore } from '../rejected/store.ts'
import type { Broker } from './broker.ts'
import { createDispatcher, type Handlers } from './dispatch.ts'
import { startEmbeddedBroker } from './embedded-broker.ts'
import { joinOutsideBroker } from './among-instances.ts'
import type { ListenerOptions } from './listeners.ts'
import { openOutsideBroker } from './outside-broker.ts'
import { createReadingBatches } from './reading-batches.ts'
import { createRejections } from './rejections.ts'
import { loadSiteUnits } from './site-units.ts'
import { takePresence } from './take-presence.ts'
import { takeStatus } from './take-status.ts'
import { takeReadings } from './take-readings.ts'
import { FROM_DEVICES, type TopicKind } from './topics.ts'
import { createViolations } from './violations.ts'

export interface MqttDeps {
  inventory: Pick<InventoryStore, 'siteOfDevice'>
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
    untilItWorks(() => deps.readings.add(siteUuid, batch, arrival), {
      signal,
      onFailure: (err, failures) => {
        if (failures % LOG_EVERY === 1) log.error({ err, failures, siteUuid }, 'readings wait to be stored')
      },
    }),
  )
  /** One row for each kind of message that devices send. */
  const handlers: Handlers = {
    readings: takeReadings({ ...deps, batches }),
    presence: takePresence({
      ...deps,
      gateways: deps.gatewayStore,
      onOnline: (siteUuid, deviceUuids) => deps.onReachable({ siteUuid, deviceUuids }),
    }),
    commandStatus: takeStatus(deps),
  }
  const rejections = createRejections({ ...deps, store: deps.rejected })
  const receive = createDispatcher({ ...deps, handlers, rejections, signal })
  const broker = await open()

  async function open(): Promise<Broker> {
    if ('url' in choice) {
      const { url, installationKey, leases } = choice
      const kinds = kindsOf(handlers)
      const events = { receive, onConnected: () => deps.onReachable(), log, metrics }
      return leases
        ? joinOutsideBroker({ url, prefix: sessionPrefixOf(installationKey), kinds, leases }, events)
        : openOutsideBroker({ url, clientId: clientIdOf(installationKey), kinds }, events)
    }
    await deps.presences.forgetOnline()
    return startEmbeddedBroker(choice, {
      gateways: deps.gateways,
      receive,
      loadUnits: (siteUuid) => loadSiteUnits(siteUuid, { ...deps, gateways: deps.gatewayStore }),
      violations: createViolations({ ...deps, rejections }),
      onListener: (siteUuid) => deps.onReachable({ siteUuid, deviceUuids: 'all' }),
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

const kindsOf = (handlers: Handlers): TopicKind[] =>
  FROM_DEVICES.filter((kind) => handlers[kind] !== undefined)

const digestOf = (installationKey: Uint8Array): string =>
  createHash('sha256').update('mqtt').update(installationKey).digest('hex')

/** The same after every start, so that the broker knows the session, and another for every installation. */
const clientIdOf = (installationKey: Uint8Array): string =>
  `portico-${digestOf(installationKey).slice(0, 12)}`

/** Short: a broker need not take a client id of more than 23 characters. */
const sessionPrefixOf = (installationKey: Uint8Array): string =>
  `portico-${digestOf(installationKey).slice(0, 6)}-`
