import type { DatabaseSync } from 'node:sqlite'
import type { InventoryStore } from '../../inventory/store.ts'
import { prepared, untilCommit } from './connect.ts'
import { readingInSlices, translateErrors } from './failure.ts'
import { loadSteps } from './load-inventory.ts'
import { integer, text } from './row.ts'
import { type BoundWrites, withWrites } from './writer.ts'

export const sqliteInventory = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'inventory'>,
): InventoryStore =>
  withWrites<InventoryStore, 'inventory'>(writes, {
    version: (siteUuid) => translateErrors(() => versionOf(reader(), siteUuid)),
    siteOfDevice: async (deviceUuid) =>
      translateErrors(() => {
        const row = prepared(
          reader(),
          'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
        ).get(deviceUuid)
        return row && text(row, 'site_uuid')
      }),
    load: (siteUuid) => readingInSlices(() => loadSteps(reader(), siteUuid)),
  })

const versionOf = untilCommit((db: DatabaseSync, siteUuid: string): number | undefined => {
  const row = prepared(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
  return row && integer(row, 'inventory_version')
})
