import type { Actor } from '../../identity/audit.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { getZone } from '../../../calendar/zone.ts'
import { checkInventory } from './check.ts'
import type { InventoryChanges, InventoryDocument } from './inventory.ts'
import { ALWAYS } from './placement.ts'
import type { InventoryStore } from './store.ts'

export interface InventoryService {
  apply(document: InventoryDocument, actor: Actor): Promise<InventoryChanges>
  /** The inventory as a document. Applying it changes nothing. */
  export(siteUuid: string): Promise<InventoryDocument>
}

export function createInventoryService({
  store,
  clock,
}: {
  store: InventoryStore
  clock: Clock
}): InventoryService {
  return {
    async apply(document, actor) {
      const now = clock.now()
      const errors = checkInventory(document, now)
      if (errors.length > 0) {
        throw new AppError('validation-error', 'The document is inconsistent; see `errors`.', {
          errors,
        })
      }
      const { siteUuid, siteName } = document.site
      const result = await store.apply(siteUuid, document, {
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
      })
      if (result.outcome === 'conflict') {
        const { field, message } = result
        throw new AppError('conflict', `${field} ${message}.`, {
          errors: [{ field, code: 'conflict', message }],
        })
      }
      return result.changes
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
