import { createSeriesIndex, type SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { VersionedCache } from '../../../kernel/cache.ts'
import type { Sql } from '../pool/connect.ts'
import { loadInventory } from '../inventory/inventory.ts'

const MAX_SITES = 200

/** Loads the series of a site from its current inventory. */
export type LoadSeriesIndex = (sql: Sql, siteUuid: string) => Promise<SeriesIndex | undefined>

/** An index is cached until the version of the inventory changes, which is queried on every call. */
export function createSeriesIndexLoader(): LoadSeriesIndex {
  const cache = new VersionedCache<string, SeriesIndex>(MAX_SITES)
  return async (sql, siteUuid) => {
    const [row] = await sql<{ version: number }[]>`
      SELECT inventory_version AS version FROM sites WHERE site_uuid = ${siteUuid}`
    if (!row) return undefined
    const cached = cache.get(siteUuid, row.version)
    if (cached) return cached
    const stored = await loadInventory(sql, siteUuid)
    if (!stored) return undefined
    const index = createSeriesIndex(stored)
    cache.set(siteUuid, index.version, index)
    return index
  }
}
