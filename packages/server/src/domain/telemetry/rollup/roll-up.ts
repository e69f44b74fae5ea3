import { getCombination } from '../../metric/catalogue.ts'
import { type DaySpan, toLocalDay } from '../../../calendar/interval.ts'
import { toMonth } from '../../../calendar/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { indexByNumber, addDaysToMonths, findMissingDays } from './month-row.ts'
import { type DayRollup, rollUpSeries, rollUpSpace } from './roll-up-days.ts'
import { type SeriesIndex, withCellKind } from './series-index.ts'
import { findStableMembership } from './stable-membership.ts'
import type { RollupRow } from './store.ts'

/** An inclusive range of days of a series, as stores use it. */
export interface DayRange {
  from: number
  to: number
}

/** Rows that replace those in the store. */
export interface RollupRows {
  days: RollupRow[]
  months: RollupRow[]
  /** Whether a day had no rollup, even if there was nothing to roll up in it. */
  hadOpenDays: boolean
}

/** Computes the missing rollups of a series in a range of closed days. */
export async function rollUp(
  source: CellSource,
  index: SeriesIndex,
  seriesId: number,
  range: DayRange,
): Promise<RollupRows> {
  const stored = await source.rollups.months(
    source.siteUuid,
    seriesId,
    toMonth(range.from).month,
    toMonth(range.to).month,
  )
  const months = indexByNumber(stored)
  const days: RollupRow[] = []
  const changedMonths = new Map<number, RollupRow>()
  let hadOpenDays = false

  const rollUpMissing = async <C>(
    kind: CellKind<C>,
    members: number,
    { from, to }: DayRange,
    rollUpRun: (run: DaySpan) => Promise<DayRollup<C>[]>,
  ): Promise<void> => {
    const added: DayRollup<C>[] = []
    for (const run of groupConsecutiveDays(findMissingDays(kind, members, months, from, to))) {
      hadOpenDays = true
      added.push(...(await rollUpRun(run)))
    }
    for (const { day, slots } of added) days.push({ number: day, cells: slots })
    for (const month of addDaysToMonths(kind, members, months, added)) {
      months.set(month.number, month.cells)
      changedMonths.set(month.number, month)
    }
  }

  const device = index.devices.get(seriesId)
  const space = index.spaces.get(seriesId)
  if (device) {
    const rollUpKind = <C>(kind: CellKind<C>): Promise<void> =>
      rollUpMissing(kind, 1, range, (run) => rollUpSeries(source, kind, device, run))
    await withCellKind(device.metric, { meter: rollUpKind, gauge: rollUpKind })
  } else if (space && getCombination(space.metric) === 'pooled') {
    // People are summed over devices: the space's series is computed from the devices' own rollups.
    const placed = index.model.placedSeries(space.spaceUuid, space.metric)
    for (const { members, ...stable } of findStableMembership(index.days, placed, range.from, range.to)) {
      const rollUpKind = <C>(kind: CellKind<C>): Promise<void> =>
        rollUpMissing(kind, members.length, stable, (run) => rollUpSpace(source, kind, members, run))
      await withCellKind(space.metric, { meter: rollUpKind, gauge: rollUpKind })
    }
  }
  return { days, months: [...changedMonths.values()], hadOpenDays }
}

/** Groups days into spans of consecutive days. */
function groupConsecutiveDays(days: readonly number[]): DaySpan[] {
  const runs: { first: number; end: number }[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run?.end === day) run.end = day + 1
    else runs.push({ first: day, end: day + 1 })
  }
  return runs.map(({ first, end }) => ({ first: toLocalDay(first), end: toLocalDay(end) }))
}
