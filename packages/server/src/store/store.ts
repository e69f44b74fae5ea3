import type { Snapshots } from '../domain/telemetry/export/store.ts'
import type { RollupStore } from '../domain/telemetry/rollup/store.ts'
import type { AuditStore } from '../domain/identity/audit.ts'
import type { CommandStore, OutboxStore, ServerScheduleStore } from '../domain/control/command/store.ts'
import type { DeviceStatusStore } from '../domain/telemetry/device-status/store.ts'
import type { ClosedDayStore } from '../domain/telemetry/closed-days/store.ts'
import type { EventStore } from '../domain/event/store.ts'
import type { GatewayStore } from '../domain/estate/gateway/store.ts'
import type { ImageStore } from '../domain/estate/image/store.ts'
import type { InventoryStore, SiteStore } from '../domain/estate/inventory/store.ts'
import type { V1UsageStore } from '../domain/v1-lifecycle/usage-store.ts'
import type { LifecycleStore } from '../domain/v1-lifecycle/store.ts'
import type { PartnerStore } from '../domain/identity/partner/store.ts'
import type { PresenceStore } from '../domain/estate/presence.ts'
import type { ReadingStore } from '../domain/telemetry/reading/store.ts'
import type { ImportCountStore } from '../domain/telemetry/ingest/import-counts.ts'
import type { RejectedStore } from '../domain/telemetry/ingest/rejected.ts'
import type { SimulationStore } from '../domain/control/simulation/store.ts'
import type { LeaseStore } from '../domain/coordination/store.ts'
import type { WebhookStore } from '../domain/webhook/store.ts'
import type { SharedCounters } from '../domain/identity/rate-limit/shared-counters.ts'
import type { SessionStore } from '../domain/identity/session/store.ts'
import type { SigningKeyStore } from '../domain/identity/token/store.ts'
import type { MaintenanceFailure, MaintenanceListener } from './maintenance.ts'
import type { StoreStatistics } from './statistics.ts'
import type { TransferStore } from './transfer.ts'

export interface Migration {
  number: number
  name: string
  sql: string
}

/** State that several instances on one store share. */
export interface SharedState {
  readonly leases: LeaseStore
  readonly simulations: SimulationStore
  /** The caller closes the counters. */
  openCounters(): SharedCounters
}

/** Called with the part being verified and the fraction that is done, 0..1. */
export type VerifyProgress = (what: string, share: number) => void

/** A stored row whose content is damaged or missing. */
export interface DamagedRow {
  table: string
  seriesId?: number
  /** The number in its key: a day, a month or a journal sequence. */
  number?: number
  reason: string
}

/** Addresses that a server derives from its settings, for commands that run beside it. */
export interface ServerAddresses {
  publicUrl: string
  tenant: string
  /** Where gateways connect, without credentials. Servers of older releases have not recorded it. */
  mqttUrl?: string
}

/** The data of one installation: the ports of the domain, and operations on the whole store. */
export interface Store {
  readonly partners: PartnerStore
  readonly sites: SiteStore
  readonly inventory: InventoryStore
  readonly gateways: GatewayStore
  readonly readings: ReadingStore
  readonly rollups: RollupStore
  readonly commands: CommandStore
  readonly outbox: OutboxStore
  readonly serverSchedules: ServerScheduleStore
  readonly presences: PresenceStore
  /** The event log of each site. */
  readonly events: EventStore
  readonly deviceStatuses: DeviceStatusStore
  readonly closedDays: ClosedDayStore
  /** Webhooks, their positions in the logs, and their deliveries. */
  readonly webhooks: WebhookStore
  readonly rejected: RejectedStore
  readonly importCounts: ImportCountStore
  readonly keys: SigningKeyStore
  /** Console sessions and one-time codes. */
  readonly sessions: SessionStore
  readonly audit: AuditStore
  readonly v1Usage: V1UsageStore
  readonly lifecycle: LifecycleStore
  readonly images: ImageStore
  readonly transfer: TransferStore
  /** For one export. The caller disposes of it. */
  openSnapshots(): Snapshots
  /** Undefined for a store that supports one server only. */
  readonly shared: SharedState | undefined

  /**
   * Random bytes, created with the installation. They sign page cursors, and the secrets of webhooks, the MQTT client ids
   * and the identity of a copied store are derived from them.
   */
  installationKey(): Promise<Uint8Array>

  /** Whether this store holds a demo. */
  isDemo(): Promise<boolean>
  /** Marks an empty store as a demo; returns whether it is one now. A store that is in use is not changed. */
  markAsDemo(): Promise<boolean>

  /** Addresses of the server that started last on this store; undefined if none did. */
  serverAddresses(): Promise<ServerAddresses | undefined>
  recordServer(addresses: ServerAddresses): Promise<void>

  /** Runs the pending migrations and returns them. Idempotent. */
  migrate(): Promise<Migration[]>
  pendingMigrations(): Promise<Migration[]>

  /** Runs all maintenance that is possible now, in the foreground; throws the first failure at the end. */
  runMaintenance(): Promise<void>

  /** Loads the data that every read depends on into memory, so that no request has to wait for it. */
  warmUp(): Promise<void>

  /** Ends the startup phase: from now on, a write that has to wait for another process fails within seconds. */
  startServing(): Promise<void>

  /** `finishedSince`: the instant from which finished commands are counted. */
  statistics(times: { now: number; finishedSince: number }): Promise<StoreStatistics>

  /** Registers a listener that is called once for each damaged row that reads and writes find. */
  onDamage(listener: (row: DamagedRow) => void): void

  /** Registers a listener for failures of background maintenance in this process, and for their end. */
  onMaintenance(listener: MaintenanceListener): void
  /** Failures of background maintenance in any process that no retry has resolved yet, newest first. */
  maintenanceFailures(): Promise<MaintenanceFailure[]>

  /** Throws `unavailable` when the store cannot be read. */
  ping(): Promise<void>
  /** Returns problems that the database itself finds in the stored data. */
  checkIntegrity(): Promise<string[]>
  /**
   * Reads the whole store and verifies checksums, references, and rollups against their readings. Rows that can be
   * rebuilt are queued for it. Returns the problems found.
   */
  verify(progress: VerifyProgress): Promise<string[]>
  /**
   * Gives up damaged readings: from now on, results are computed from the remaining ones. Returns the number of time
   * spans affected.
   */
  acceptLoss(): Promise<number>
  /** Whether the database verifies checksums of its pages; undefined if it has no such feature. */
  hasPageChecksums(): Promise<boolean | undefined>
  /** Writes a consistent copy to a new file, without blocking readers or writers. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}

/**
 * The state shared with other instances; undefined without an external broker, because there is one instance only then.
 */
export const getSharedState = (
  { shared }: Pick<Store, 'shared'>,
  { mqttUrl }: { mqttUrl: string | undefined },
): SharedState | undefined => (mqttUrl === undefined ? undefined : shared)
