import { getZone } from '../../../calendar/zone.ts'
import { Conflict } from './decide-identifiers.ts'
import type { InventoryChanges, SiteRecord } from './inventory.ts'

/** A stored row of a site, building or space. */
export interface StoredRecord {
  record: string
  isArchived: boolean
}

export interface SiteDecision {
  outcome: keyof Pick<InventoryChanges, 'created' | 'updated' | 'unchanged'>
  record: string
}

/** Whether the document changes the time zone, which is not possible once there are readings in its local days. */
export const changesZone = ({ timeZone }: SiteRecord, storedZone: string | undefined): boolean =>
  storedZone !== undefined && getZone(storedZone).name !== timeZone

/** `hasReadings` is only needed if the document changes the time zone. */
export function decideSite(
  site: SiteRecord,
  legacyId: number | undefined,
  stored: { timeZone: string; record: string } | undefined,
  hasReadings: boolean,
): SiteDecision {
  const record = JSON.stringify({ ...site, legacyId })
  if (stored?.record === record) return { outcome: 'unchanged', record }
  if (changesZone(site, stored?.timeZone) && hasReadings)
    throw new Conflict('site.timeZone', 'cannot change once there are readings')
  return { outcome: stored ? 'updated' : 'created', record }
}

/** Everything that a store writes for the buildings or spaces of a document. */
export interface RecordDecision {
  /** New and changed records, by UUID; none of them is archived afterwards. */
  written: Map<string, string>
  /** UUIDs that are no longer in the document. */
  archived: string[]
  changes: InventoryChanges
}

export function decideRecords<T extends { legacyId: number | null }>(
  records: readonly T[],
  toUuid: (record: T) => string,
  numbers: ReadonlyMap<string, number>,
  stored: ReadonlyMap<string, StoredRecord>,
): RecordDecision {
  const changes: InventoryChanges = { created: 0, updated: 0, archived: 0, unchanged: 0 }
  const written = new Map<string, string>()
  const rest = new Map(stored)
  for (const given of records) {
    const uuid = toUuid(given)
    const before = stored.get(uuid)
    rest.delete(uuid)
    const record = JSON.stringify({ ...given, legacyId: numbers.get(uuid) })
    if (before?.record === record && !before.isArchived) {
      changes.unchanged += 1
      continue
    }
    written.set(uuid, record)
    changes[before ? 'updated' : 'created'] += 1
  }
  const archived = [...rest].filter(([, { isArchived }]) => !isArchived).map(([uuid]) => uuid)
  changes.archived = archived.length
  return { written, archived, changes }
}

export const addChanges = (a: InventoryChanges, b: InventoryChanges): InventoryChanges => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  archived: a.archived + b.archived,
  unchanged: a.unchanged + b.unchanged,
})
