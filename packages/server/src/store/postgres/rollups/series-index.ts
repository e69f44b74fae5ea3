import { createSeriesIndex, type SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { VersionedCache } from '../../../kernel/cache.ts'
import type { Sql } from '../pool/connect.ts'
import { loadInventory } from '../inventory/inventory.ts'

const MAX_SITES = 200

/** Loads the series of a site from its current inventory. */
export type SeriesIndexes = (sql: Sql, siteUuid: string) => Promise<SeriesIndex | undefined>

/** Caches by the version of the inventory, which is queried on every call. */
export function createSeriesIndexes(): SeriesIndexes {
  const known = new VersionedCache<string, SeriesIndex>(MAX_SITES)
  return async (sql, siteUuid) => {
    const [row] = await sql<{ version: number }[]>`
      SELECT inventory_version AS version FROM sites WHERE site_uuid = ${siteUuid}`
    if (!row) return undefined
    const index = known.get(siteUuid, row.version)
    if (index) return index
    const stored = await loadInventory(sql, siteUuid)
    if (!stored) return undefined
    const made = createSeriesIndex(stored)
    known.set(siteUuid, made.version, made)
    return made
  }
}
