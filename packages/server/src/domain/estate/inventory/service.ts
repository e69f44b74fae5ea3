import type { Actor, AuditEntry } from '../../identity/audit.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { getZone } from '../../../calendar/zone.ts'
import { checkInventory } from './check.ts'
import type { InventoryConflict } from './decide-inventory.ts'
import type { InventoryChanges, InventoryDocument } from './inventory.ts'
import { ALWAYS } from './placement.ts'
import type { ArchivedRecord, InventoryStore, PlannedRecord } from './store.ts'

export interface InventoryService {
  apply(document: InventoryDocument, actor: Actor): Promise<InventoryChanges>
  /** What `apply` would change. */
  plan(document: InventoryDocument, actor: Actor): Promise<InventoryPlan>
  /** The inventory as a document. Applying it changes nothing. */
  export(siteUuid: string): Promise<InventoryDocument>
}

export interface InventoryPlan {
  changes: InventoryChanges
  archived: readonly ArchivedRecord[]
  /** The first records that would change. */
  records: readonly PlannedRecord[]
}

export function createInventoryService({
  store,
  clock,
}: {
  store: InventoryStore
  clock: Clock
}): InventoryService {
  /** Checks the document; returns the audit entry of applying it. */
  const check = (document: InventoryDocument, actor: Actor): AuditEntry => {
    const now = clock.now()
    const errors = checkInventory(document, now)
    if (errors.length > 0) {
      throw new AppError('validation-error', 'The document is inconsistent.', {
        errors,
      })
    }
    const { siteUuid, siteName } = document.site
    return {
      at: now,
      actor,
      action: 'inventory.applied',
      target: siteUuid,
      detail: {
        siteName,
        buildings: document.buildings.length,
        spaces: document.spaces.length,
        devices: document.devices.length,
      },
    }
  }
  return {
    async apply(document, actor) {
      const result = await store.apply(document.site.siteUuid, document, check(document, actor))
      if (result.outcome === 'conflict') throw inventoryConflict(result)
      return result.changes
    },

    async plan(document, actor) {
      const result = await store.plan(document.site.siteUuid, document, check(document, actor))
      if (result.outcome === 'conflict') throw inventoryConflict(result)
      return { changes: result.changes, archived: result.archived, records: result.records }
    },

    async export(siteUuid) {
      const stored = await store.load(siteUuid)
      if (!stored) throw notFound('site')
      const listActive = <T>(items: readonly { record: T; isArchived: boolean }[]): T[] =>
        items.filter(({ isArchived }) => !isArchived).map(({ record }) => record)
      return {
        site: { ...stored.site, timeZone: getZone(stored.site.timeZone).name },
        buildings: listActive(stored.buildings),
        spaces: listActive(stored.spaces),
        devices: stored.devices
          .filter(({ isArchived }) => !isArchived)
          .map(({ record, placements }) => {
            const from = placements.at(-1)?.from ?? ALWAYS
            return { ...record, since: from === ALWAYS ? null : from }
          }),
      }
    },
  }
}

export const inventoryConflict = ({
  field,
  message,
}: Pick<InventoryConflict, 'field' | 'message'>): AppError =>
  new AppError('conflict', `${field} ${message}.`, { errors: [{ field, code: 'conflict', message }] })
