import { isDeepStrictEqual } from 'node:util'
import { firstDayOfMonth, toMonth } from '../../../calendar/local-day.ts'
import { isSameBytes } from '../reading/bytes.ts'
import { unpackRow } from './cell-row.ts'
import type { CellSource } from './cells.ts'
import { indexByNumber } from './month-row.ts'
import { type DayRange, rollUp } from './roll-up.ts'
import type { SeriesIndex } from './series-index.ts'
import type { RollupStore, RollupRow } from './store.ts'

/** A day whose rollup does not match its readings. */
export interface WrongRollup {
  day: number
  reason: string
}

/** A store without rollups, so that everything is computed from the readings. */
const NO_ROLLUPS: RollupStore = {
  days: async () => [],
  months: async () => [],
  quarters: async () => [],
}

/** Compares the rollups of a series with its readings over a range of days (inclusive), month by month. */
export async function findWrongRollups(
  source: CellSource,
  index: SeriesIndex,
  seriesId: number,
  { from, to }: DayRange,
): Promise<WrongRollup[]> {
  const wrong: WrongRollup[] = []
  for (let start = from; start <= to; ) {
    const end = Math.min(to, firstDayOfMonth(toMonth(start).month + 1) - 1)
    wrong.push(...(await findInMonth(source, index, seriesId, { from: start, to: end })))
    start = end + 1
  }
  return wrong
}

async function findInMonth(
  source: CellSource,
  index: SeriesIndex,
  seriesId: number,
  range: DayRange,
): Promise<WrongRollup[]> {
  const { siteUuid, rollups } = source
  const { month } = toMonth(range.from)
  const days = indexByNumber(await rollups.days(siteUuid, seriesId, range.from, range.to))
  const [stored] = await rollups.months(siteUuid, seriesId, month, month)
  if (days.size === 0 && !stored) return []
  const expected = await rollUp({ ...source, rollups: NO_ROLLUPS }, index, seriesId, range)
  const expectedDays = indexByNumber(expected.days)
  const cells = unpackPlain(stored)
  const expectedCells = unpackPlain(expected.months[0])
  const wrong: WrongRollup[] = []
  for (let day = range.from; day <= range.to; day += 1) {
    const index = toMonth(day).index
    const [row, cell] = [days.get(day), cells[index]]
    const expectedRow = expectedDays.get(day)
    if (row && !(expectedRow && isSameBytes(row, expectedRow)))
      wrong.push({ day, reason: 'its hours do not match the readings' })
    else if (cell !== undefined && !isDeepStrictEqual(cell, expectedCells[index]))
      wrong.push({ day, reason: 'it does not match the readings' })
    else if (cell !== undefined && !row) wrong.push({ day, reason: 'its hours are missing' })
  }
  return wrong
}

/** Freshly packed rows are Buffers, which are never strictly equal to the plain byte arrays that a store returns. */
const unpackPlain = (row: RollupRow | undefined): ReturnType<typeof unpackRow> =>
  row ? unpackRow(Uint8Array.from(row.cells)) : []
