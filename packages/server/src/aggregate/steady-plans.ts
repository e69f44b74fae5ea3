import type { SiteModel } from '../inventory/site-model.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Zone } from '../lib/zone.ts'
import type { MeasuredMetric } from '../metric/catalogue.ts'
import { localDaysOf } from '../metric/local-day.ts'
import type { Interval } from '../metric/window.ts'
import type { ReadingQuestions } from '../reading/store.ts'
import { blockKindOf } from './block.ts'
import type { Contributor } from './contribution.ts'
import { createWindowWriter, type WindowText, type WindowWriter } from './fragment.ts'
import { createFragments } from './fragments.ts'
import { openFragments } from './open-fragments.ts'
import type { SeriesText } from './series-texts.ts'
import { type KeptText, type SteadySeries, steadyText } from './steady-text.ts'
import type { RollupStore } from './store.ts'
import { type WindowKind, withWindows } from './window-kind.ts'

/** How the windows of a single contributor are written: made once, for as long as the contributor is there. */
export interface SteadyPlan {
  text(edges: readonly number[], now: number, isPolled: boolean): MaybePromise<SeriesText>
}

export interface SteadyPlans {
  /** Undefined where windows are made of more than one rollup. */
  of(
    model: SiteModel,
    metric: MeasuredMetric,
    interval: Interval,
    contributor: Contributor,
  ): SteadyPlan | undefined
}

/**
 * The last days of four thousand series that are asked for all the time. Hours of a day that is not over have room of their own: it takes
 * the readings to make them anew, and no read of the past is to drive them out.
 */
const MAX_CLOSED_BYTES = 80 * 1024 * 1024
const MAX_OPEN_BYTES = 24 * 1024 * 1024

export function createSteadyPlans(deps: {
  readings: ReadingQuestions
  rollups: RollupStore
  windowText: WindowText
}): SteadyPlans {
  const { readings, rollups } = deps
  const closed = createFragments(MAX_CLOSED_BYTES)
  const open = createFragments(MAX_OPEN_BYTES)
  const writers = new Map<Zone, WindowWriter>()
  const known = new WeakMap<Contributor, Map<Interval, SteadyPlan | undefined>>()

  const writerIn = (zone: Zone): WindowWriter => {
    let writer = writers.get(zone)
    if (!writer) writers.set(zone, (writer = createWindowWriter(zone, deps.windowText)))
    return writer
  }

  /** Versions are asked for before the rows: what is made of newer ones is not found again under an older version. */
  const keptOf = (key: string, version: number, seriesId: number, sources: readonly number[]): KeptText => {
    const { versions } = rollups
    if (!versions) return { closed: closed.of(key, String(version)), isByRow: true, open: undefined }
    const rolledUp = `${version} ${versions.version(seriesId)}`
    return {
      closed: closed.of(key, rolledUp),
      isByRow: false,
      open: openFragments(
        open.of(key, `${rolledUp} ${sources.map((id) => `${id}.${versions.version(id)}`).join(' ')}`),
        versions.lastSequence(),
        (at) => versions.lastChangeBefore(sources, at),
      ),
    }
  }

  /** The same for as long as nothing at all was stored. */
  const rememberKept = (ask: () => KeptText): (() => KeptText) => {
    const { versions } = rollups
    if (!versions) return ask
    let last: { dataVersion: number; kept: KeptText } | undefined
    return () => {
      const dataVersion = versions.dataVersion()
      const isCurrent =
        last?.dataVersion === dataVersion && !last.kept.closed.isGone() && !last.kept.open?.isGone()
      if (!last || !isCurrent) last = { dataVersion, kept: ask() }
      return last.kept
    }
  }

  const planFor = <C>(
    { site: { siteUuid }, zone, version }: SiteModel,
    kind: WindowKind<C>,
    interval: Interval,
    contributor: Contributor,
  ): SteadyPlan | undefined => {
    const { seriesId, sources } = contributor
    const blocks = blockKindOf(zone, interval, kind.cells.slot)
    if (seriesId === undefined || !blocks) return undefined
    const series: SteadySeries<C> = {
      source: { siteUuid, days: localDaysOf(zone), rollups, readings },
      kind,
      blocks,
      contributor,
      seriesId,
      writer: writerIn(zone),
    }
    const kept = rememberKept(() => keptOf(`${siteUuid} ${seriesId} ${interval}`, version, seriesId, sources))
    return { text: (edges, now, isPolled) => steadyText(series, edges, now, kept(), isPolled) }
  }

  return {
    of(model, metric, interval, contributor) {
      let plans = known.get(contributor)
      if (!plans) known.set(contributor, (plans = new Map()))
      if (!plans.has(interval))
        plans.set(
          interval,
          withWindows(metric, (kind) => planFor(model, kind, interval, contributor)),
        )
      return plans.get(interval)
    },
  }
}
