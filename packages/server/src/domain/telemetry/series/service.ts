import { type TimeSpan, Windows } from '../../../calendar/interval.ts'
import type { CarbonIntensity } from '../../external/carbon/provider.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import {
  getCellKind,
  getCombination,
  getSources,
  isMeasured,
  type MeasuredMetric,
  type MetricName,
  METRICS,
} from '../../metric/catalogue.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { ReadingReader } from '../reading/store.ts'
import { carbonSeries, type EmissionFactors } from './emissions.ts'
import type { CellSource } from '../rollup/cells.ts'
import { gaugeSeries } from './gauge-series.ts'
import {
  type ContributorLookup,
  spaceContributorLookup,
  deviceContributorLookup,
} from './find-contributors.ts'
import { type Base, readBase } from './compare.ts'
import { findPeerSetsEver, getSpacesInScope, type SpaceScope, type SpaceSets } from './scope.ts'
import { readConcurrency, spaceContributors } from './contribution.ts'
import { dayValuesIn } from './day-values.ts'
import { createEmissionGrid, type EmissionGrid } from './emission-grid.ts'
import type { DerivedMetrics, DerivedSource } from './derived-series.ts'
import type { Series } from './columns.ts'
import type { RollupStore } from '../rollup/store.ts'
import { sumConsumption, emptySeries, utilitySeries } from './meter-series.ts'

/** Series of spaces and devices: from rollups for closed days, from readings for open days. */
export interface SeriesService {
  /** A copy of the service that uses other reads, such as prefetched ones. */
  over(reads: SeriesReads): SeriesService
  /** Number of spaces that callers should read concurrently: more than one only if the store combines their reads. */
  concurrency: number
  /** Several spaces (a cluster) are summed or pooled. */
  spaces(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    windows: Windows,
  ): Promise<Series>
  /**
   * The total or mean of each set of spaces over some steps, without suspect ones. The sets are computed one after
   * another.
   */
  totals(
    model: SiteModel,
    sets: readonly (readonly SpaceRecord[])[],
    metric: MetricName,
    steps: Windows,
    isLeftOut?: (step: number) => boolean,
  ): Promise<Base[]>
  performance(query: SpaceScope, interval: Interval, windows: Windows): Promise<Series>
  /** The mean score over one window for each of the peers of a space or cluster. */
  meanScores(query: SpaceScope, subjects: SpaceSets, window: TimeSpan): Promise<Base[]>
  device(model: SiteModel, device: Device, metric: MetricName, windows: Windows): Promise<Series>
  /** The spaces' consumption of a utility in each window; NaN where nothing was measured. */
  consumption(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    windows: readonly TimeSpan[],
  ): Promise<readonly number[]>
  /** The spaces' consumption of a utility on each day; NaN where nothing was measured and on suspect days. */
  dayValues(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    days: Windows,
  ): Promise<Float64Array>
}

/** The reads from which series are computed. */
export interface SeriesReads {
  readings: ReadingReader
  rollups: RollupStore
}

interface SeriesDeps extends SeriesReads {
  clock: Clock
  derived: DerivedMetrics
  /** The intensity of every half hour of a span, loaded from an external source before anything is computed. */
  carbonIntensity(model: SiteModel, span: TimeSpan): CarbonIntensity | Promise<CarbonIntensity>
  /** For the metrics other than electricity. */
  emissionFactors: EmissionFactors
  /** Set for a service that computes the series of one response. */
  baselines?: Map<string, Float64Array>
}

export function createSeriesService(deps: SeriesDeps): SeriesService {
  const { readings, rollups, clock, derived, emissionFactors } = deps
  const concurrency = readConcurrency(rollups)

  const toCellSource = ({ site, zone }: SiteModel): CellSource => ({
    siteUuid: site.siteUuid,
    days: getLocalDays(zone),
    rollups,
    readings,
  })

  const createGrid = async (model: SiteModel, windows: Windows): Promise<EmissionGrid> =>
    createEmissionGrid(model.zone, windows, await deps.carbonIntensity(model, windows.whole))

  const readSeries = async (
    model: SiteModel,
    metric: MetricName,
    windows: Windows,
    find: ContributorLookup,
    loadGrid?: () => Promise<EmissionGrid>,
  ): Promise<Series> => {
    const source = toCellSource(model)
    const span = windows.whole
    const now = clock.now()
    if (METRICS[metric].derive === 'emissions') {
      const sources = getSources(metric).map((used) => ({
        metric: used,
        contributors: find(used, span, true),
      }))
      const rates = { factors: emissionFactors, loadGrid: loadGrid ?? (() => createGrid(model, windows)) }
      return carbonSeries(source, windows, sources, rates, now)
    }
    if (!isMeasured(metric)) return emptySeries(windows, METRICS[metric].aggregation)
    if (getCellKind(metric) === 'meter') return utilitySeries(source, find(metric, span, true), windows, now)
    const combination = getCombination(metric)
    return gaugeSeries(source, find(metric, span, combination === 'pooled'), windows, combination, now)
  }

  const derivedSource = (model: SiteModel): DerivedSource => ({
    model,
    concurrency,
    dayValues: (spaces, metric, span, days) =>
      dayValuesIn(toCellSource(model), spaceContributors(model, spaces, metric, span, true), days),
    baselines: deps.baselines ?? new Map(),
  })

  const service: SeriesService = {
    over: (reads) => createSeriesService({ ...deps, ...reads, baselines: new Map() }),
    concurrency,

    spaces: (model, spaces, metric, windows) =>
      readSeries(model, metric, windows, spaceContributorLookup(model, spaces)),

    async totals(model, sets, metric, steps, isLeftOut) {
      const { from, to } = steps.whole
      const windows = { whole: new Windows([from, to]), steps }
      // The sets share the grid of their windows.
      const grids = new Map<Windows, Promise<EmissionGrid>>()
      const loadGrid = (own: Windows): Promise<EmissionGrid> => {
        let grid = grids.get(own)
        if (!grid) grids.set(own, (grid = createGrid(model, own)))
        return grid
      }
      const totals: Base[] = []
      await forEachInChunks(
        sets,
        concurrency,
        (spaces) => {
          const find = spaceContributorLookup(model, spaces)
          const read = (own: Windows) => readSeries(model, metric, own, find, () => loadGrid(own))
          return readBase(read, windows, isLeftOut)
        },
        (base) => totals.push(base),
      )
      return totals
    },

    performance: (query, interval, windows) =>
      derived.performance.series(
        derivedSource(query.model),
        getSpacesInScope(query),
        findPeerSetsEver(query),
        interval,
        windows,
        clock.now(),
      ),

    meanScores: (query, subjects, { from, to }) =>
      derived.performance.means(
        derivedSource(query.model),
        subjects,
        findPeerSetsEver(query),
        new Windows([from, to]),
        clock.now(),
      ),

    device(model, device, metric, windows) {
      // Emissions are looked up by the metrics that they are computed from.
      const [lookedUp = metric] = getSources(metric)
      return readSeries(model, metric, windows, deviceContributorLookup(device, lookedUp))
    },

    async consumption(model, spaces, metric, windows) {
      if (windows.length === 0) return []
      const span = {
        from: Math.min(...windows.map(({ from }) => from)),
        to: Math.max(...windows.map(({ to }) => to)),
      }
      const contributors = spaceContributors(model, spaces, metric, span, true)
      return (await sumConsumption(toCellSource(model), contributors, windows)).values
    },

    dayValues: (model, spaces, metric, days) =>
      derivedSource(model).dayValues(spaces, metric, days.whole, [...days]),
  }
  return service
}
