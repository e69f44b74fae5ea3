import { Windows } from '../../../calendar/interval.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { at } from '../../../kernel/at.ts'
import type { Pause } from '../../../kernel/time-slice.ts'
import type { MetricName } from '../../metric/catalogue.ts'
import type { Column, Columns, Series } from '../series/columns.ts'
import type { SeriesReads, SeriesService } from '../series/service.ts'
import { createBatchBuilder } from './batch-builder.ts'
import { ROW_COLUMNS, type RowBatch } from './format.ts'
import type { Snapshots } from './store.ts'

/** A series of a space or of a group of spaces. */
export interface WindowSeries {
  id: string
  metric: MetricName
  compute(aggregate: SeriesService, windows: Windows): Promise<Series>
}

export interface WindowRowDeps {
  snapshots: Snapshots
  aggregate: SeriesService
  /** Reads of all series together, if that is cheaper. */
  prefetch(reads: SeriesReads, windows: Windows): Promise<SeriesReads | undefined>
  pause: Pause
}

/** Maximum number of windows computed from one snapshot and held in memory; at least those of one day are computed. */
const MAX_WINDOWS = 50_000

/** The windows of some series, by local day, series and time. The series are in order. */
export async function* readWindowRows(
  { snapshots, aggregate, prefetch, pause }: WindowRowDeps,
  zone: Zone,
  series: readonly WindowSeries[],
  windows: Windows,
): AsyncGenerator<RowBatch> {
  const builder = createBatchBuilder(ROW_COLUMNS.windows.length)
  for (const days of splitByDay(zone, windows, Math.floor(MAX_WINDOWS / series.length))) {
    const edges = days.flatMap((day) => Array.from(day, ({ from }) => from))
    const chunk = new Windows([...edges, at(days, days.length - 1).whole.to])
    const computed = await snapshots.run(async (reads) => {
      const service = aggregate.over((await prefetch(reads, chunk)) ?? reads)
      const found: Column[][] = []
      for (const one of series) {
        found.push(toRowColumns((await one.compute(service, chunk)).columns, chunk.length))
        await pause()
      }
      return found
    })
    let row = 0
    for (const day of days) {
      for (const [index, { id, metric }] of series.entries())
        for (let next = row; next < row + day.length; ) {
          const count = Math.min(row + day.length - next, builder.room)
          builder.add(id, metric, edges, at(computed, index), next, count)
          next += count
          if (builder.room > 0) continue
          const batch = builder.take()
          if (batch) yield batch
        }
      row += day.length
    }
  }
  const rest = builder.take()
  if (rest) yield rest
}

/**
 * Windows by the local day of their start, and days in groups of at most `max` windows. The first day is a separate
 * group, so that the client soon receives something.
 */
function* splitByDay(zone: Zone, windows: Windows, max: number): Generator<Windows[]> {
  const days = getLocalDays(zone)
  const byDay = Map.groupBy(windows, ({ from }) => days.dayAt(from))
  let isFirst = true
  let group: Windows[] = []
  let count = 0
  for (const own of byDay.values()) {
    const day = new Windows([...own.map(({ from }) => from), at(own, own.length - 1).to])
    if (group.length > 0 && count + day.length > max) {
      yield group
      group = []
      count = 0
    }
    group.push(day)
    count += isFirst ? max : day.length
    isFirst = false
  }
  if (group.length > 0) yield group
}

/** A window without a value has no extremes either. */
function toRowColumns({ values, mins, maxs, quality, coverage }: Columns, count: number): Column[] {
  const none = new Float64Array(count).fill(Number.NaN)
  const whereMeasured = (extremes: Column | undefined): Column =>
    extremes
      ? Float64Array.from(extremes, (value, index) => (values[index] === values[index] ? value : Number.NaN))
      : none
  return [values, whereMeasured(mins), whereMeasured(maxs), quality, coverage]
}
