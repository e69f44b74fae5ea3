import type { RollupStore } from '../domain/telemetry/rollup/store.ts'
import type { AuditStore } from '../domain/identity/audit.ts'
import type { CommandStore, OutboxStore, ServerScheduleStore } from '../domain/control/command/store.ts'
import type { GatewayStore } from '../domain/estate/gateway/store.ts'
import type { ImageStore } from '../domain/estate/image/store.ts'
import type { InventoryStore, SiteStore } from '../domain/estate/inventory/store.ts'
import type { V1UsageStore } from '../domain/v1-lifecycle/usage-store.ts'
import type { LifecycleStore } from '../domain/v1-lifecycle/store.ts'
import type { PartnerStore } from '../domain/identity/partner/store.ts'
import type { PresenceStore } from '../domain/estate/presence.ts'
import type { ReadingStore } from '../domain/telemetry/reading/store.ts'
import type { RejectedStore } from '../domain/telemetry/ingest/rejected.ts'
import type { SimulationStore } from '../domain/control/simulation/store.ts'
import type { LeaseStore } from '../domain/coordination/store.ts'
import type { SharedCounters } from '../domain/identity/rate-limit/shared-counters.ts'
import type { SigningKeyStore } from '../domain/identity/token/store.ts'
import type { MaintenanceFailure, MaintenanceListener } from './maintenance.ts'
import type { TransferStore } from './transfer.ts'

export interface Migration {
  number: number
  name: string
  sql: string
}

/** What several servers on one store have in common. */
export interface SharedState {
  readonly leases: LeaseStore
  readonly simulations: SimulationStore
  /** Closed by whoever asked for them. */
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

/** One installation's data: the ports, and what an operator does with the whole. */
export interface Store {
  readonly partners: PartnerStore
  readonly sites: SiteStore
  readonly inventory: InventoryStore
  readonly gateways: GatewayStore
  readonly readings: ReadingStore
  readonly rollups: RollupStore
  readonly commands: CommandStore
  readonly outbox: OutboxStore
  readonly players: ServerScheduleStore
  readonly presences: PresenceStore
  readonly rejected: RejectedStore
  readonly keys: SigningKeyStore
  readonly audit: AuditStore
  readonly v1Usage: V1UsageStore
  readonly lifecycle: LifecycleStore
  readonly images: ImageStore
  readonly transfer: TransferStore
  /** Undefined where a store has one server. */
  readonly shared: SharedState | undefined

  /** Random bytes made with the installation, for signing page cursors. */
  cursorKey(): Promise<Uint8Array>

  /** Whether this store is a demo's. */
  isDemo(): Promise<boolean>
  /** Makes an empty store a demo's; answers whether it is one now. A store in use stays as it is. */
  markAsDemo(): Promise<boolean>

  /** Brings the schema up to date; answers what it did. Doing it twice changes nothing. */
  migrate(): Promise<Migration[]>
  pendingMigrations(): Promise<Migration[]>

  /** Packs and rolls up everything that can be, now instead of when there is time; throws the first failure afterwards. */
  runMaintenance(): Promise<void>

  /** Loads what every read depends on into memory, so that no request has to wait for it. */
  warmUp(): Promise<void>

  /** Ends the startup phase: from now on, a write that has to wait for another process fails within seconds. */
  startServing(): Promise<void>

  /** What waits to be packed and rolled up. */
  backlog(): Promise<{ journalReadings: number; queuedRollups: number }>

  /** Registers a listener that is called once for each damaged row that reads and writes find. */
  onDamage(listener: (row: DamagedRow) => void): void

  /** Registers a listener for failures of background maintenance in this process, and for their end. */
  onMaintenance(listener: MaintenanceListener): void
  /** Failures of background maintenance in any process that were not resolved by a retry yet; the newest first. */
  maintenanceFailures(): Promise<MaintenanceFailure[]>

  /** Throws `unavailable` when the store cannot be read. */
  ping(): Promise<void>
  /** What is wrong with the stored data itself; empty when nothing is. */
  checkIntegrity(): Promise<string[]>
  /**
   * Reads the whole store and verifies checksums, references, and rollups against their readings. Rows that can be rebuilt are queued for
   * it. Returns the problems found.
   */
  verify(progress: VerifyProgress): Promise<string[]>
  /** Gives up damaged readings: from now on, results are computed from the remaining ones. Returns the number of time spans affected. */
  acceptLoss(): Promise<number>
  /** Whether the database verifies checksums of its pages; undefined if it has no such feature. */
  hasPageChecksums(): Promise<boolean | undefined>
  /** A consistent copy into one new file, while others go on reading and writing. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}

/** What a server has in common with others on its store; undefined where there are none: without an outside broker it is alone. */
export const getSharedState = (
  { shared }: Pick<Store, 'shared'>,
  { mqttUrl }: { mqttUrl: string | undefined },
): SharedState | undefined => (mqttUrl === undefined ? undefined : shared)
