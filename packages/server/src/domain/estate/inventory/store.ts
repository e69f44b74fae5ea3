import type { AuditEntry } from '../../identity/audit.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { InventoryConflict } from './decide-inventory.ts'
import type {
  BuildingRecord,
  DeviceRecord,
  InventoryChanges,
  InventoryDocument,
  Site,
  SiteRecord,
  SpaceRecord,
} from './inventory.ts'
import type { Placement } from './placement.ts'

export type ApplyOutcome =
  | { outcome: 'applied'; changes: InventoryChanges }
  /** Another record has an identifier or number, or a value cannot change because there are readings. */
  | InventoryConflict

/** A record that a document no longer contains. */
export interface ArchivedRecord {
  kind: 'building' | 'space' | 'device'
  uuid: string
  name: string
}

/** A record that a document adds, changes or no longer contains. */
export interface PlannedRecord {
  kind: 'site' | ArchivedRecord['kind']
  uuid: string
  name: string
  what: 'created' | 'updated' | 'archived'
}

export type PlanOutcome =
  | {
      outcome: 'planned'
      changes: InventoryChanges
      archived: ArchivedRecord[]
      /** The first records that would change; those to archive come first. */
      records: PlannedRecord[]
    }
  | InventoryConflict

/** The series id of each metric. */
export type SeriesIds = Partial<Record<MeasuredMetric, number>>

export interface StoredDevice {
  record: DeviceRecord
  isArchived: boolean
  placements: readonly Placement[]
  /** Of each metric that the device was ever declared to measure. */
  series: SeriesIds
}

/** A stored site, including archived records, whose history still counts. */
export interface StoredInventory {
  version: number
  site: SiteRecord
  buildings: { record: BuildingRecord; isArchived: boolean }[]
  /** A space has a series for each metric that a device ever measured in it. */
  spaces: { record: SpaceRecord; isArchived: boolean; series: SeriesIds }[]
  devices: StoredDevice[]
}

export interface InventoryStore {
  /** Applies the document and archives records that are no longer in it, in one transaction. */
  apply(siteUuid: string, document: InventoryDocument, entry: AuditEntry): Promise<ApplyOutcome>
  /** What `apply` would change; writes nothing. */
  plan(siteUuid: string, document: InventoryDocument, entry: AuditEntry): Promise<PlanOutcome>
  /** Incremented by every change; undefined for an unknown site. */
  version(siteUuid: string): MaybePromise<number | undefined>
  load(siteUuid: string): Promise<StoredInventory | undefined>
  /** The site of a device that is not archived, for callers that do not know the site yet. */
  findSiteOfDevice(deviceUuid: string): Promise<string | undefined>
}

export interface SiteStore {
  /** The sites among `siteUuids` that exist, ordered by name. */
  list(siteUuids: readonly string[]): Promise<Site[]>
  /**
   * All sites, ordered by name; `after` is the last site of the previous page. With `search`, only sites with this text in
   * their name, in any case, or with this UUID.
   */
  listAll(page: {
    after: Pick<Site, 'siteName' | 'siteUuid'> | undefined
    limit: number
    search?: string | undefined
  }): Promise<Site[]>
}
