import { startEventRetention } from '../domain/event/retention.ts'
import { startSessionRetention } from '../domain/identity/session/service.ts'
import { startV1HourRetention } from '../domain/v1-lifecycle/hours.ts'
import { startDayCloser } from '../domain/telemetry/closed-days/closer.ts'
import { startStatusWatcher, type StatusWatcher } from '../domain/telemetry/device-status/watcher.ts'
import { startCommandDispatch } from '../domain/control/dispatch/start-dispatch.ts'
import type { Dispatcher } from '../domain/control/dispatch/dispatcher.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../http/services.ts'
import { createLeases } from '../domain/coordination/leases.ts'
import type { Log } from '../kernel/log.ts'
import type { ListenerOptions } from '../mqtt/brokers/listeners.ts'
import type { MessageIngest } from '../mqtt/handlers/forward-readings.ts'
import { type BrokerChoice, startMqtt } from '../mqtt/mqtt.ts'
import { toTopic } from '../mqtt/topics.ts'
import type { Presence, PresenceStore } from '../domain/estate/presence.ts'
import { getSharedState, type Store } from '../store/store.ts'
import { startDelivery } from './webhooks.ts'
import { readTls, watchTls } from './tls.ts'

/**
 * Background work, once per server: receiving messages over MQTT, sending commands, events of device statuses and
 * closed days, and delivering webhooks.
 */
export interface Background {
  /** To be called when a command may be due. */
  notify(): void
  /** To be called when there may be a new event. */
  notifyOfEvents(): void
  close(): Promise<void>
}

/** Ports of the embedded broker; `mqtts` is undefined if it does not listen for TLS. */
interface BrokerPorts {
  mqtt: number
  mqtts: number | undefined
}

type BackgroundServices = Pick<
  Services,
  | 'addresses'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'gateways'
  | 'siteDirectory'
  | 'readings'
  | 'presences'
  | 'rejected'
  | 'usualSteps'
  | 'aggregate'
>

export async function startBackground(
  config: Config,
  {
    ports,
    installationKey,
    ingest,
  }: { ports: BrokerPorts; installationKey: Uint8Array; ingest: MessageIngest },
  store: Store,
  services: BackgroundServices,
): Promise<Background> {
  const {
    addresses,
    clock,
    log,
    metrics,
    gateways,
    siteDirectory,
    readings,
    rejected,
    usualSteps,
    aggregate,
  } = services
  let control: Dispatcher | undefined
  let watcher: StatusWatcher | undefined
  const shared = getSharedState(store, config)
  const leases = shared && createLeases(shared.leases, clock)
  const presences: PresenceStore = Object.assign(Object.create(services.presences), {
    async set(siteUuid: string, ...rest: [string, Presence, boolean]) {
      await services.presences.set(siteUuid, ...rest)
      watcher?.observe(siteUuid)
    },
  })
  const choice: BrokerChoice =
    config.mqttUrl === undefined
      ? toListeners(config, ports, log)
      : {
          url: config.mqttUrl,
          installationKey,
          leases,
        }
  const broker = await startMqtt(choice, {
    clock,
    log,
    metrics,
    ingest,
    gateways,
    siteDirectory,
    presences,
    rejected,
    gatewayStore: store.gateways,
    commands: store.commands,
    outbox: store.outbox,
    onReachable(where) {
      if (where) control?.retryNow(where.siteUuid, where.deviceUuids)
      else control?.connected()
    },
  })
  const { publish, isConnected } = broker
  const started = (control = startCommandDispatch({
    clock,
    log,
    siteDirectory,
    readings,
    presences,
    commands: store.commands,
    outbox: store.outbox,
    serverSchedules: store.serverSchedules,
    publish: ({ siteUuid, deviceUuid }, payload) =>
      publish(toTopic('commands', siteUuid, deviceUuid), payload),
    isConnected,
  }))
  const statuses = (watcher = startStatusWatcher({
    store: store.deviceStatuses,
    events: store.events,
    sites: store.sites,
    siteDirectory,
    readings,
    presences,
    usualSteps,
    clock,
    leases,
    onError: (err) => log.warn({ err }, 'device statuses could not be observed'),
  }))
  const closer = startDayCloser({
    store: store.closedDays,
    sites: store.sites,
    siteDirectory,
    readings,
    aggregate,
    clock,
    leases,
    onError: (err) => log.warn({ err }, 'the days of a site could not be closed'),
  })
  const retention = startEventRetention(store.events, clock, config.eventRetentionMs, (err) =>
    log.warn({ err }, 'old events could not be deleted'),
  )
  const sessions = startSessionRetention(store.sessions, clock, (err) =>
    log.warn({ err }, 'expired console sessions could not be deleted'),
  )
  const v1Hours = startV1HourRetention(store.v1Usage, clock, (err) =>
    log.warn({ err }, 'old counts of version 1 could not be deleted'),
  )
  const delivery = startDelivery(config, {
    store,
    publicUrl: addresses.publicUrl,
    installationKey: () => installationKey,
    clock,
    log,
    metrics,
  })
  return {
    notify: started.notify,
    notifyOfEvents: () => delivery?.notify(),
    async close() {
      await delivery?.close()
      await statuses.close()
      await closer.close()
      await retention.stop()
      await sessions.stop()
      await v1Hours.stop()
      await started.close()
      await broker.close()
    },
  }
}

function toListeners(
  { host, mqttHost, tls }: Config,
  { mqtt, mqtts }: BrokerPorts,
  log: Log,
): ListenerOptions {
  const plain = { host: mqttHost, port: mqtt }
  if (tls && !/^(127\.|::1$|localhost$)/.test(mqttHost))
    log.warn({ host: mqttHost, port: mqtt }, 'MQTT_PORT is set: devices can also connect without TLS')
  if (!tls || mqtts === undefined) return plain
  return {
    ...plain,
    secure: {
      host,
      port: mqtts,
      certificate: readTls(tls),
      watchCertificate: (server) => watchTls(tls, server, log),
    },
  }
}
