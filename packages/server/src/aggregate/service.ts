import type { Device, PlacedSeries, SiteModel } from '../inventory/site-model.ts'
import type { SpaceRecord } from '../inventory/inventory.ts'
import { ALWAYS } from '../inventory/placement.ts'
import type { Clock } from '../lib/clock.ts'
import { isMeasured, METRICS, type MeasuredMetric, type MetricName } from '../metric/catalogue.ts'
import type { Interval } from '../metric/window.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { Span } from '../reading/window-value.ts'
import { type CarbonIntensity, carbonSeries } from './carbon.ts'
import { climateSeries, createGauge, type Gauge } from './climate.ts'
import { performanceSeries } from './performance-series.ts'
import type { Series } from './point.ts'
import { createMeter, emptySeries, type Meter, utilitySeries } from './utility.ts'

/** Figures of spaces and devices over windows, computed from the readings that are there. */
export interface AggregateService {
  /** Several spaces (a cluster) are summed or pooled. */
  spaces(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    edges: number[],
  ): Promise<Series>
  performance(
    model: SiteModel,
    space: SpaceRecord,
    interval: Interval,
    edges: number[],
    memo?: Map<string, Promise<(number | null)[]>>,
  ): Promise<Series>
  device(model: SiteModel, device: Device, metric: MetricName, edges: number[]): Promise<Series>
  meters(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    span: Span,
  ): Promise<Meter[]>
}

export function createAggregateService(deps: {
  readings: ReadingStore
  clock: Clock
  carbonIntensity(model: SiteModel): CarbonIntensity
}): AggregateService {
  const { readings, clock } = deps

  const metersOf = (model: SiteModel, placed: readonly PlacedSeries[], span: Span): Promise<Meter[]> =>
    Promise.all(
      placed
        .filter(({ placement }) => touches(placement, span))
        .map(async (item) =>
          createMeter(item, await readings.around(model.site.siteUuid, item.seriesId, span)),
        ),
    )

  const gaugesOf = (model: SiteModel, placed: readonly PlacedSeries[], span: Span): Promise<Gauge[]> =>
    Promise.all(
      placed
        .filter(({ placement }) => touches(placement, span))
        .map(async (item) =>
          createGauge(item, await readings.within(model.site.siteUuid, item.seriesId, span)),
        ),
    )

  /** `placedIn` finds the series of a metric: those of some spaces, or of one device. */
  const seriesOf = async (
    model: SiteModel,
    metric: MetricName,
    edges: number[],
    placedIn: (metric: MeasuredMetric) => PlacedSeries[],
  ): Promise<Series> => {
    const span = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
    if (metric === 'carbon') {
      return carbonSeries(
        await metersOf(model, placedIn('electricity'), span),
        edges,
        deps.carbonIntensity(model),
        clock.now(),
      )
    }
    if (!isMeasured(metric)) return emptySeries(edges, METRICS[metric].aggregation)
    const placed = placedIn(metric)
    if (METRICS[metric].group === 'utility')
      return utilitySeries(await metersOf(model, placed, span), edges, clock.now())
    return climateSeries(
      await gaugesOf(model, placed, span),
      edges,
      metric === 'occupancy' ? 'added' : 'pooled',
      clock.now(),
    )
  }

  const service: AggregateService = {
    spaces: (model, spaces, metric, edges) =>
      seriesOf(model, metric, edges, (measured) =>
        model.placedSeries(
          spaces.map(({ spaceUuid }) => spaceUuid),
          measured,
        ),
      ),

    performance: (model, space, interval, edges, memo = new Map()) =>
      performanceSeries({ model, space, interval, edges, memo, now: clock.now(), meters: service.meters }),

    device: (model, device, metric, edges) =>
      seriesOf(model, metric, edges, (measured) => placedOf(device, measured, metric === 'carbon')),

    meters: (model, spaces, metric, span) =>
      metersOf(
        model,
        model.placedSeries(
          spaces.map(({ spaceUuid }) => spaceUuid),
          metric,
        ),
        span,
      ),
  }
  return service
}

const touches = (placement: PlacedSeries['placement'], { from, to }: Span): boolean =>
  placement.from < to && (placement.to ?? Number.POSITIVE_INFINITY) > from

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
