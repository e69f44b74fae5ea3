import { createCommandService } from '../domain/control/command/service.ts'
import { createSlots } from '../domain/event/slots.ts'
import { createEventWatch } from '../domain/event/watch.ts'
import { type Config, toAddresses, toDemoFile } from '../config/config.ts'
import { loadDeviceSignals, withUsualSteps } from '../domain/telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../domain/telemetry/device-status/status.ts'
import { createUsualSteps } from '../domain/telemetry/device-status/usual-steps.ts'
import { createDeviceCounts } from '../domain/telemetry/device-status/count-devices.ts'
import { createDeviceWarnings } from '../domain/telemetry/device-status/warnings.ts'
import { loadRejections } from '../domain/control/command/rejections.ts'
import { createSandbox } from '../domain/control/simulation/sandbox.ts'
import { remoteSimulator } from '../domain/control/simulation/requests.ts'
import { createGatewayService } from '../domain/estate/gateway/service.ts'
import { createNetworkCheck } from '../kernel/address-filter.ts'
import { createHealth } from '../kernel/health.ts'
import type { Services } from '../http/services.ts'
import { createConsoleAssets } from '../http/console/assets.ts'
import { createUnreadBytes } from '../http/pipeline/connections/unread-bytes.ts'
import { createOperatorSummary } from '../http/operator/health/summary.ts'
import { createExportLimit } from '../http/export/export-limit.ts'
import { createSeriesEncoder } from '../http/v2/series-encoding/encode-series.ts'
import { createImageService } from '../domain/estate/image/service.ts'
import { createInventoryService } from '../domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../domain/estate/inventory/site-directory.ts'
import { observeEvents } from './observe-events.ts'
import { openLogOutput } from './log-output.ts'
import { toMqttUrl } from './mqtt-url.ts'
import { createAccessLog } from '../kernel/access-log.ts'
import { systemClock } from '../kernel/clock.ts'
import { signedCursors } from '../kernel/cursor.ts'
import type { Log } from '../kernel/log.ts'
import { withTimeout } from '../kernel/concurrency.ts'
import { inMemoryLimits } from '../domain/identity/rate-limit/in-memory.ts'
import type { Limits } from '../domain/identity/rate-limit/limits.ts'
import { createAggregate } from './aggregate.ts'
import { createProviders } from './providers.ts'
import type { Ports } from './ports.ts'
import { createMetrics, type Metrics } from '../kernel/metrics.ts'
import { createLifecycle } from '../domain/v1-lifecycle/lifecycle.ts'
import { createV1Usage } from '../domain/v1-lifecycle/usage.ts'
import { createPartnerDirectory } from '../domain/identity/partner/directory.ts'
import { createSecretUsage } from '../domain/identity/partner/secret-usage.ts'
import { createPartnerService } from '../domain/identity/partner/service.ts'
import type { ForwardWrite } from '../store/open.ts'
import { getSharedState, type Store } from '../store/store.ts'
import { createThreads, type Threads } from './threads/threads.ts'
import { createKeyRing } from '../domain/identity/token/key-ring.ts'
import { createConsoleSessions } from '../domain/identity/session/service.ts'
import { createTokenVerifier } from '../domain/identity/token/verify.ts'
import { createWebhookAdministration } from '../domain/webhook/administration.ts'
import { createWebhooks } from './webhooks.ts'

/** The other processes of this server. Each call resolves when all of them have completed it. */
export interface Siblings {
  /** Invalidates their caches of partners, keys and version 1 dates. */
  invalidate(): Promise<void>
  /** Makes them store the version 1 calls that they have counted. */
  flushUsage(): Promise<void>
  whyNotReady(): Promise<readonly string[]>
  /** Readings that all processes of this server have stored, this one included. */
  countReadings(): Promise<number>
}

/** Health checks time out sooner than queries: a store that does not respond within this time counts as unavailable. */
const PING_MS = 3_000

/** Concurrent requests that wait for a change, and concurrent event streams: per process, and per partner and site. */
const WAITING = { max: 2_000, maxPerKey: 200 }
const STREAMS = { max: 500, maxPerKey: 5 }

