import type { FastifyInstance } from 'fastify'
import { createAggregateService } from './aggregate/service.ts'
import { gbCarbonIntensity } from './carbon/gb-carbon-intensity.ts'
import type { CarbonProvider } from './carbon/provider.ts'
import { syntheticCarbon } from './carbon/synthetic.ts'
import { startControl } from './command/control.ts'
import type { Dispatcher } from './command/dispatcher.ts'
import { createCommandService } from './command/service.ts'
import { addressesOf, type Config } from './config/config.ts'
import { heardOfDevice } from './device/heard.ts'
import { stateOf } from './device/status.ts'
import { createSandbox } from './device/sandbox.ts'
import { createGatewayService } from './gateway/service.ts'
import { createHealth } from './health.ts'
import { type BuiltApp, buildApp } from './http/app.ts'
import type { Services } from './http/services.ts'
import { createImageService } from './image/service.ts'
import { createIntake } from './ingest/intake.ts'
import { createInventoryService } from './inventory/service.ts'
import { createSiteDirectory } from './inventory/site-directory.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { signedCursors } from './lib/cursor.ts'
import type { Log } from './lib/log.ts'
import { createLifecycle } from './migration/lifecycle.ts'
import { createMetrics } from './metrics.ts'
import { createV1Usage } from './migration/usage.ts'
import type { Broker } from './mqtt/broker.ts'
import { type BrokerChoice, startMqtt } from './mqtt/mqtt.ts'
import { topicOf } from './mqtt/topics.ts'
import { createPartnerDirectory } from './partner/directory.ts'
import { createLastUse } from './partner/last-use.ts'
import { createPartnerService } from './partner/service.ts'
import type { Store } from './store/store.ts'
import { requireWhole } from './store/transfer.ts'
import { readTls, watchTls } from './tls.ts'
import { createKeyRing } from './token/key-ring.ts'
import { createTokenVerifier } from './token/verify.ts'
import { openMeteo } from './weather/open-meteo.ts'
import type { WeatherProvider } from './weather/provider.ts'
import { syntheticWeather } from './weather/synthetic.ts'

const PREPARING = 'the store is being prepared'
const STOPPING = 'the server is stopping'

