import type { SeriesReads, SeriesService } from '../domain/telemetry/series/service.ts'
import type { AuditStore } from '../domain/identity/audit.ts'
import type { CarbonProvider } from '../domain/external/carbon/provider.ts'
import type { EventStore } from '../domain/event/store.ts'
import type { Slots } from '../domain/event/slots.ts'
import type { EventWatch } from '../domain/event/watch.ts'
import type { CommandStore } from '../domain/control/command/store.ts'
import type { CommandService } from '../domain/control/command/service.ts'
import type { Addresses } from '../config/config.ts'
import type { Sandbox } from '../domain/control/simulation/sandbox.ts'
import type { GatewayService } from '../domain/estate/gateway/service.ts'
import type { Health } from '../kernel/health.ts'
import type { ImageService } from '../domain/estate/image/service.ts'
import type { ImportReadings } from '../domain/telemetry/ingest/reading-import.ts'
import type { InventoryService } from '../domain/estate/inventory/service.ts'
import type { SiteDirectory } from '../domain/estate/inventory/site-directory.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/cursor.ts'
import type { AccessLog } from '../kernel/access-log.ts'
import type { Log } from '../kernel/log.ts'
import type { Limits } from '../domain/identity/rate-limit/limits.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { V1Usage } from '../domain/v1-lifecycle/usage.ts'
import type { Lifecycle } from '../domain/v1-lifecycle/lifecycle.ts'
import type { PartnerDirectory } from '../domain/identity/partner/directory.ts'
import type { SecretUsage } from '../domain/identity/partner/secret-usage.ts'
import type { PartnerService } from '../domain/identity/partner/service.ts'
import type { PresenceStore } from '../domain/estate/presence.ts'
import type { ReadingStore } from '../domain/telemetry/reading/store.ts'
import type { RejectedStore } from '../domain/telemetry/ingest/rejected.ts'
import type { UsualSteps } from '../domain/telemetry/device-status/usual-steps.ts'
import type { LoadWarnings } from '../domain/telemetry/device-status/warnings.ts'
import type { SiteStore } from '../domain/estate/inventory/store.ts'
import type { KeyRing } from '../domain/identity/token/key-ring.ts'
import type { ConsoleSessions } from '../domain/identity/session/service.ts'
import type { TokenVerifier } from '../domain/identity/token/verify.ts'
import type { WebhookAdministration } from '../domain/webhook/administration.ts'
import type { WebhookService } from '../domain/webhook/service.ts'
import type { WeatherProvider } from '../domain/external/weather/provider.ts'
import type { ConsoleAssets } from './console/assets.ts'
import type { OperatorSummary } from './operator/health/summary.ts'
import type { ExportLimit } from './export/export-limit.ts'
import type { UnreadBytes } from './pipeline/connections/unread-bytes.ts'
import type { ComputeThread } from './v2/aggregate/compute-thread.ts'
import type { SeriesEncoder } from './v2/series-encoding/encode-series.ts'

/** Services used by the HTTP surfaces, which open nothing themselves. */
export interface Services {
  addresses: Addresses
  /** Where gateways connect, without credentials. */
  mqttUrl: string
  tenant: string
  supportContact: string
  isIssuer: boolean
  /** Whether the store holds the demo, whose credentials are in a file. */
  isDemo(): Promise<boolean>
  /** The file with the credentials of the demo; undefined if the server does not run it. */
  demoFile: string | undefined
  isRateLimited: boolean
  /** Whether the operator API may be used from an address. */
  isOperatorNetwork(address: string): boolean
  /** The client's address is taken from any X-Forwarded-For header, so a client can forge it. */
  trustsEveryProxy: boolean
  rateLimits: { perMinute: number; per5Minutes: number }
  clock: Clock
  log: Log
  accessLog: AccessLog
  limits: Limits
  metrics: Metrics
  health: Health
  cursors: Cursors
  directory: PartnerDirectory
  partners: PartnerService
  lastUse: SecretUsage
  sites: SiteStore
  siteDirectory: SiteDirectory
  inventory: InventoryService
  gateways: GatewayService
  readings: ReadingStore
  presences: PresenceStore
  /** Undefined if webhooks are switched off. */
  webhooks: WebhookService | undefined
  webhookAdministration: WebhookAdministration
  usualSteps: UsualSteps
  deviceWarnings: LoadWarnings
  rejected: RejectedStore
  importReadings: ImportReadings
  aggregate: SeriesService
  seriesEncoder: SeriesEncoder
  /** The reads from which series are computed. */
  seriesReads: SeriesReads
  computeThread: ComputeThread
  exports: ExportLimit
  weather: WeatherProvider
  carbon: CarbonProvider
  commands: CommandService
  searchCommands: CommandStore['search']
  events: EventStore
  eventWatch: EventWatch
  /** Requests that wait for a change. */
  waitingSlots: Slots
  streamSlots: Slots
  sandbox: Sandbox
  keys: KeyRing
  /** Whether the web console is served. */
  hasConsole: boolean
  /** Where the built files of the web console are. */
  consoleAssets: ConsoleAssets
  sessions: ConsoleSessions
  verifier: TokenVerifier
  audit: AuditStore
  v1Usage: V1Usage
  /** Lifecycle of version 1 endpoints. */
  lifecycle: Lifecycle
  images: ImageService
  unreadBytes: UnreadBytes
  /** The numbers of all sites, read at most once a minute. */
  summary: OperatorSummary
  /** Empty when the server is ready. */
  whyNotReady(): Promise<readonly string[]>
}
