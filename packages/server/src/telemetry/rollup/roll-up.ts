import { getCombination } from '../../metric/catalogue.ts'
import { type DaySpan, toLocalDay } from '../../calendar/interval.ts'
import { monthOf } from '../../metric/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { byNumber, monthsWith, openDays } from './month-row.ts'
import { type SealedDay, sealSeries, sealSpace } from './seal.ts'
import { type SeriesIndex, withKind } from './series-index.ts'
import { steadyRuns } from './steady-runs.ts'
import type { StoredRow } from './store.ts'

/** Days of a series, both ends included, as stores keep them. */
export interface DayRange {
  from: number
  to: number
}

/** Rows that take the place of those a store has. */
export interface RolledUp {
  days: StoredRow[]
  months: StoredRow[]
  /** Whether there was a day without a rollup, be there something to roll up in it or not. */
  hadOpenDays: boolean
}

/** The rollups that a series lacks in a range of closed days. */
export async function rollUp(
  source: CellSource,
  index: SeriesIndex,
  seriesId: number,
  range: DayRange,
): Promise<RolledUp> {
  const stored = await source.rollups.months(
    source.siteUuid,
    seriesId,
    monthOf(range.from).month,
    monthOf(range.to).month,
  )
  const known = byNumber(stored)
  const days: StoredRow[] = []
  const made = new Map<number, StoredRow>()
  let hadOpenDays = false

  const sealOpen = async <C>(
    kind: CellKind<C>,
    members: number,
    { from, to }: DayRange,
    seal: (run: DaySpan) => Promise<SealedDay<C>[]>,
  ): Promise<void> => {
    const sealed: SealedDay<C>[] = []
    for (const run of groupConsecutiveDays(openDays(kind, members, known, from, to))) {
      hadOpenDays = true
      sealed.push(...(await seal(run)))
    }
    for (const { day, slots } of sealed) days.push({ number: day, cells: slots })
    for (const month of monthsWith(kind, members, known, sealed)) {
      known.set(month.number, month.cells)
      made.set(month.number, month)
    }
  }

  const device = index.devices.get(seriesId)
  const space = index.spaces.get(seriesId)
  if (device) {
    const seal = <C>(kind: CellKind<C>): Promise<void> =>
      sealOpen(kind, 1, range, (run) => sealSeries(source, kind, device, run))
    await withKind(device.metric, { meter: seal, gauge: seal })
  } else if (space && getCombination(space.metric) === 'pooled') {
    // People are added over devices: their figures are made from the devices' own rollups.
    const placed = index.model.placedSeries(space.spaceUuid, space.metric)
    for (const { members, ...steady } of steadyRuns(index.days, placed, range.from, range.to)) {
      const seal = <C>(kind: CellKind<C>): Promise<void> =>
        sealOpen(kind, members.length, steady, (run) => sealSpace(source, kind, members, run))
      await withKind(space.metric, { meter: seal, gauge: seal })
    }
  }
  return { days, months: [...made.values()], hadOpenDays }
}

/** Runs of days that follow each other. */
function groupConsecutiveDays(days: readonly number[]): DaySpan[] {
  const runs: { first: number; end: number }[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run?.end === day) run.end = day + 1
    else runs.push({ first: day, end: day + 1 })
  }
  return runs.map(({ first, end }) => ({ first: toLocalDay(first), end: toLocalDay(end) }))
}
