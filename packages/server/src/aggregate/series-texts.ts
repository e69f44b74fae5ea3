import type { SpaceRecord } from '../inventory/inventory.ts'
import type { Device, SiteModel } from '../inventory/site-model.ts'
import type { Clock } from '../lib/clock.ts'
import type { Zone } from '../lib/zone.ts'
import { isMeasured, type MeasuredMetric, type MetricName } from '../metric/catalogue.ts'
import { localDaysOf } from '../metric/local-day.ts'
import type { Interval } from '../metric/window.ts'
import type { ReadingQuestions } from '../reading/store.ts'
import { blockKindOf } from './block.ts'
import { combinationOf } from './climate.ts'
import { covers } from './contribution.ts'
import { type Find, findInSpaces, findOfDevice } from './find-contributors.ts'
import { createFragments } from './fragments.ts'
import type { Point, Series, Summary } from './point.ts'
import type { AggregateService } from './service.ts'
import { type KeptText, type SteadySeries, steadyText, steadyTextAtOnce } from './steady-text.ts'
import type { RollupStore } from './store.ts'
import { withWindows } from './window-kind.ts'

/** A series as a surface writes it: its windows with commas between them. */
export interface SeriesText {
  windows: string
  hasData: boolean
  summary: Summary
  /** Of emissions: see `Series`. */
  isSynthetic?: boolean
}

/** The series of `AggregateService`, written out: the text of closed days and months is kept while they stay as they are. */
export interface SeriesTexts {
  spaces(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    interval: Interval,
    edges: number[],
  ): Promise<SeriesText>
  device(
    model: SiteModel,
    device: Device,
    metric: MetricName,
    interval: Interval,
    edges: number[],
  ): Promise<SeriesText>
  /** Of spaces, where that takes no waiting; undefined where it does, or where several contribute. */
  spacesAtOnce(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    interval: Interval,
    edges: number[],
  ): SeriesText | undefined
  /**
   * Of the same, another text whenever the answer may be another; undefined where nobody knows without waiting, or where
   * some of the windows are not over.
   */
  spacesVersion(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    interval: Interval,
    edges: number[],
  ): string | undefined
  /** For a series that is there already. */
  write(zone: Zone, series: Series): SeriesText
}

export function createSeriesTexts(deps: {
  aggregate: AggregateService
  readings: ReadingQuestions
  rollups: RollupStore
  clock: Clock
  write(zone: Zone, point: Point): string
}): SeriesTexts {
  const { aggregate, readings, rollups, clock } = deps
  const fragments = createFragments()

  const write = (zone: Zone, { points, summary, isSynthetic }: Series): SeriesText => ({
    windows: points.map((point) => deps.write(zone, point)).join(','),
    hasData: points.some(({ value }) => value !== null),
    summary,
    ...(isSynthetic === undefined ? {} : { isSynthetic }),
  })

  /** Calls back with a series and what is kept of it; undefined where several contribute, or windows are made of more than one rollup. */
  const steady = <R>(
    { site, zone, version }: SiteModel,
    metric: MeasuredMetric,
    interval: Interval,
    edges: readonly number[],
    find: Find,
    run: <C>(series: SteadySeries<C>, kept: () => KeptText) => R,
  ): R | undefined => {
    const span = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
    const [contributor, another] = find(metric, span, combinationOf(metric) === 'pooled')
    if (contributor?.seriesId === undefined || another || !covers(contributor.stay, span)) return undefined
    const { siteUuid } = site
    const { seriesId, sources } = contributor
    return withWindows(metric, (kind) => {
      const blocks = blockKindOf(zone, interval, kind.cells.slot)
      if (!blocks) return undefined
      const series = {
        source: { siteUuid, days: localDaysOf(zone), rollups, readings },
        kind,
        blocks,
        contributor,
        seriesId,
        edges,
        now: clock.now(),
        write: (point: Point) => deps.write(zone, point),
      }
      return run(series, () => keptOf(`${siteUuid} ${seriesId} ${interval}`, version, seriesId, sources))
    })
  }

  /** Versions are asked for before the rows: what is made of newer ones is not found again under an older version. */
  const keptOf = (key: string, version: number, seriesId: number, sources: readonly number[]): KeptText => {
    const { atOnce } = rollups
    if (!atOnce) return { closed: fragments.of(key, String(version)), isByRow: true, open: undefined }
    const rolledUp = `${version} ${atOnce.version(seriesId)}`
    return {
      closed: fragments.of(key, rolledUp),
      isByRow: false,
      open: fragments.of(`${key} open`, `${rolledUp} ${atOnce.readingsVersion(sources)}`),
    }
  }

  return {
    write,
    spacesVersion(model, spaces, metric, interval, edges) {
      const { atOnce } = rollups
      if (!atOnce || !isMeasured(metric) || (edges.at(-1) ?? 0) > clock.now()) return undefined
      return steady(
        model,
        metric,
        interval,
        edges,
        findInSpaces(model, spaces),
        ({ seriesId, contributor }) =>
          [model.version, atOnce.version(seriesId), atOnce.readingsVersion(contributor.sources)].join(' '),
      )
    },
    spacesAtOnce(model, spaces, metric, interval, edges) {
      const { atOnce } = rollups
      if (!atOnce || !isMeasured(metric)) return undefined
      return steady(model, metric, interval, edges, findInSpaces(model, spaces), (series, kept) =>
        steadyTextAtOnce(series, kept(), atOnce[series.blocks.table]),
      )
    },
    async spaces(model, spaces, metric, interval, edges) {
      const text = isMeasured(metric)
        ? await steady(model, metric, interval, edges, findInSpaces(model, spaces), (series, kept) =>
            steadyText(series, kept()),
          )
        : undefined
      return text ?? write(model.zone, await aggregate.spaces(model, spaces, metric, edges))
    },
    async device(model, device, metric, interval, edges) {
      const text = isMeasured(metric)
        ? await steady(model, metric, interval, edges, findOfDevice(device, metric), (series, kept) =>
            steadyText(series, kept()),
          )
        : undefined
      return text ?? write(model.zone, await aggregate.device(model, device, metric, edges))
    },
  }
}
