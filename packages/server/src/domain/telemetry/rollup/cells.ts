import { Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import type { PlacedSeries } from '../../estate/inventory/site-model.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { type LocalDays, toMonth } from '../../../calendar/local-day.ts'
import type { ReadingReader } from '../reading/store.ts'
import type { CellKind } from './cell-kind.ts'
import type { RollupRow, RollupStore } from './store.ts'
import type { RollupUnit } from './rollup-unit.ts'

/** The sources of cells: rollup rows of closed days, and readings where there is no row. */
export interface CellSource {
  siteUuid: string
  days: LocalDays
  rollups: RollupStore
  readings: ReadingReader
}

const NO_ROWS = (): RollupRow[] => []

/** For windows of an hour or a day that are not over: no row has them. */
export const withoutRollups = (source: CellSource): CellSource => ({
  ...source,
  rollups: { ...source.rollups, days: NO_ROWS, months: NO_ROWS, quarters: NO_ROWS },
})

type Member = Pick<PlacedSeries, 'seriesId' | 'spec'>

/** One cell for each unit, of one series. */
export async function seriesCells<C>(
  source: CellSource,
  kind: CellKind<C>,
  member: Member,
  units: readonly RollupUnit[],
): Promise<C[]> {
  const cells = await closedCells(source, kind, member.seriesId, 1, units)
  await fillParts(source, kind, member, units, cells)
  for (const [start, end] of openRuns(units, cells)) {
    const span = { from: at(units, start).from, to: at(units, end - 1).to }
    const readings = await kind.load(source.readings, source.siteUuid, member.seriesId, member.spec, span)
    const compute = kind.compute(readings, member.spec)
    for (let index = start; index < end; index += 1) {
      const unit = units[index]
      if (unit) cells[index] = compute(unit)
    }
  }
  return cells as C[]
}

/** Maximum number of cells of single members in memory: about 5 MB. A step covers at least a day of half hours. */
const MAX_MEMBER_CELLS = 50_000
const MIN_UNITS = 48

/** Members of a space whose readings are loaded concurrently. */
const CONCURRENT_MEMBERS = 50

/** One cell for each unit, of a space whose members stay the same over all of them. */
export async function spaceCells<C>(
  source: CellSource,
  kind: CellKind<C>,
  seriesId: number | undefined,
  members: readonly Member[],
  units: readonly RollupUnit[],
): Promise<C[]> {
  const cells =
    seriesId === undefined
      ? units.map(() => undefined)
      : await closedCells(source, kind, seriesId, members.length, units)
  const open = units.flatMap((unit, index) => (cells[index] === undefined ? [{ unit, index }] : []))
  const step = Math.max(MIN_UNITS, Math.floor(MAX_MEMBER_CELLS / Math.max(1, members.length)))
  for (let start = 0; start < open.length; start += step) {
    if (start > 0) await yieldIfDue()
    const some = open.slice(start, start + step)
    const own = some.map(({ unit }) => unit)
    const each: C[][] = []
    for (let first = 0; first < members.length; first += CONCURRENT_MEMBERS) {
      if (first > 0) await yieldIfDue()
      const group = members.slice(first, first + CONCURRENT_MEMBERS)
      each.push(...(await Promise.all(group.map((member) => seriesCells(source, kind, member, own)))))
    }
    some.forEach(({ index }, offset) => {
      cells[index] = kind.add(each.flatMap((memberCells) => memberCells[offset] ?? []))
    })
  }
  return cells as C[]
}

async function closedCells<C>(
  { siteUuid, rollups }: CellSource,
  kind: CellKind<C>,
  seriesId: number,
  members: number,
  units: readonly RollupUnit[],
): Promise<(C | undefined)[]> {
  const slots = findBounds(units, 'slot')
  const days = findBounds(units, 'day')?.map((day) => toMonth(day).month) as Bounds | undefined
  const byDay = new Map<number, readonly (C | undefined)[] | undefined>()
  const byMonth = new Map<number, readonly (C | undefined)[] | undefined>()
  if (slots) {
    for (const { number, cells } of await rollups.days(siteUuid, seriesId, ...slots))
      byDay.set(number, kind.unpack(cells, members))
  }
  if (days) {
    for (const { number, cells } of await rollups.months(siteUuid, seriesId, ...days))
      byMonth.set(number, kind.unpack(cells, members))
  }
  return units.map(({ kind: unit, day, index }) => {
    if (unit === 'slot') return byDay.get(day)?.[index]
    if (unit === 'part') return undefined
    const dayOfMonth = toMonth(day)
    return byMonth.get(dayOfMonth.month)?.[dayOfMonth.index]
  })
}

/** Computes parts of days whose readings are deleted from their retained quarter hours. */
async function fillParts<C>(
  { siteUuid, rollups, days }: CellSource,
  kind: CellKind<C>,
  { seriesId }: Member,
  units: readonly RollupUnit[],
  cells: (C | undefined)[],
): Promise<void> {
  const range = findBounds(units, 'part')
  if (!range) return
  const rows = await rollups.quarters(siteUuid, seriesId, ...range)
  if (rows.length === 0) return
  const byDay = new Map(rows.map(({ number, cells: bytes }) => [number, kind.unpack(bytes, 1)]))
  units.forEach((unit, unitIndex) => {
    const row = unit.kind === 'part' ? byDay.get(unit.day) : undefined
    if (!row) return
    const quarterHours = new Windows(days.slots(unit.day, 'PT15M'))
    // An update of the time zone database may have shortened the day since its quarter hours were stored.
    const affected = row.slice(0, quarterHours.length).flatMap((cell, index) => {
      const span = quarterHours.span(index)
      return cell !== undefined && span.from < unit.to && span.to > unit.from ? [{ span, cell }] : []
    })
    cells[unitIndex] = kind.fromQuarters(affected, unit)
  })
}

type Bounds = [first: number, last: number]

/** The first and the last day of the units of a kind; undefined if there are none. */
function findBounds(units: readonly RollupUnit[], kind: RollupUnit['kind']): Bounds | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const unit of units) {
    if (unit.kind !== kind) continue
    if (unit.day < first) first = unit.day
    if (unit.day > last) last = unit.day
  }
  return first <= last ? [first, last] : undefined
}

/** Spans of consecutive units without a cell, as [start, end). */
function openRuns<C>(units: readonly RollupUnit[], cells: readonly (C | undefined)[]): [number, number][] {
  const runs: [number, number][] = []
  for (let index = 0; index < units.length; index += 1) {
    if (cells[index] !== undefined) continue
    const run = runs.at(-1)
    if (run && run[1] === index && units[index - 1]?.to === units[index]?.from) run[1] = index + 1
    else runs.push([index, index + 1])
  }
  return runs
}
