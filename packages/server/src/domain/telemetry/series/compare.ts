import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { getCellKind, isMeasured, type MetricName } from '../../metric/catalogue.ts'
import { round4, round6 } from '../reading/window-value.ts'
import type { Comparison, Summary } from './point.ts'
import type { Range } from './range.ts'

export const COMPARISONS = ['previousPeriod', 'previousYear', 'siteAverage', 'target'] as const

export type CompareTo = (typeof COMPARISONS)[number]

const DAY_MS = 86_400_000

/** Reads the value of a span as one number: a total or a mean. */
export type ReadTotal = (from: number, to: number) => Promise<number | null>

export const getTotal = (summary: Summary): number | null => summary.total ?? summary.mean ?? null

const compareValues = (current: number | null, value: number | null): Comparison => ({
  value,
  changePercent:
    current === null || value === null || value === 0 ? null : round4(((current - value) / value) * 100),
})

/** Compares with the same wall-clock span in the past. An unfinished period is compared with as much of that one. */
export async function compareWithPast(
  compareTo: 'previousPeriod' | 'previousYear',
  model: SiteModel,
  range: Range,
  current: number | null,
  figure: ReadTotal,
): Promise<Comparison> {
  const zoned = (at: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(model.zone.name)
  if (compareTo === 'previousYear') {
    const earlier = (at: number): number => zoned(at).subtract({ years: 1 }).epochMilliseconds
    return compareValues(current, await figure(earlier(range.from), earlier(range.until)))
  }
  // Measured in whole days as far as possible, so that a clock change in between does not shift the span.
  const length = zoned(range.from).until(zoned(range.to), { largestUnit: 'days' })
  const earlier = (at: number): number => zoned(at).subtract(length).epochMilliseconds
  return compareValues(current, await figure(earlier(range.from), earlier(range.until)))
}

/** The mean of the site's spaces of the same type, and the percentage of them that this one is at or above. */
export function compareWithPeers(current: number | null, peers: readonly (number | null)[]): Comparison {
  const values = peers.filter((value) => value !== null)
  if (values.length === 0) return { value: null, changePercent: null, percentile: null }
  const mean = round6(values.reduce((sum, value) => sum + value, 0) / values.length)
  const percentile =
    current === null
      ? null
      : round4((values.filter((value) => value <= current).length / values.length) * 100)
  return { ...compareValues(current, mean), percentile }
}

/** Compares with the space's target for the days of the range so far. */
export function compareWithTarget(
  space: SpaceRecord,
  metric: MetricName,
  range: Range,
  current: number | null,
): Comparison {
  const target = isMeasured(metric) && getCellKind(metric) === 'meter' ? space.targets[metric] : undefined
  if (!target) return { value: null, changePercent: null }
  return compareValues(current, round6((target.perDay * (range.until - range.from)) / DAY_MS))
}
