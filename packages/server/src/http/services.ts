import type { SeriesService } from '../telemetry/series/service.ts'
import type { AuditStore } from '../audit/store.ts'
import type { CarbonProvider } from '../carbon/provider.ts'
import type { CommandService } from '../command/service.ts'
import type { Addresses } from '../config/config.ts'
import type { Sandbox } from '../device/sandbox.ts'
import type { GatewayService } from '../gateway/service.ts'
import type { Health } from '../health.ts'
import type { ImageService } from '../image/service.ts'
import type { ReadingImport } from '../ingest/intake.ts'
import type { InventoryService } from '../inventory/service.ts'
import type { SiteDirectory } from '../inventory/site-directory.ts'
import type { Clock } from '../lib/clock.ts'
import type { Cursors } from '../lib/cursor.ts'
import type { AccessLog } from '../lib/access-log.ts'
import type { Log } from '../lib/log.ts'
import type { Limits } from '../limit/limits.ts'
import type { Metrics } from '../metrics.ts'
import type { V1Usage } from '../migration/usage.ts'
import type { Lifecycle } from '../migration/lifecycle.ts'
import type { PartnerDirectory } from '../partner/directory.ts'
import type { SecretUsage } from '../partner/last-use.ts'
import type { PartnerService } from '../partner/service.ts'
import type { PresenceStore } from '../presence/store.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { RejectedStore } from '../rejected/store.ts'
import type { SiteStore } from '../site/store.ts'
import type { KeyRing } from '../token/key-ring.ts'
import type { TokenVerifier } from '../token/verify.ts'
import type { WeatherProvider } from '../weather/provider.ts'
import type { UnreadBytes } from './unread-bytes.ts'
import type { SeriesEncoder } from './v2/series-encoding/encode-series.ts'

/** What the HTTP surfaces are given. They open nothing themselves. */
export interface Services {
  addresses: Addresses
  tenant: string
  supportContact: string
  isIssuer: boolean
  isRateLimited: boolean
  /** The caller's address is taken from any X-Forwarded-For header, so a client can forge it. */
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
  rejected: RejectedStore
  /** For one delivery of readings. */
  createReadingImport(): ReadingImport
  aggregate: SeriesService
  seriesEncoder: SeriesEncoder
  weather: WeatherProvider
  carbon: CarbonProvider
  commands: CommandService
  sandbox: Sandbox
  keys: KeyRing
  verifier: TokenVerifier
  audit: AuditStore
  v1Usage: V1Usage
  /** Of the endpoints of version 1. */
  lifecycle: Lifecycle
  images: ImageService
  unreadBytes: UnreadBytes
  /** Empty when requests are answered. */
  whyNotReady(): Promise<readonly string[]>
}
