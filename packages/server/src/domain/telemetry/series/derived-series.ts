import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { Series } from './columns.ts'

/** The data that derived series are computed from. */
export interface DerivedSource {
  model: SiteModel
  /** Number of peers whose days are read concurrently. */
  concurrency: number
  /** A space's consumption on each day, NaN where nothing was measured. `span` is the whole range of the query. */
  dayValues(
    space: SpaceRecord,
    metric: MeasuredMetric,
    span: TimeSpan,
    days: readonly TimeSpan[],
  ): Promise<Float64Array>
}

/** A metric that is computed from the days of other metrics. */
export interface DerivedSeries {
  series(
    source: DerivedSource,
    space: SpaceRecord,
    interval: Interval,
    windows: Windows,
    now: number,
  ): Promise<Series>
  /** The mean over all windows for each of several spaces of one type. */
  means(
    source: DerivedSource,
    spaces: readonly SpaceRecord[],
    windows: Windows,
    now: number,
  ): Promise<(number | null)[]>
}

/** Passed in by the composition root, so that this folder does not import the metrics that are derived from it. */
export type DerivedMetrics = Record<'performance', DerivedSeries>
