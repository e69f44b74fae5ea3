import { covers } from '../calendar/interval.ts'
import type { SpaceRecord } from '../inventory/inventory.ts'
import type { Device, SiteModel } from '../inventory/site-model.ts'
import type { Clock } from '../lib/clock.ts'
import { Digest } from '../lib/digest.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { yieldIfDue } from '../lib/time-slice.ts'
import type { Zone } from '../lib/zone.ts'
import { isMeasured, type MeasuredMetric, type MetricName } from '../metric/catalogue.ts'
import type { Interval } from '../metric/window.ts'
import type { ReadingQuestions } from '../reading/store.ts'
import type { Span } from '../reading/window-value.ts'
import { combinationOf } from './climate.ts'
import { soleContributor } from './contribution.ts'
import { type Find, findInSpaces, findOfDevice } from './find-contributors.ts'
import { digestOf, type WindowText, writePoint } from './fragment.ts'
import type { Series, Summary } from './point.ts'
import type { AggregateService } from './service.ts'
import { createSteadyPlans, type SteadyPlan } from './steady-plans.ts'
import type { RollupStore } from './store.ts'

/** A series as a surface writes it. */
export interface SeriesText {
  /** The windows with commas between them. */
  windows(): string
  /** Of the windows: what else is written of the series can be added to it. */
  digest: Digest
  hasData: boolean
  summary: Summary
  /** Of emissions: see `Series`. */
  isSynthetic?: boolean
}

/** Writes the windows between edges. `isPolled`: the caller has an earlier response and asks whether it has changed. */
export type WriteRange = (edges: readonly number[], isPolled: boolean) => MaybePromise<SeriesText>

/**
 * The series of `AggregateService`, written out: the text of closed days and months is cached while they stay the same. A `WriteRange`
 * is valid for as long as the site's model is, and can be called for any number of ranges.
 */
export interface SeriesTexts {
  spaces(model: SiteModel, spaces: readonly SpaceRecord[], metric: MetricName, interval: Interval): WriteRange
  device(model: SiteModel, device: Device, metric: MetricName, interval: Interval): WriteRange
  /** For a series that is there already. */
  write(zone: Zone, series: Series): SeriesText
}

export function createSeriesTexts(deps: {
  aggregate: AggregateService
  readings: ReadingQuestions
  rollups: RollupStore
  clock: Clock
  windowText: WindowText
}): SeriesTexts {
  const { aggregate, clock } = deps
  const plans = createSteadyPlans(deps)

  const write = (zone: Zone, { points, summary, isSynthetic }: Series): SeriesText => {
    const digest = new Digest()
    for (const { a, b } of points.map(digestOf)) digest.addPart(a, b)
    return {
      windows: () => points.map((point) => writePoint(deps.windowText, zone, point)).join(','),
      digest,
      hasData: points.some(({ value }) => value !== null),
      summary,
      ...(isSynthetic === undefined ? {} : { isSynthetic }),
    }
  }

  /** Computing, the digest and the text of thousands of windows each take a slice. */
  const writeInSlices = async (zone: Zone, series: Promise<Series>): Promise<SeriesText> => {
    const computed = await series
    await yieldIfDue()
    const text = write(zone, computed)
    await yieldIfDue()
    return text
  }

  /** Undefined where several contribute, or windows are made of more than one rollup. */
  const planOf = (
    model: SiteModel,
    metric: MetricName,
    interval: Interval,
    edges: readonly number[],
    find: Find,
  ): SteadyPlan | undefined => {
    if (!isMeasured(metric)) return undefined
    const [contributor, another] = find(metric, spanOf(edges), canPool(metric))
    if (!contributor || another || !covers(contributor.stay, spanOf(edges))) return undefined
    return plans.of(model, metric, interval, contributor)
  }

  return {
    write,
    spaces(model, spaces, metric, interval) {
      const find = findInSpaces(model, spaces)
      const [space, another] = spaces
      const sole =
        space && !another && isMeasured(metric)
          ? soleContributor(model, space, metric, canPool(metric))
          : undefined
      const usual = sole && isMeasured(metric) ? plans.of(model, metric, interval, sole) : undefined
      return (edges, isPolled) => {
        const plan =
          sole && covers(sole.stay, spanOf(edges)) ? usual : planOf(model, metric, interval, edges, find)
        if (plan) return plan.text(edges, clock.now(), isPolled)
        return writeInSlices(model.zone, aggregate.spaces(model, spaces, metric, edges))
      }
    },
    device(model, device, metric, interval) {
      const find = findOfDevice(device, metric)
      return (edges, isPolled) => {
        const plan = planOf(model, metric, interval, edges, find)
        if (plan) return plan.text(edges, clock.now(), isPolled)
        return writeInSlices(model.zone, aggregate.device(model, device, metric, edges))
      }
    },
  }
}

const spanOf = (edges: readonly number[]): Span => ({ from: edges[0] ?? 0, to: edges.at(-1) ?? 0 })

const canPool = (metric: MeasuredMetric): boolean => combinationOf(metric) === 'pooled'
