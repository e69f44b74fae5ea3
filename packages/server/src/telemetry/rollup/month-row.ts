import { firstDayOf, monthOf } from '../../metric/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import { reopenPlaces } from './cell-row.ts'
import type { SealedDay } from './seal.ts'
import type { StoredRow } from './store.ts'

/** Rows of months by the month's number. */
export type MonthRows = ReadonlyMap<number, Uint8Array>

export const byNumber = (rows: readonly StoredRow[]): Map<number, Uint8Array> =>
  new Map(rows.map(({ number, cells }) => [number, cells]))

const EMPTY_MONTH: readonly undefined[] = Array.from({ length: 31 }, () => undefined)

/** The days of a range, both ends included, that have no rollup. */
export function openDays<C>(
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
    const { month, index } = monthOf(day)
    if (month !== rowMonth) {
      const known = months.get(month)
      row = known && kind.unpack(known, members)
      rowMonth = month
    }
    if (row?.[index] === undefined) open.push(day)
  }
  return open
}

/** The rows of the months that some days are in, with these days. */
export function monthsWith<C>(
  kind: CellKind<C>,
  members: number,
  months: MonthRows,
  sealed: readonly SealedDay<C>[],
): StoredRow[] {
  return [...Map.groupBy(sealed, ({ day }) => monthOf(day).month)].map(([month, days]) => {
    const known = months.get(month)
    const row = [...((known && kind.unpack(known, members)) ?? EMPTY_MONTH)]
    for (const { day, cell } of days) row[monthOf(day).index] = cell
    return { number: month, cells: kind.pack(row, members) }
  })
}

/** The row of a month without the days of a range; undefined when nothing is left in it. */
export function monthWithout({ number, cells }: StoredRow, from: number, to: number): Uint8Array | undefined {
  const first = firstDayOf(number)
  return reopenPlaces(cells, (place) => first + place >= from && first + place <= to)
}
