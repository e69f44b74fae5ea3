import type { DatabaseSync } from 'node:sqlite'
import type { InventoryStore } from '../../../domain/estate/inventory/store.ts'
import { prepareOnce, cachedPerDataVersion } from '../connect.ts'
import { readingInSlices, translateErrors } from '../failure.ts'
import { loadSteps } from './load-inventory.ts'
import { integer, text } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteInventory = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'inventory'>,
): InventoryStore =>
  withWrites<InventoryStore, 'inventory'>(writes, {
    version: (siteUuid) => translateErrors(() => getInventoryVersion(reader(), siteUuid)),
    findSiteOfDevice: async (deviceUuid) =>
      translateErrors(() => {
        const row = prepareOnce(
          reader(),
          'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
        ).get(deviceUuid)
        return row && text(row, 'site_uuid')
      }),
    load: (siteUuid) => readingInSlices(() => loadSteps(reader(), siteUuid)),
  })

const getInventoryVersion = cachedPerDataVersion((db: DatabaseSync, siteUuid: string): number | undefined => {
  const row = prepareOnce(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
  return row && integer(row, 'inventory_version')
})
