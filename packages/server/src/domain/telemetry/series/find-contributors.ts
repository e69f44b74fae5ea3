import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import { ALWAYS } from '../../estate/inventory/placement.ts'
import {
  type Device,
  type PlacedSeries,
  resolveSpec,
  type SiteModel,
} from '../../estate/inventory/site-model.ts'
import { isMeasured, type MeasuredMetric, type MetricName } from '../../metric/catalogue.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { type Contributor, deviceContributor, spaceContributors } from './contribution.ts'

/** Finds the contributors of a metric, for some spaces or for one device. */
export type ContributorLookup = (metric: MeasuredMetric, span: TimeSpan, canPool: boolean) => Contributor[]

export const spaceContributorLookup =
  (model: SiteModel, spaces: readonly SpaceRecord[]): ContributorLookup =>
  (metric, span, canPool) =>
    spaceContributors(model, spaces, metric, span, canPool)

export const deviceContributorLookup =
  (device: Device, requested: MetricName): ContributorLookup =>
  (metric) =>
    findPlacedSeries(device, metric, !isMeasured(requested)).map(deviceContributor)

/** The series of a device, regardless of its placements. Empty for derived metrics, which no device measures. */
function findPlacedSeries(
  { record, space, series }: Device,
  metric: MeasuredMetric,
  isDerived: boolean,
): PlacedSeries[] {
  const spec = record.metrics[metric]
  const seriesId = series[metric]
  if (isDerived || !spec || seriesId === undefined) return []
  const placement = { spaceUuid: space.spaceUuid, from: ALWAYS, to: null }
  return [{ seriesId, deviceUuid: record.deviceUuid, spec: resolveSpec(metric, spec), placement }]
}
