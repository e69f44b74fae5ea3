import type { SpaceRecord } from '../../inventory/inventory.ts'
import { ALWAYS } from '../../inventory/placement.ts'
import type { Device, PlacedSeries, SiteModel } from '../../inventory/site-model.ts'
import type { MeasuredMetric, MetricName } from '../../metric/catalogue.ts'
import type { Span } from '../../reading/window-value.ts'
import { type Contributor, deviceContributor, spaceContributors } from './contribution.ts'

/** How the contributors of a metric are found: those of some spaces, or one device. */
export type Find = (metric: MeasuredMetric, span: Span, canPool: boolean) => Contributor[]

export const findInSpaces =
  (model: SiteModel, spaces: readonly SpaceRecord[]): Find =>
  (metric, span, canPool) =>
    spaceContributors(model, spaces, metric, span, canPool)

export const findOfDevice =
  (device: Device, asked: MetricName): Find =>
  (metric) =>
    placedOf(device, metric, asked === 'carbon').map(deviceContributor)

/** A device is asked for itself, wherever it was. Carbon is no metric that a device measures. */
function placedOf(
  { record, space, series }: Device,
  metric: MeasuredMetric,
  isDerived: boolean,
): PlacedSeries[] {
  const spec = record.metrics[metric]
  const seriesId = series[metric]
  if (isDerived || !spec || seriesId === undefined) return []
  const placement = { spaceUuid: space.spaceUuid, from: ALWAYS, to: null }
  return [{ seriesId, deviceUuid: record.deviceUuid, spec, placement }]
}
