import { firstDayOfMonth, toMonth } from '../../../calendar/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import { clearCells } from './cell-row.ts'
import type { DayRollup } from './roll-up-days.ts'
import type { RollupRow } from './store.ts'

/** Month rows by month number. */
export type MonthRows = ReadonlyMap<number, Uint8Array>

export const indexByNumber = (rows: readonly RollupRow[]): Map<number, Uint8Array> =>
  new Map(rows.map(({ number, cells }) => [number, cells]))

const EMPTY_MONTH: readonly undefined[] = Array.from({ length: 31 }, () => undefined)

/** The days of an inclusive range that have no rollup. */
export function findMissingDays<C>(
  kind: CellKind<C>,
  members: number,
  months: MonthRows,
  from: number,
  to: number,
): number[] {
  const open: number[] = []
  let row: readonly (C | undefined)[] | undefined
  let rowMonth: number | undefined
  for (let day = from; day <= to; day += 1) {
    const { month, index } = toMonth(day)
    if (month !== rowMonth) {
      const stored = months.get(month)
      row = stored && kind.unpack(stored, members)
      rowMonth = month
    }
    if (row?.[index] === undefined) open.push(day)
  }
  return open
}

/** The rows of the months of some days, after adding these days. */
export function addDaysToMonths<C>(
  kind: CellKind<C>,
  members: number,
  months: MonthRows,
  added: readonly DayRollup<C>[],
): RollupRow[] {
  return [...Map.groupBy(added, ({ day }) => toMonth(day).month)].map(([month, days]) => {
    const stored = months.get(month)
    const row = [...((stored && kind.unpack(stored, members)) ?? EMPTY_MONTH)]
    for (const { day, cell } of days) row[toMonth(day).index] = cell
    return { number: month, cells: kind.pack(row, members) }
  })
}

/** The row of a month without the days of a range; undefined if none is left. */
export function removeDaysFromMonth(
  { number, cells }: RollupRow,
  from: number,
  to: number,
): Uint8Array | undefined {
  const first = firstDayOfMonth(number)
  return clearCells(cells, (index) => first + index >= from && first + index <= to)
}