/** State shared by the processes of a server. */
export interface ProcessContext {
  limits: Limits
  metrics: Metrics
  /** The number of this worker process; undefined in the primary. */
  worker?: number
  /** Passes a write of a thread to the writer of the store. */
  forwardWrite: ForwardWrite
  /** Called when a command may be due. */
  onCommand(): void
  /** Called when this process may have written events of a site. */
  onEvents(siteUuid: string): void
  others: Siblings
}

/** The context of a single-process server. */
export function singleProcess(metrics = createMetrics()): ProcessContext {
  return {
    limits: inMemoryLimits(systemClock),
    metrics,
    forwardWrite: () => Promise.reject(new Error('Threads of this process cannot write.')),
    onCommand() {},
    onEvents() {},
    others: {
      async invalidate() {},
      async flushUsage() {},
      whyNotReady: async () => [],
      countReadings: metrics.countReadings,
    },
  }
}

/** Cached once it is true. A store that is not migrated yet cannot be queried and does not hold the demo. */
function createIsDemo({ demo }: Pick<Config, 'demo'>, store: Pick<Store, 'isDemo'>): () => Promise<boolean> {
  let isDemo = false
  return async () => {
    if (demo && !isDemo) isDemo = await store.isDemo().catch(() => false)
    return isDemo
  }
}

export interface ComposedServices {
  services: Services
  /**
   * To be called once the store is migrated: loads the keys that sign cursors and tokens. Returns the installation key.
   */
  prepare(): Promise<Uint8Array>
  /** Drops cached data that another process has changed. */
  forget(): void
  /** The store, whose writes wake requests that wait for events. */
  store: Store
  /** To be closed after the last response and the last message. */
  threads: Threads
}

