import { performanceScores } from './telemetry/insight/performance-series.ts'
import { createSeriesService } from './telemetry/series/service.ts'
import { gbCarbonIntensity } from './carbon/gb-carbon-intensity.ts'
import type { CarbonProvider } from './carbon/provider.ts'
import { syntheticCarbon } from './carbon/synthetic.ts'
import { createCommandService } from './command/service.ts'
import { type Config, toAddresses } from './config/config.ts'
import { loadDeviceSignals } from './device/heard.ts'
import { deriveDeviceState } from './device/status.ts'
import { createSandbox } from './device/sandbox.ts'
import { remoteSimulator } from './device/simulation-wishes.ts'
import { createGatewayService } from './gateway/service.ts'
import { createHealth } from './health.ts'
import type { Services } from './http/services.ts'
import { createUnreadBytes } from './http/unread-bytes.ts'
import { createSeriesEncoder } from './http/v2/series-encoding/encode-series.ts'
import { createImageService } from './image/service.ts'
import { createReadingImport } from './ingest/intake.ts'
import { createInventoryService } from './inventory/service.ts'
import { createSiteDirectory } from './inventory/site-directory.ts'
import { createAccessLog } from './lib/access-log.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { signedCursors } from './lib/cursor.ts'
import type { Log } from './lib/log.ts'
import { withTimeout } from './lib/within.ts'
import { inMemoryLimits } from './limit/in-memory.ts'
import type { Limits } from './limit/limits.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createLifecycle } from './migration/lifecycle.ts'
import { createV1Usage } from './migration/usage.ts'
import { createPartnerDirectory } from './partner/directory.ts'
import { createSecretUsage } from './partner/last-use.ts'
import { createPartnerService } from './partner/service.ts'
import { getSharedState } from './store/shared.ts'
import type { Store } from './store/store.ts'
import { createKeyRing } from './token/key-ring.ts'
import { createTokenVerifier } from './token/verify.ts'
import { openMeteo } from './weather/open-meteo.ts'
import type { WeatherProvider } from './weather/provider.ts'
import { syntheticWeather } from './weather/synthetic.ts'

/** The other processes of the same server. Each resolves when all of them have done it. */
export interface Siblings {
  /** Drop what they remember of partners, keys and version 1's dates: it has changed. */
  invalidate(): Promise<void>
  /** Store the calls of version 1 that they have counted. */
  flushUsage(): Promise<void>
  whyNotReady(): Promise<readonly string[]>
}

/** Whoever watches has less patience than a query: a store that is silent for so long is not there. */
const PING_MS = 3_000

/** What the processes of a server have in common. */
export interface ProcessContext {
  limits: Limits
  metrics: Metrics
  /** The number of this worker process; undefined in the first process. */
  worker?: number
  /** There may be a command to send. */
  onCommand(): void
  others: Siblings
}

/** Of a process that is the only one. */
export function singleProcess(metrics = createMetrics()): ProcessContext {
  return {
    limits: inMemoryLimits(systemClock),
    metrics,
    onCommand() {},
    others: { async invalidate() {}, async flushUsage() {}, whyNotReady: async () => [] },
  }
}

export interface ComposedServices {
  services: Services
  /** For a store that is migrated: reads what cursors and tokens are signed with. Answers the installation's key. */
  prepare(): Promise<Uint8Array>
  /** Drops what this process remembers of what another one has changed. */
  forget(): void
}

export function createServices(
  config: Config,
  port: number,
  store: Store,
  log: Log,
  common: ProcessContext = singleProcess(),
): ComposedServices {
  const clock = systemClock
  const shared = getSharedState(store, config)
  const addresses = toAddresses(config, port)
  const directory = createPartnerDirectory(store.partners, clock)
  const health = createHealth()
  const { others, limits, metrics } = common
  const keys = createKeyRing({
    store: store.keys,
    clock,
    algorithm: config.tokenAlgorithm,
    onChange: others.invalidate,
  })
  const lifecycle = createLifecycle({ store: store.lifecycle, clock, onChange: others.invalidate })
  const siteDirectory = createSiteDirectory(store.inventory)
  const { weather, carbon } = createProviders(config, clock, log)
  const aggregate = createSeriesService({
    readings: store.readings,
    rollups: store.rollups,
    clock,
    derived: { performance: performanceScores },
    carbonIntensity: ({ site }, { from, to }) => carbon.forEmissions(site, from, to),
  })
  let cursorKey: Uint8Array = new Uint8Array()

  return {
    forget() {
      directory.invalidate()
      keys.invalidate()
      lifecycle.invalidate()
    },
    async prepare() {
      cursorKey = await store.cursorKey()
      await keys.prepare()
      await store.warmUp()
      return cursorKey
    },
    services: {
      addresses,
      tenant: config.tenant,
      supportContact: config.supportContact,
      isIssuer: config.builtInIssuer,
      isRateLimited: config.rateLimit,
      trustsEveryProxy: config.trustProxy === true,
      rateLimits: { perMinute: config.rateLimitPerMinute, per5Minutes: config.rateLimitPer5Minutes },
      clock,
      log,
      accessLog: createAccessLog(log, common.worker === undefined ? {} : { worker: common.worker }),
      limits,
      metrics,
      health,
      cursors: signedCursors(() => cursorKey),
      unreadBytes: createUnreadBytes(),
      directory,
      partners: createPartnerService({
        store: store.partners,
        clock,
        onChange() {
          directory.invalidate()
          return others.invalidate()
        },
      }),
      lastUse: createSecretUsage(store.partners, clock, (err) =>
        log.warn({ err }, 'last use of secrets not stored'),
      ),
      sites: store.sites,
      siteDirectory,
      inventory: createInventoryService({ store: store.inventory, clock }),
      gateways: createGatewayService({ store: store.gateways, clock }),
      readings: store.readings,
      presences: store.presences,
      rejected: store.rejected,
      createReadingImport: () =>
        createReadingImport({
          inventory: store.inventory,
          siteDirectory,
          readings: store.readings,
          clock,
          rawRetentionMs: config.rawRetentionMs,
        }),
      aggregate,
      seriesEncoder: createSeriesEncoder({
        aggregate,
        readings: store.readings,
        rollups: store.rollups,
        clock,
      }),
      weather,
      carbon,
      commands: createCommandService({
        store: store.commands,
        clock,
        async isOffline(model, device) {
          return deriveDeviceState(device, await loadDeviceSignals(store, model, device), clock.now()).status === 'offline'
        },
        onAccepted: common.onCommand,
      }),
      sandbox: createSandbox(shared && remoteSimulator(shared.simulations, clock)),
      keys,
      verifier: createTokenVerifier({
        builtIn: config.builtInIssuer ? { issuer: addresses.issuer, keys } : undefined,
        outside: config.outsideIssuer,
        directory,
        clock,
      }),
      audit: store.audit,
      v1Usage: createV1Usage(
        store.v1Usage,
        clock,
        (err) => log.warn({ err }, 'calls of version 1 not stored'),
        others.flushUsage,
      ),
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