/** One running server: everything wired together, one close(). */
export interface Runtime {
  app: FastifyInstance
  services: Services
  /** Migrates and prepares the store, then runs `last`; the surfaces answer from then on. */
  prepare(last: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** The ports that will be listened on: addresses are made from them unless configured. */
export interface Ports {
  http: number
  /** Of the embedded broker; unused with an outside one. */
  mqtt: number
}

/** The composition root. */
export async function createRuntime(config: Config, ports: Ports, store: Store, log: Log): Promise<Runtime> {
  let broker: Broker | undefined
  let control: Dispatcher | undefined
  const { services, setCursorKey } = createServices(config, ports.http, store, log, () => control?.kick())
  const tls = config.tls && { files: config.tls, pair: readTls(config.tls) }
  const { app }: BuiltApp = await buildApp(services, { tls: tls?.pair, trustProxy: config.trustProxy })
  const stopWatching = tls ? watchTls(tls.files, app.server, log) : () => {}
  services.health.waitFor(PREPARING)

  return {
    app,
    services,
    async prepare(last) {
      for (const { number, name } of await store.migrate()) log.info({ number, name }, 'migrated')
      await requireWhole(store.transfer)
      const installationKey = await store.cursorKey()
      setCursorKey(installationKey)
      await services.keys.prepare()
      await last()
      const choice: BrokerChoice =
        config.mqttUrl === undefined
          ? { host: config.host, port: ports.mqtt }
          : { url: config.mqttUrl, installationKey }
      broker = await startMqtt(choice, {
        ...services,
        inventory: store.inventory,
        gatewayStore: store.gateways,
        commands: store.commands,
        outbox: store.outbox,
        rawRetentionMs: config.rawRetentionMs,
        onReachable(where) {
          if (where) control?.wake(where.siteUuid, where.deviceUuids)
          else control?.connected()
        },
      })
      const { publish, isConnected } = broker
      control = startControl({
        ...services,
        commands: store.commands,
        outbox: store.outbox,
        players: store.players,
        publish: ({ siteUuid, deviceUuid }, payload) =>
          publish(topicOf('commands', siteUuid, deviceUuid), payload),
        isConnected,
      })
      services.health.done(PREPARING)
    },
    async close() {
      services.health.waitFor(STOPPING)
      stopWatching()
      await Promise.all([app.close(), control?.close()])
      await broker?.close()
      await services.v1Usage.close()
      await services.lastUse.close()
      await store.close()
    },
  }
}

export function createServices(
  config: Config,
  port: number,
  store: Store,
  log: Log,
  /** There may be a command to send. */
  onCommand: () => void = () => {},
): { services: Services; setCursorKey(key: Uint8Array): void } {
  const clock = systemClock
  const publicUrl = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://localhost:${port}`
  const addresses = addressesOf(publicUrl, config.tenant)
  const directory = createPartnerDirectory(store.partners, clock)
  const keys = createKeyRing({ store: store.keys, clock, algorithm: config.tokenAlgorithm })
  const siteDirectory = createSiteDirectory(store.inventory)
  const { weather, carbon } = createProviders(config, clock, log)
  let cursorKey: Uint8Array = new Uint8Array()

  return {
    setCursorKey: (key) => {
      cursorKey = key
    },
    services: {
      addresses,
      tenant: config.tenant,
      supportContact: config.supportContact,
      isIssuer: config.builtInIssuer,
      isRateLimited: config.rateLimit,
      rateLimits: { perMinute: config.rateLimitPerMinute, per5Minutes: config.rateLimitPer5Minutes },
      clock,
      log,
      metrics: createMetrics(() => store.backlog()),
      health: createHealth(),
      cursors: signedCursors(() => cursorKey),
      directory,
      partners: createPartnerService({ store: store.partners, directory, clock }),
      lastUse: createLastUse(store.partners, clock, (err) =>
        log.warn({ err }, 'last use of secrets not stored'),
      ),
      sites: store.sites,
      siteDirectory,
      inventory: createInventoryService({ store: store.inventory, clock }),
      gateways: createGatewayService({ store: store.gateways, clock }),
      readings: store.readings,
      presences: store.presences,
      rejected: store.rejected,
      createIntake: () =>
        createIntake({
          inventory: store.inventory,
          siteDirectory,
          readings: store.readings,
          clock,
          rawRetentionMs: config.rawRetentionMs,
        }),
      aggregate: createAggregateService({
        readings: store.readings,
        rollups: store.rollups,
        clock,
        carbonIntensity: ({ site }, { from, to }) => carbon.forEmissions(site, from, to),
      }),
      weather,
      carbon,
      commands: createCommandService({
        store: store.commands,
        clock,
        async isOffline(model, device) {
          return stateOf(device, await heardOfDevice(store, model, device), clock.now()).status === 'offline'
        },
        onAccepted: onCommand,
      }),
      sandbox: createSandbox(),
      keys,
      verifier: createTokenVerifier({
        builtIn: config.builtInIssuer ? { issuer: addresses.issuer, keys } : undefined,
        outside: config.outsideIssuer,
        directory,
        clock,
      }),
      audit: store.audit,
      v1Usage: createV1Usage(store.v1Usage, clock, (err) =>
        log.warn({ err }, 'calls of version 1 not stored'),
      ),
      lifecycle: createLifecycle({ store: store.lifecycle, clock }),
      images: createImageService({ store: store.images, clock }),
      pingStore: () => store.ping(),
    },
  }
}

/** Nothing outside is asked unless the operator chose so. */
function createProviders(
  config: Config,
  clock: Clock,
  log: Log,
): { weather: WeatherProvider; carbon: CarbonProvider } {
  const onFailure = (err: Error): void => log.warn({ err }, 'a service outside failed')
  return {
    weather:
      config.weatherProvider === 'open-meteo'
        ? openMeteo({ url: config.weatherUrl, clock, onFailure })
        : syntheticWeather(clock),
    carbon:
      config.carbonProvider === 'gb-carbon-intensity'
        ? gbCarbonIntensity({ url: config.carbonUrl, clock, onFailure })
        : syntheticCarbon(clock),
  }
}
