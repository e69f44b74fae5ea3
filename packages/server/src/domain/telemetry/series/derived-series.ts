import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { Series } from './columns.ts'
import type { Base } from './compare.ts'
import type { SpaceSets } from './scope.ts'

/** The data that derived series are computed from. */
export interface DerivedSource {
  model: SiteModel
  /** Number of peers whose days are read concurrently. */
  concurrency: number
  /**
   * The spaces' consumption on each day, NaN where nothing was measured and on suspect days. `span` is the whole range of
   * the query.
   */
  dayValues(
    spaces: readonly SpaceRecord[],
    metric: MeasuredMetric,
    span: TimeSpan,
    days: readonly TimeSpan[],
  ): Promise<Float64Array>
  /** The baselines computed so far. The series of one response share them. */
  baselines: Map<string, Float64Array>
}

/** A metric that is computed from the days of other metrics, of a space or a cluster and its peers. */
export interface DerivedSeries {
  series(
    source: DerivedSource,
    spaces: readonly SpaceRecord[],
    peers: SpaceSets,
    interval: Interval,
    windows: Windows,
    now: number,
  ): Promise<Series>
  /** The mean over all days for each of several peers, and the share of the days that have a score. */
  means(
    source: DerivedSource,
    subjects: SpaceSets,
    peers: SpaceSets,
    windows: Windows,
    now: number,
  ): Promise<Base[]>
}

/** Passed in by the composition root, so that this folder does not import the metrics that are derived from it. */
export type DerivedMetrics = Record<'performance', DerivedSeries>
