import type { CarbonIntensity } from '../carbon/provider.ts'
import type { Device, SiteModel } from '../inventory/site-model.ts'
import type { SpaceRecord } from '../inventory/inventory.ts'
import type { Clock } from '../lib/clock.ts'
import { isMeasured, METRICS, type MeasuredMetric, type MetricName } from '../metric/catalogue.ts'
import { localDaysOf } from '../metric/local-day.ts'
import type { Interval } from '../metric/window.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { Span } from '../reading/window-value.ts'
import { carbonSeries } from './carbon.ts'
import type { CellSource } from './cells.ts'
import { climateSeries, combinationOf } from './climate.ts'
import { type Find, findInSpaces, findOfDevice } from './find-contributors.ts'
import { spaceContributors } from './contribution.ts'
import { performanceSeries } from './performance-series.ts'
import type { Point, Series } from './point.ts'
import type { RollupStore } from './store.ts'
import { consumptionIn, emptySeries, utilitySeries } from './utility.ts'

/** Figures of spaces and devices over windows: from rollups where days are closed, from readings where they are not. */
export interface AggregateService {
  /** Several spaces (a cluster) are summed or pooled. */
  spaces(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    edges: readonly number[],
  ): Promise<Series>
  performance(
    model: SiteModel,
    space: SpaceRecord,
    interval: Interval,
    edges: readonly number[],
    memo?: Map<string, Promise<(number | null)[]>>,
  ): Promise<Series>
  device(model: SiteModel, device: Device, metric: MetricName, edges: readonly number[]): Promise<Series>
  /** What the spaces used of a utility in each window. */
  consumption(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    windows: readonly Span[],
  ): Promise<Point[]>
}

export function createAggregateService(deps: {
  readings: ReadingStore
  rollups: RollupStore
  clock: Clock
  /** Of every half hour of a span: a source outside is asked before anything is computed. */
  carbonIntensity(model: SiteModel, span: Span): CarbonIntensity | Promise<CarbonIntensity>
}): AggregateService {
  const { readings, rollups, clock } = deps

  const sourceOf = ({ site, zone }: SiteModel): CellSource => ({
    siteUuid: site.siteUuid,
    days: localDaysOf(zone),
    rollups,
    readings,
  })

  const seriesOf = async (
    model: SiteModel,
    metric: MetricName,
    edges: readonly number[],
    find: Find,
  ): Promise<Series> => {
    const source = sourceOf(model)
    const span = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
    const now = clock.now()
    if (metric === 'carbon') {
      const contributors = find('electricity', span, true)
      const intensity = await deps.carbonIntensity(model, span)
      return carbonSeries(source, model.zone, contributors, edges, intensity, now)
    }
    if (!isMeasured(metric)) return emptySeries(edges, METRICS[metric].aggregation)
    if (METRICS[metric].group === 'utility')
      return utilitySeries(source, find(metric, span, true), edges, now)
    const combination = combinationOf(metric)
    return climateSeries(source, find(metric, span, combination === 'pooled'), edges, combination, now)
  }

  const service: AggregateService = {
    spaces: (model, spaces, metric, edges) => seriesOf(model, metric, edges, findInSpaces(model, spaces)),

    performance: (model, space, interval, edges, memo = new Map()) =>
      performanceSeries({
        model,
        space,
        interval,
        edges,
        memo,
        now: clock.now(),
        consumption: service.consumption,
      }),

    device: (model, device, metric, edges) => seriesOf(model, metric, edges, findOfDevice(device, metric)),

    async consumption(model, spaces, metric, windows) {
      if (windows.length === 0) return []
      const span = {
        from: Math.min(...windows.map(({ from }) => from)),
        to: Math.max(...windows.map(({ to }) => to)),
      }
      return consumptionIn(sourceOf(model), spaceContributors(model, spaces, metric, span, true), windows)
    },
  }
  return service
}
