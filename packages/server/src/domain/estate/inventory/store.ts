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
  /** Another site has the identifier, or the zone cannot change any more. */
  | InventoryConflict

/** The number of each metric's series. */
export type SeriesIds = Partial<Record<MeasuredMetric, number>>

export interface StoredDevice {
  record: DeviceRecord
  isArchived: boolean
  placements: readonly Placement[]
  /** Of each metric it was ever declared to measure. */
  series: SeriesIds
}

/** A site as the store has it, archived things included: their past still counts. */
export interface StoredInventory {
  version: number
  site: SiteRecord
  buildings: { record: BuildingRecord; isArchived: boolean }[]
  /** A space has a series for each metric that a device ever measured in it. */
  spaces: { record: SpaceRecord; isArchived: boolean; series: SeriesIds }[]
  devices: StoredDevice[]
}

export interface InventoryStore {
  /** Makes the site be as the document says, and archives what it no longer names, in one transaction. */
  apply(siteUuid: string, document: InventoryDocument, entry: AuditEntry): Promise<ApplyOutcome>
  /** Rises with every change; undefined for an unknown site. */
  version(siteUuid: string): MaybePromise<number | undefined>
  load(siteUuid: string): Promise<StoredInventory | undefined>
  /** The site of a device that is not archived: the one question that is asked before the site is known. */
  findSiteOfDevice(deviceUuid: string): Promise<string | undefined>
}

export interface SiteStore {
  /** The sites among `siteUuids` that exist, by name. */
  list(siteUuids: readonly string[]): Promise<Site[]>
}
