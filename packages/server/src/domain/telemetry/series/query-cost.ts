import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import {
  getSources,
  type MeasuredMetric,
  type MetricName,
  METRICS,
  UTILITIES,
} from '../../metric/catalogue.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { CompareTo } from './compare.ts'
import type { Range } from './range.ts'
import {
  findPeers,
  findPeerSets,
  findPeerSetsEver,
  getSpacesInScope,
  scoredMetrics,
  type SpaceSets,
  sumTargets,
} from './scope.ts'
import type { SpaceQuery } from './space-query.ts'

/**
 * The cost of a query in units of the rate limit, estimated before it runs. Work is measured in windows: each window of
 * the response counts as one, and each computed series adds a fixed amount plus an amount for every step (day or
 * window) of its computation. On the 2-core virtual machine on which these constants were measured, a unit was about
 * 20 ms of CPU time.
 */
const WINDOWS_PER_UNIT = 4_000
const WINDOWS_PER_SERIES = 50
const STEPS_PER_WINDOW = 4
/** Emissions multiply the half hours of each day, which takes four times as long as adding up days. */
const EMISSION_STEPS_PER_DAY = 4

/** The maximum cost of a query: a third of the default limit per minute, so that every valid query can be sent. */
export const MAX_COST = 60

const DAY_MS = 86_400_000

interface ComputedSeries {
  series: number
  /** Steps of each series. */
  steps: number
}

/** `windows` is the number of windows in the response, over all its series. */
const estimateWork = (windows: number, computed: readonly ComputedSeries[]): number =>
  computed.reduce(
    (sum, { series, steps }) => sum + series * (WINDOWS_PER_SERIES + steps / STEPS_PER_WINDOW),
    windows,
  )

export const estimateCost = (windows: number, computed: readonly ComputedSeries[]): number =>
  Math.min(MAX_COST, 1 + Math.floor(estimateWork(windows, computed) / WINDOWS_PER_UNIT))

/**
 * Maximum work, as estimated for single reads, of the series on one page of a batch; a single series may exceed it.
 * Several series together take less than one by one, because scores share the days of their peers.
 */
export const MAX_PAGE_WORK = 10 * MAX_COST * WINDOWS_PER_UNIT

const countWindows = ({ windows }: Range): number => windows.length

const countDays = ({ from, to }: TimeSpan): number => Math.ceil((to - from) / DAY_MS)

/** A window that is longer than a day is computed from days. */
const countSteps = (metric: MetricName, span: TimeSpan, windows: number): number =>
  Math.max(windows, countDays(span) * (METRICS[metric].derive === 'emissions' ? EMISSION_STEPS_PER_DAY : 1))

/** The metrics whose emissions are computed from days and windows, like consumption, not from half hours. */
const listFactorMetrics = (metric: MetricName): MeasuredMetric[] =>
  METRICS[metric].derive === 'emissions'
    ? getSources(metric).filter((used) => METRICS[used].emissions === 'factor')
    : []

/** The series of the spaces, besides electricity, that emissions are computed from. */
export function countFactorSeries(
  model: SiteModel,
  metric: MetricName,
  spaces: readonly SpaceRecord[],
): number {
  const metrics = listFactorMetrics(metric)
  let series = 0
  for (const { spaceUuid } of metrics.length === 0 ? [] : spaces)
    for (const used of metrics) if (model.placedSeries(spaceUuid, used).length > 0) series += 1
  return series
}

type CostedSpaceQuery = Pick<SpaceQuery, 'model' | 'space' | 'metric' | 'scope' | 'range'>

export function estimateSpaceCost(query: CostedSpaceQuery, compareTo?: CompareTo): number {
  const { metric, range } = query
  const isPerformance = METRICS[metric].derive === 'score'
  const own = isPerformance
    ? scoredSeries(query)
    : { series: getSpacesInScope(query).length, steps: countSteps(metric, range, countWindows(range)) }
  const factorSeries = (spaces: readonly SpaceRecord[], windows: number): ComputedSeries => ({
    series: countFactorSeries(query.model, metric, spaces),
    steps: Math.max(windows, countDays(range)),
  })
  const inScope = getSpacesInScope(query)
  const computed = [own, factorSeries(inScope, countWindows(range))]
  if (compareTo === 'previousPeriod' || compareTo === 'previousYear')
    computed.push(
      isPerformance ? own : { series: own.series, steps: countSteps(metric, range, 1) },
      factorSeries(inScope, 1),
    )
  if (compareTo === 'siteAverage') {
    const steps = countSteps(metric, range, 1)
    // Peers share the days that they are scored against; each score is computed from the peer's own utilities.
    const sets = findPeerSets(query)
    if (isPerformance) computed.push({ series: countSpaces(sets) * scoredUtilities(query).length, steps })
    else {
      const peers = [...sets.values()].flat()
      computed.push({ series: peers.length, steps }, factorSeries(peers, 1))
    }
  }
  return estimateCost(countWindows(range), computed)
}

