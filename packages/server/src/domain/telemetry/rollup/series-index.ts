import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { createSiteModel, resolveSpec, type SiteModel } from '../../estate/inventory/site-model.ts'
import type { StoredInventory } from '../../estate/inventory/store.ts'
import { getCellKind, type MeasuredMetric, METRIC_NAMES } from '../../metric/catalogue.ts'
import { type LocalDays, getLocalDays } from '../../../calendar/local-day.ts'
import type { GaugeCell, MeterCell } from '../reading/cell.ts'
import { type CellKind, GAUGE, METER } from './cell-kind.ts'

/** The series of a device's metric, and of the spaces it contributes to. */
export interface DeviceSeries {
  seriesId: number
  spec: MetricSpec
  metric: MeasuredMetric
  /** The series of every space in which the device was ever placed. */
  spaceSeries: readonly number[]
  /** Those with their own rollups: a space that never had more than one device has none. */
  pooledSeries: readonly number[]
}

export interface SpaceSeries {
  spaceUuid: string
  metric: MeasuredMetric
}

/** The relations between a site's series that a store needs to keep its rollups valid. */
export interface SeriesIndex {
  version: number
  model: SiteModel
  days: LocalDays
  devices: ReadonlyMap<number, DeviceSeries>
  spaces: ReadonlyMap<number, SpaceSeries>
}

export function createSeriesIndex(stored: StoredInventory): SeriesIndex {
  const model = createSiteModel(stored, METRIC_NAMES)
  const spaces = new Map<number, SpaceSeries>()
  for (const { record, series } of stored.spaces) {
    for (const [metric, seriesId] of Object.entries(series))
      spaces.set(seriesId, { spaceUuid: record.spaceUuid, metric: metric as MeasuredMetric })
  }
  const isPooled = (seriesId: number): boolean => {
    const space = spaces.get(seriesId)
    return space !== undefined && model.placedSeries(space.spaceUuid, space.metric).length > 1
  }
  const devices = new Map<number, DeviceSeries>()
  for (const { record, series, placements } of stored.devices) {
    for (const [name, seriesId] of Object.entries(series)) {
      const metric = name as MeasuredMetric
      const declared = record.metrics[metric]
      if (!declared) continue
      const spec = resolveSpec(metric, declared)
      const own = placements.flatMap(({ spaceUuid }) => model.spaceSeries(spaceUuid, metric) ?? [])
      const spaceSeries = [...new Set(own)]
      devices.set(seriesId, {
        seriesId,
        spec,
        metric,
        spaceSeries,
        pooledSeries: spaceSeries.filter(isPooled),
      })
    }
  }
  return { version: stored.version, model, days: getLocalDays(model.zone), devices, spaces }
}

/** Calls back with the kind of cells that a metric has. */
export const withCellKind = <R>(
  metric: MeasuredMetric,
  run: { meter(kind: CellKind<MeterCell>): R; gauge(kind: CellKind<GaugeCell>): R },
): R => (getCellKind(metric) === 'meter' ? run.meter(METER) : run.gauge(GAUGE))
