import type { DatabaseSync } from 'node:sqlite'
import { createSeriesIndex, type SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { prepareOnce } from '../connect.ts'
import { loadInventory } from '../inventory/load-inventory.ts'
import { integer, text } from '../row.ts'

const indexes = new WeakMap<DatabaseSync, Map<string, SeriesIndex>>()

export function getSeriesIndex(db: DatabaseSync, siteUuid: string): SeriesIndex | undefined {
  const row = prepareOnce(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
  if (!row) return undefined
  const known = indexes.get(db) ?? new Map<string, SeriesIndex>()
  indexes.set(db, known)
  const index = known.get(siteUuid)
  if (index?.version === integer(row, 'inventory_version')) return index
  const stored = loadInventory(db, siteUuid)
  if (!stored) return undefined
  const made = createSeriesIndex(stored)
  known.set(siteUuid, made)
  return made
}

/** After a rollback, another inventory may get the same version. */
export const forgetSeriesIndexes = (db: DatabaseSync): void => void indexes.delete(db)

export function siteOfSeries(db: DatabaseSync, seriesId: number): string | undefined {
  const row = prepareOnce(db, 'SELECT site_uuid FROM series WHERE series_id = ?').get(seriesId)
  return row && text(row, 'site_uuid')
}
