import { at } from '../../../kernel/at.ts'
import { Windows } from '../../../calendar/interval.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { getCellKind, isMeasured, type MetricName, METRICS } from '../../metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import {
  type CompareTo,
  compareValues,
  compareWithPast,
  compareWithPeers,
  compareWithTarget,
  getTotal,
  type ReadSeries,
  sumSteps,
} from './compare.ts'
import { type PairedSteps, pairWithPast, toSteps } from './comparison-steps.ts'
import type { Comparison, Summary } from './point.ts'
import type { Range } from './range.ts'
import { type Series, SUSPECT } from './columns.ts'
import { findPeerSets, getScopeKey, getSpacesInScope, type SpaceScope, sumTargets } from './scope.ts'
import type { SeriesService } from './service.ts'

/** A query for one series of a space, or of its flat. */
export interface SpaceQuery extends SpaceScope {
  metric: MetricName
  interval: Interval
  range: Range
}

export function querySpace(
  aggregate: SeriesService,
  query: Omit<SpaceQuery, 'range'>,
  windows: Windows,
): Promise<Series> {
  const { model, metric, interval } = query
  if (METRICS[metric].derive === 'score') return aggregate.performance(query, interval, windows)
  return aggregate.spaces(model, getSpacesInScope(query), metric, windows)
}

/** Compares the total or mean of the range with another one of the same scope. */
export async function compareSpace(
  aggregate: SeriesService,
  query: SpaceQuery,
  compareTo: CompareTo,
  summary: Summary,
): Promise<Comparison> {
  if (METRICS[query.metric].derive === 'score') return compareScores(aggregate, query, compareTo, summary)
  const { model, metric, interval, range } = query
  const spaces = getSpacesInScope(query)
  const read: ReadSeries = (windows) => aggregate.spaces(model, spaces, metric, windows)
  if (compareTo === 'siteAverage') return compareWithAverage(aggregate, query, summary, read)
  if (compareTo === 'target') {
    const isMeter = isMeasured(metric) && getCellKind(metric) === 'meter'
    const steps = toSteps(model.zone, interval, { from: range.from, to: range.until })
    return compareWithTarget(isMeter ? sumTargets(spaces, metric) : undefined, steps, summary, read)
  }
  return compareWithPast(pairWithPast(compareTo, model.zone, interval, range), summary, read)
}

/** Steps that are suspect in the space are left out of its peers as well. */
async function compareWithAverage(
  aggregate: SeriesService,
  query: SpaceQuery,
  summary: Summary,
  read: ReadSeries,
): Promise<Comparison> {
  const { model, metric, interval, range } = query
  const steps = toSteps(model.zone, interval, { from: range.from, to: range.until })
  const sets = findPeerSets(query)
  let current = getTotal(summary)
  let isLeftOut: ((step: number) => boolean) | undefined
  if (summary.suspectTotal !== undefined) {
    const { columns } = await read(steps)
    isLeftOut = (step) => columns.quality[step] === SUSPECT
    current = sumSteps(columns, isLeftOut).value
  }
  const bases = await aggregate.totals(model, [...sets.values()], metric, steps, isLeftOut)
  return compareWithPeers(current, ...partPeers(query, [...sets.keys()], bases))
}

/** The base of the space itself, and those of the others. */
function partPeers<T>(query: SpaceScope, keys: readonly string[], bases: readonly T[]): [T | undefined, T[]] {
  const own = keys.indexOf(getScopeKey(query))
  return [bases[own], bases.filter((_, index) => index !== own)]
}

/** Compares means over all closed days. Suspect days have no score. */
async function compareScores(
  aggregate: SeriesService,
  query: SpaceQuery,
  compareTo: CompareTo,
  summary: Summary,
): Promise<Comparison> {
  const { model, interval, range } = query
  const days = getLocalDays(model.zone)
  /** The mean over the closed days of a span, without a day that is not over. */
  const readMean = async (from: number, to: number) => {
    const end = days.startOfDay(days.dayAt(to))
    if (end <= from) return { value: null, coverage: 0 }
    const { columns, summary: mean } = await aggregate.performance(query, 'P1M', new Windows([from, end]))
    return { value: getTotal(mean), coverage: at(columns.coverage, 0) }
  }
  if (compareTo === 'target') return compareValues(null, { value: null, coverage: 0 })
  const current = interval === 'P1D' ? getTotal(summary) : (await readMean(range.from, range.until)).value
  if (compareTo === 'siteAverage') {
    const sets = findPeerSets(query)
    const bases = await aggregate.meanScores(query, sets, { from: range.from, to: range.until })
    return compareWithPeers(current, ...partPeers(query, [...sets.keys()], bases))
  }
  const past: PairedSteps['past'] | undefined = pairWithPast(compareTo, model.zone, interval, range)?.past
  return compareValues(
    current,
    past ? await readMean(past.whole.from, past.whole.to) : { value: null, coverage: 0 },
  )
}
