import { at } from '../../../kernel/at.ts'
import { type DaySpan, Windows } from '../../../calendar/interval.ts'
import type { PlacedSeries } from '../../estate/inventory/site-model.ts'
import { mapInChunks } from '../../../kernel/concurrency.ts'
import type { LocalDays, SlotInterval } from '../../../calendar/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import { type CellSource, seriesCells } from './cells.ts'
import type { RollupUnit } from './rollup-unit.ts'

/** The rollup of a closed day. */
export interface DayRollup<C> {
  day: number
  /** The row of its slots. */
  slots: Uint8Array
  /** The whole day, for the row of its month. */
  cell: C
}

/** Maximum number of members whose readings are in memory. */
const CONCURRENT_MEMBERS = 20

type Member = Pick<PlacedSeries, 'seriesId' | 'spec'>

/** The rollups of one series for consecutive days. Days without measurements have none. */
export async function rollUpSeries<C>(
  source: CellSource,
  kind: CellKind<C>,
  member: Member,
  days: DaySpan,
): Promise<DayRollup<C>[]> {
  const { siteUuid, readings, days: calendar } = source
  const span = { from: calendar.startOfDay(days.first), to: calendar.startOfDay(days.end) }
  // The last slot may extend beyond midnight if a clock change falls in it.
  const end = calendar.slots(days.end - 1, kind.slot).at(-1) ?? span.to
  const loaded = await kind.load(readings, siteUuid, member.seriesId, member.spec, {
    from: span.from,
    to: Math.max(span.to, end),
  })
  const compute = kind.compute(loaded, member.spec)
  const rollups: DayRollup<C>[] = []
  for (let day: number = days.first; day < days.end; day += 1) {
    const start = calendar.startOfDay(day)
    const cell = compute({ from: start, to: calendar.startOfDay(day + 1) })
    if (start === calendar.startOfDay(day + 1) || kind.isEmpty(cell)) continue
    const slots = slotUnits(calendar, kind.slot, day).map((slot) => compute(slot))
    rollups.push({ day, slots: kind.pack(slots, 1), cell })
  }
  return rollups
}

/** The rollups of a space for days with the same members. */
export async function rollUpSpace<C>(
  source: CellSource,
  kind: CellKind<C>,
  members: readonly Member[],
  days: DaySpan,
): Promise<DayRollup<C>[]> {
  const { days: calendar } = source
  const units: RollupUnit[] = []
  for (let day: number = days.first; day < days.end; day += 1) {
    const [from, to] = [calendar.startOfDay(day), calendar.startOfDay(day + 1)]
    if (from < to)
      units.push({ kind: 'day', day, index: 0, from, to }, ...slotUnits(calendar, kind.slot, day))
  }
  const each = await mapInChunks(members, CONCURRENT_MEMBERS, (member) =>
    seriesCells(source, kind, member, units),
  )
  const cells = units.map((_, index) => kind.add(each.flatMap((own) => own[index] ?? [])))
  const rollups: DayRollup<C>[] = []
  units.forEach((unit, index) => {
    const cell = cells[index]
    if (unit.kind !== 'day' || cell === undefined || kind.isEmpty(cell)) return
    const count = calendar.slots(unit.day, kind.slot).length - 1
    const slots = cells.slice(index + 1, index + 1 + count)
    rollups.push({ day: unit.day, slots: kind.pack(slots, members.length), cell })
  })
  return rollups
}

/** The quarter hours of a day, to be stored before its readings are deleted. */
export async function rollUpQuarterHours<C>(
  source: CellSource,
  kind: CellKind<C>,
  member: Member,
  day: number,
): Promise<Uint8Array> {
  const units = slotUnits(source.days, 'PT15M', day)
  const span = { from: at(units, 0).from, to: at(units, units.length - 1).to }
  const loaded = await kind.load(source.readings, source.siteUuid, member.seriesId, member.spec, span)
  const compute = kind.compute(loaded, member.spec)
  return kind.pack(
    units.map((unit) => compute(unit)),
    1,
  )
}

function slotUnits(calendar: LocalDays, interval: SlotInterval, day: number): RollupUnit[] {
  const slots = new Windows(calendar.slots(day, interval))
  return Array.from(slots, ({ from, to }, index) => ({ kind: 'slot', day, index, from, to }))
}