export function estimateDeviceCost(
  { record }: Pick<Device, 'record'>,
  metric: MetricName,
  range: Range,
  compareTo?: CompareTo,
): number {
  const factorSeries = listFactorMetrics(metric).filter((used) => record.metrics[used]).length
  const days = countDays(range)
  const computed = [
    { series: 1, steps: countSteps(metric, range, countWindows(range)) },
    { series: factorSeries, steps: Math.max(days, countWindows(range)) },
  ]
  if (compareTo)
    computed.push({ series: 1, steps: countSteps(metric, range, 1) }, { series: factorSeries, steps: days })
  return estimateCost(countWindows(range), computed)
}

/** The work of one series over several spaces: of their sum, or of the score of the only one. */
export function estimateSpacesWork(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  metric: MetricName,
  range: Range,
): number {
  const windows = countWindows(range)
  const [space] = spaces
  if (METRICS[metric].derive === 'score' && space)
    return estimateWork(windows, [scoredSeries({ model, space, metric, scope: 'space', range })])
  return estimateWork(windows, [
    { series: spaces.length, steps: countSteps(metric, range, windows) },
    { series: countFactorSeries(model, metric, spaces), steps: Math.max(windows, countDays(range)) },
  ])
}

/** The work of one series of a device. */
export function estimateDeviceWork(
  { record }: Pick<Device, 'record'>,
  metric: MetricName,
  range: Range,
): number {
  const windows = countWindows(range)
  const factorSeries = listFactorMetrics(metric).filter((used) => record.metrics[used]).length
  return estimateWork(windows, [
    { series: 1, steps: countSteps(metric, range, windows) },
    { series: factorSeries, steps: Math.max(windows, countDays(range)) },
  ])
}

/** Records of a list that one unit covers. */
const RECORDS_PER_UNIT = 1_000

/** The cost of a list of `records` records. */
export const estimateListCost = (records: number): number =>
  Math.min(MAX_COST, Math.max(1, Math.ceil(records / RECORDS_PER_UNIT)))

/** The cost of several series over the same windows, all of which are in the response. */
export function estimateSeriesCost(series: number, range: Range): number {
  const windows = countWindows(range)
  return estimateCost(series * windows, [{ series, steps: Math.max(windows, countDays(range)) }])
}

/** The cost of several series over the same windows, of which the response contains only the sums. */
export function estimateSumCost(series: number, range: Range): number {
  const windows = countWindows(range)
  return estimateCost(windows, [{ series, steps: Math.max(windows, countDays(range)) }])
}

/** The cost of ranking a space among its peers, which takes one value of each peer for every utility. */
export function estimateRankCost(model: SiteModel, space: SpaceRecord, span: TimeSpan): number {
  const ever = model.everMeasuredIn(space.spaceUuid)
  const utilities = UTILITIES.filter((metric) => ever.includes(metric)).length
  return estimateCost(1, [{ series: utilities * findPeers({ model, space }).length, steps: countDays(span) }])
}

const countSpaces = (sets: SpaceSets): number =>
  [...sets.values()].reduce((sum, { length }) => sum + length, 0)

const scoredUtilities = (query: CostedSpaceQuery): MeasuredMetric[] =>
  scoredMetrics(query.model, getSpacesInScope(query))

/** A score needs the days of all peers, including archived ones, unless there is a target. */
function scoredSeries(query: CostedSpaceQuery): ComputedSeries {
  const spaces = getSpacesInScope(query)
  const peers = countSpaces(findPeerSetsEver(query))
  const series = scoredUtilities(query).reduce(
    (sum, metric) => sum + (sumTargets(spaces, metric) === undefined ? peers : spaces.length),
    0,
  )
  return { series, steps: countDays(query.range) }
}
