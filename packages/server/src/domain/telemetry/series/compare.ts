import { at } from '../../../kernel/at.ts'
import { SUSPECT, type Series, type SeriesColumns } from './columns.ts'
import { Windows } from '../../../calendar/interval.ts'
import { round4, round6 } from '../reading/window-value.ts'
import type { PairedSteps } from './comparison-steps.ts'
import type { Comparison, Summary } from './point.ts'

export const COMPARISONS = ['previousPeriod', 'previousYear', 'siteAverage', 'target'] as const

export type CompareTo = (typeof COMPARISONS)[number]

/** The base of a comparison. */
export interface Base {
  value: number | null
  /** Share of its time that data covers: 0..1. */
  coverage: number
}

const NO_BASE: Base = { value: null, coverage: 0 }

/** With less data, a base is shown but not compared with. */
const MIN_COVERAGE = 0.9

/** Number of other spaces that an average needs, so that it reveals little about each of them. */
const MIN_OTHERS = 3

/** Reads a series over any windows. */
export type ReadSeries = (windows: Windows) => Promise<Series>

export const getTotal = (summary: Summary): number | null => summary.total ?? summary.mean ?? null

export const compareValues = (current: number | null, { value, coverage }: Base): Comparison => ({
  value,
  changePercent:
    current === null || value === null || value === 0 || coverage < MIN_COVERAGE
      ? null
      : round4(((current - value) / value) * 100),
  coverage: round4(coverage),
})

const isSuspect = ({ quality }: SeriesColumns, step: number): boolean => quality[step] === SUSPECT

/** The value over the steps that are neither suspect nor left out. */
export function sumSteps(columns: SeriesColumns, isLeftOut: (step: number) => boolean): Base {
  const { windows, values, coverage } = columns
  let [sum, count, coveredMs, lengthMs] = [0, 0, 0, 0]
  for (let step = 0; step < windows.length; step += 1) {
    if (isLeftOut(step)) continue
    const stepMs = windows.to(step) - windows.from(step)
    lengthMs += stepMs
    const value = values[step] ?? Number.NaN
    if (Number.isNaN(value) || isSuspect(columns, step)) continue
    sum += value
    count += 1
    coveredMs += at(coverage, step) * stepMs
  }
  return count === 0 ? NO_BASE : { value: round6(sum), coverage: round4(coveredMs / lengthMs) }
}

/** Reads a value and its coverage. Only where something is suspect, or left out, are the steps read. */
export async function readBase(
  read: ReadSeries,
  { whole, steps }: { whole: Windows; steps: Windows },
  isLeftOut?: (step: number) => boolean,
): Promise<Base> {
  if (!isLeftOut) {
    const { columns, summary } = await read(whole)
    if (!isSuspect(columns, 0)) return { value: getTotal(summary), coverage: at(columns.coverage, 0) }
  }
  return sumSteps((await read(steps)).columns, isLeftOut ?? (() => false))
}

/** Compares with the past. A step that is suspect there or in the range is left out on both sides. */
export async function compareWithPast(
  pairs: PairedSteps | undefined,
  summary: Summary,
  read: ReadSeries,
): Promise<Comparison> {
  if (!pairs) return compareValues(null, NO_BASE)
  const { current, past, counterparts } = pairs
  const whole = new Windows([past.whole.from, past.whole.to])
  const { columns: before, summary: ofPast } = await read(whole)
  if (!isSuspect(before, 0) && summary.suspectTotal === undefined)
    return compareValues(getTotal(summary), { value: getTotal(ofPast), coverage: at(before.coverage, 0) })
  const own = (await read(current)).columns
  const steps = (await read(past)).columns
  const leftOut = new Set<number>()
  const leftOutOfPast = new Set<number>()
  for (const [step, counterpart] of counterparts.entries()) {
    if (counterpart === undefined || !(isSuspect(steps, step) || isSuspect(own, counterpart))) continue
    leftOut.add(counterpart)
    leftOutOfPast.add(step)
  }
  return compareValues(
    sumSteps(own, (step) => leftOut.has(step)).value,
    sumSteps(steps, (step) => leftOutOfPast.has(step)),
  )
}

/** The percentage of some values that one is at or above. */
export const computePercentile = (current: number, values: readonly number[]): number =>
  round4((values.filter((value) => value <= current).length / values.length) * 100)

/** The mean of a space and its peers, and the percentage of them that it is at or above. */
export function compareWithPeers(
  current: number | null,
  own: Base | undefined,
  others: readonly Base[],
): Comparison {
  const known = others.filter(({ value }) => value !== null)
  if (known.length < MIN_OTHERS) return { ...compareValues(null, NO_BASE), percentile: null }
  const all = own && own.value !== null ? [own, ...known] : known
  const values = all.flatMap(({ value }) => value ?? [])
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const coverage = mean(all.map((peer) => peer.coverage))
  const { changePercent, ...base } = compareValues(current, { value: round6(mean(values)), coverage })
  const percentile = current === null || coverage < MIN_COVERAGE ? null : computePercentile(current, values)
  return { value: base.value, changePercent, percentile, coverage: base.coverage }
}

const DAY_MS = 86_400_000

/** Compares with the target for the time of the range so far, without suspect steps. */
export async function compareWithTarget(
  perDay: number | undefined,
  steps: Windows,
  summary: Summary,
  read: ReadSeries,
): Promise<Comparison> {
  if (perDay === undefined) return compareValues(null, NO_BASE)
  let [current, timeMs] = [getTotal(summary), steps.whole.to - steps.whole.from]
  if (summary.suspectTotal !== undefined) {
    const { columns } = await read(steps)
    const isLeftOut = (step: number): boolean => isSuspect(columns, step)
    current = sumSteps(columns, isLeftOut).value
    timeMs = [...steps].reduce((sum, { from, to }, step) => sum + (isLeftOut(step) ? 0 : to - from), 0)
  }
  return compareValues(current, { value: round6((perDay * timeMs) / DAY_MS), coverage: 1 })
}
