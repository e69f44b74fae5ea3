import type { DatabaseSync } from 'node:sqlite'
import { type CellKind, GAUGE, METER } from '../../aggregate/cell-kind.ts'
import type { MetricSpec } from '../../inventory/inventory.ts'
import { createSiteModel, type SiteModel } from '../../inventory/site-model.ts'
import type { StoredInventory } from '../../inventory/store.ts'
import type { GaugeCell, MeterCell } from '../../reading/cell.ts'
import { type MeasuredMetric, METRIC_NAMES, METRICS, isMetricName } from '../../metric/catalogue.ts'
import { type LocalDays, localDaysOf } from '../../metric/local-day.ts'
import { prepared } from './connect.ts'
import { loadInventory } from './inventory.ts'
import { integer, text } from './row.ts'

/** A device's metric, and the spaces whose figures it is part of. */
export interface DeviceSeries {
  seriesId: number
  spec: MetricSpec
  metric: MeasuredMetric
  /** The series of every space that the device was ever in. */
  spaceSeries: readonly number[]
}

export interface SpaceSeries {
  spaceUuid: string
  metric: MeasuredMetric
}

/** What the writer has to know of a site's series to keep its rollups true. */
export interface SeriesIndex {
  version: number
  model: SiteModel
  days: LocalDays
  devices: ReadonlyMap<number, DeviceSeries>
  spaces: ReadonlyMap<number, SpaceSeries>
}

const indexes = new WeakMap<DatabaseSync, Map<string, SeriesIndex>>()

export function seriesIndexOf(db: DatabaseSync, siteUuid: string): SeriesIndex | undefined {
  const row = prepared(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
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

/** After a rollback the version may be taken again by another inventory. */
export const forgetSeriesIndexes = (db: DatabaseSync): void => void indexes.delete(db)

export function siteOfSeries(db: DatabaseSync, seriesId: number): string | undefined {
  const row = prepared(db, 'SELECT site_uuid FROM series WHERE series_id = ?').get(seriesId)
  return row && text(row, 'site_uuid')
}

export const isMeterMetric = (metric: MeasuredMetric): boolean =>
  isMetricName(metric) && METRICS[metric].group === 'utility'

/** Calls back with the kind of cells that a metric has. */
export const withKind = <R>(
  metric: MeasuredMetric,
  run: { meter(kind: CellKind<MeterCell>): R; gauge(kind: CellKind<GaugeCell>): R },
): R => (isMeterMetric(metric) ? run.meter(METER) : run.gauge(GAUGE))

function createSeriesIndex(stored: StoredInventory): SeriesIndex {
  const model = createSiteModel(stored, METRIC_NAMES)
  const spaces = new Map<number, SpaceSeries>()
  for (const { record, series } of stored.spaces) {
    for (const [metric, seriesId] of Object.entries(series))
      spaces.set(seriesId, { spaceUuid: record.spaceUuid, metric: metric as MeasuredMetric })
  }
  const devices = new Map<number, DeviceSeries>()
  for (const { record, series, placements } of stored.devices) {
    for (const [name, seriesId] of Object.entries(series)) {
      const metric = name as MeasuredMetric
      const spec = record.metrics[metric]
      if (!spec) continue
      const own = placements.flatMap(({ spaceUuid }) => model.spaceSeries(spaceUuid, metric) ?? [])
      devices.set(seriesId, { seriesId, spec, metric, spaceSeries: [...new Set(own)] })
    }
  }
  return { version: stored.version, model, days: localDaysOf(model.zone), devices, spaces }
}