export function createServices(
  config: Config,
  ports: Pick<Ports, 'http' | 'mqtt' | 'mqtts'>,
  opened: Store,
  log: Log,
  common: ProcessContext = singleProcess(),
): ComposedServices {
  const onEvents = (siteUuid: string): void => {
    eventWatch.notify(siteUuid)
    common.onEvents(siteUuid)
  }
  const store = observeEvents(opened, onEvents)
  const clock = systemClock
  const shared = getSharedState(store, config)
  const addresses = toAddresses(config, ports.http)
  const directory = createPartnerDirectory(store.partners, clock)
  const health = createHealth()
  const { others, limits, metrics } = common
  const keys = createKeyRing({
    store: store.keys,
    clock,
    algorithm: config.tokenAlgorithm,
    onChange: others.invalidate,
  })
  const sessions = createConsoleSessions({
    store: store.sessions,
    partners: store.partners,
    clock,
    onChange: others.invalidate,
  })
  const lifecycle = createLifecycle({ store: store.lifecycle, clock, onChange: others.invalidate })
  const siteDirectory = createSiteDirectory(store.inventory)
  const onExternalFailure = (err: Error): void => log.warn({ err }, 'a request to an external service failed')
  const { weather, carbon } = createProviders(config, clock, onExternalFailure)
  const aggregate = createAggregate(config, store, clock, carbon)
  const usualSteps = createUsualSteps(store.readings)
  const deviceWarnings = createDeviceWarnings({
    readings: store.readings,
    rollups: store.rollups,
    loadRejections: (model, devices) => loadRejections(store.commands, model, devices),
  })
  const eventWatch = createEventWatch({
    store: store.events,
    dataVersion: store.rollups.versions?.dataVersion,
    isStopping: () => !health.isReady(),
    onError: (err) => log.warn({ err }, 'new events could not be read'),
  })
  const threads = createThreads(config, log, metrics, {
    write: common.forwardWrite,
    onEvents,
    onExternalFailure,
  })
  const v1Usage = createV1Usage(
    store.v1Usage,
    clock,
    (err) => log.warn({ err }, 'the version 1 call counts could not be stored'),
    others.flushUsage,
  )
  let installationKey: Uint8Array = new Uint8Array()

  return {
    store,
    threads,
    forget() {
      directory.invalidate()
      sessions.invalidate()
      keys.invalidate()
      lifecycle.invalidate()
    },
    async prepare() {
      installationKey = await store.installationKey()
      await keys.prepare()
      await store.warmUp()
      return installationKey
    },
    services: {
      addresses,
      mqttUrl: toMqttUrl(config, ports, addresses.publicUrl),
      tenant: config.tenant,
      supportContact: config.supportContact,
      isIssuer: config.builtInIssuer,
      isDemo: createIsDemo(config, store),
      demoFile: config.demo ? toDemoFile(config) : undefined,
      isRateLimited: config.rateLimit,
      isOperatorNetwork: config.operatorNetworks ? createNetworkCheck(config.operatorNetworks) : () => true,
      trustsEveryProxy: config.trustProxy === true,
      rateLimits: { perMinute: config.rateLimitPerMinute, per5Minutes: config.rateLimitPer5Minutes },
      clock,
      log,
      accessLog: createAccessLog(log, {
        destination: openLogOutput(config),
        ...(common.worker === undefined ? {} : { worker: common.worker }),
      }),
      limits,
      metrics,
      health,
      cursors: signedCursors(() => installationKey),
      unreadBytes: createUnreadBytes(),
      directory,
      partners: createPartnerService({
        store: store.partners,
        clock,
        onChange() {
          directory.invalidate()
          sessions.invalidate()
          return others.invalidate()
        },
      }),
      lastUse: createSecretUsage(store.partners, clock, (err) =>
        log.warn({ err }, 'the last use of secrets could not be stored'),
      ),
      sites: store.sites,
      siteDirectory,
      inventory: createInventoryService({ store: store.inventory, clock }),
      gateways: createGatewayService({ store: store.gateways, clock }),
      readings: store.readings,
      presences: store.presences,
      webhooks: createWebhooks(config, {
        store,
        publicUrl: addresses.publicUrl,
        installationKey: () => installationKey,
        clock,
      }),
      webhookAdministration: createWebhookAdministration({ store: store.webhooks, clock }),
      usualSteps,
      deviceWarnings,
      rejected: store.rejected,
      importReadings: threads.importReadings,
      aggregate,
      seriesEncoder: createSeriesEncoder({
        aggregate,
        readings: store.readings,
        rollups: store.rollups,
        clock,
      }),
      seriesReads: store,
      computeThread: threads.compute,
      exports: createExportLimit(config.exportAtOnce),
      weather,
      carbon,
      commands: createCommandService({
        store: store.commands,
        clock,
        async isOffline(model, device) {
          const now = clock.now()
          const reported = await loadDeviceSignals(store, model, device)
          const signals = await withUsualSteps({ usualSteps }, model, [device], reported, now)
          return deriveDeviceState(device, signals, now).status === 'offline'
        },
        onAccepted: common.onCommand,
      }),
      searchCommands: (filter, page) => store.commands.search(filter, page),
      events: store.events,
      eventWatch,
      waitingSlots: createSlots(WAITING),
      streamSlots: createSlots(STREAMS),
      sandbox: createSandbox(shared && remoteSimulator(shared.simulations, clock)),
      keys,
      hasConsole: config.console,
      consoleAssets: createConsoleAssets(),
      sessions,
      verifier: createTokenVerifier({
        builtIn: config.builtInIssuer ? { issuer: addresses.issuer, keys } : undefined,
        external: config.externalIssuer,
        directory,
        sessions,
        clock,
      }),
      audit: store.audit,
      v1Usage,
      summary: createOperatorSummary({
        clock,
        loadStatistics: (times) => store.statistics(times),
        countDevices: createDeviceCounts({
          clock,
          readings: store.readings,
          presences: store.presences,
          siteDirectory,
          usualSteps,
        }),
        countReadings: others.countReadings,
        gateways: store.gateways,
        sites: store.sites,
        rejected: store.rejected,
        webhooks: store.webhooks,
        partners: store.partners,
        v1Usage,
      }),
      lifecycle,
      images: createImageService({ store: store.images, clock }),
      async whyNotReady() {
        const reasons = health.reasons()
        if (reasons.length > 0) return reasons
        const isReadable = await withTimeout(PING_MS, store.ping()).then(
          () => true,
          () => false,
        )
        return isReadable ? others.whyNotReady() : ['the store cannot be read']
      },
    },
  }
}
