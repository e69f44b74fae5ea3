import { Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import type { PlacedSeries } from '../../estate/inventory/site-model.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { type LocalDays, toMonth } from '../../../calendar/local-day.ts'
import type { ReadingReader } from '../reading/store.ts'
import type { CellKind } from './cell-kind.ts'
import type { RollupStore } from './store.ts'
import type { RollupUnit } from './rollup-unit.ts'

/** Where cells come from: sealed rows, or the readings where there is none. */
export interface CellSource {
  siteUuid: string
  days: LocalDays
  rollups: RollupStore
  readings: ReadingReader
}

type Member = Pick<PlacedSeries, 'seriesId' | 'spec'>

/** One cell for each unit, of one series. */
export async function seriesCells<C>(
  source: CellSource,
  kind: CellKind<C>,
  member: Member,
  units: readonly RollupUnit[],
): Promise<C[]> {
  const cells = await sealedCells(source, kind, member.seriesId, 1, units)
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

/** Cells of single members in memory at the same time: about five megabytes. A step covers at least a day of half hours. */
const MAX_MEMBER_CELLS = 50_000
const MIN_UNITS = 48

/** Members of a space whose readings are loaded concurrently. */
const MEMBERS_TOGETHER = 50

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
      : await sealedCells(source, kind, seriesId, members.length, units)
  const open = units.flatMap((unit, index) => (cells[index] === undefined ? [{ unit, index }] : []))
  const step = Math.max(MIN_UNITS, Math.floor(MAX_MEMBER_CELLS / Math.max(1, members.length)))
  for (let start = 0; start < open.length; start += step) {
    if (start > 0) await yieldIfDue()
    const some = open.slice(start, start + step)
    const own = some.map(({ unit }) => unit)
    const each: C[][] = []
    for (let first = 0; first < members.length; first += MEMBERS_TOGETHER) {
      if (first > 0) await yieldIfDue()
      const group = members.slice(first, first + MEMBERS_TOGETHER)
      each.push(...(await Promise.all(group.map((member) => seriesCells(source, kind, member, own)))))
    }
    some.forEach(({ index }, place) => {
      cells[index] = kind.add(each.flatMap((ofMember) => ofMember[place] ?? []))
    })
  }
  return cells as C[]
}

async function sealedCells<C>(
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
    const place = toMonth(day)
    return byMonth.get(place.month)?.[place.index]
  })
}

/** Parts of days whose readings are gone, from the quarter hours that were kept of them. */
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
  units.forEach((unit, place) => {
    const row = unit.kind === 'part' ? byDay.get(unit.day) : undefined
    if (!row) return
    const quarterHours = new Windows(days.slots(unit.day, 'PT15M'))
    // An update of the time zone database may have shortened the day since its quarter hours were stored.
    const touched = row.slice(0, quarterHours.length).flatMap((cell, index) => {
      const span = quarterHours.span(index)
      return cell !== undefined && span.from < unit.to && span.to > unit.from ? [{ span, cell }] : []
    })
    cells[place] = kind.fromQuarters(touched, unit)
  })
}

type Bounds = [first: number, last: number]

/** The first and the last day that units of a kind are in; undefined when there are none. */
function findBounds(units: readonly RollupUnit[], kind: RollupUnit['kind']): Bounds | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const unit of units) {
    if (unit.kind !== kind) continue
    if (unit.day < first) first = unit.day
    if (unit.day > last) last = unit.day
  }
  return first <= last ? [first, last] : undefined
}

/** Runs of units that follow each other in time and have no cell yet, as [start, end). */
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
