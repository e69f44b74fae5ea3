import { covers, overlaps } from '../../../calendar/interval.ts'
import type { PlacedSeries } from '../../estate/inventory/site-model.ts'
import type { LocalDays } from '../../../calendar/local-day.ts'

interface MembershipSpan {
  members: PlacedSeries[]
  from: number
  /** Inclusive. */
  to: number
}

/** Spans of whole days in which the same two or more devices were in a space. */
export function findStableMembership(
  days: LocalDays,
  placed: readonly PlacedSeries[],
  from: number,
  to: number,
): MembershipSpan[] {
  const runs: MembershipSpan[] = []
  for (let day = from; day <= to; day += 1) {
    const span = { from: days.startOfDay(day), to: days.startOfDay(day + 1) }
    const there = placed.filter(({ placement }) => overlaps(placement, span))
    if (there.length < 2 || !there.every(({ placement }) => covers(placement, span))) continue
    const members = sortBySeriesId(there)
    const run = runs.at(-1)
    if (run?.to === day - 1 && isSame(run.members, members)) run.to = day
    else runs.push({ members, from: day, to: day })
  }
  return runs
}

const isSame = (a: readonly PlacedSeries[], b: readonly PlacedSeries[]): boolean =>
  a.length === b.length && a.every((one, index) => one.seriesId === b[index]?.seriesId)

/** Members of a space are numbered in this order. */
export const sortBySeriesId = (placed: readonly PlacedSeries[]): PlacedSeries[] =>
  placed.toSorted((a, b) => a.seriesId - b.seriesId)
