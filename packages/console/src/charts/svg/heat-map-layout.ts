import { formatShortMonth, getWeekday, toDayNumber } from '../time.ts'
import type { Window } from '../windows.ts'

/** Shades of the scale, from the least to the most. */
export const SHADES = 5

export interface HeatCell {
  window: Window
  /** Week of the calendar, from the first one. */
  column: number
  /** Day of the week; 0 is Monday. */
  row: number
  /** 0 to SHADES - 1; null without data. */
  shade: number | null
}

export interface HeatMapLayout {
  cells: HeatCell[]
  columns: number
  /** The column of each month's name. */
  months: { column: number; label: string }[]
  /** Lowest and highest value; null without data. */
  range: [number, number] | null
}

/** A calendar with a column for each week and a row for each day of the week, from windows of one day. */
export function layOutHeatMap(windows: readonly Window[]): HeatMapLayout {
  const [first] = windows
  if (!first) return { cells: [], columns: 0, months: [], range: null }
  const values = windows.flatMap(({ value }) => (value === null ? [] : [value]))
  const range: [number, number] | null = values.length > 0 ? [Math.min(...values), Math.max(...values)] : null
  const monday = toDayNumber(first.start) - getWeekday(first.start)
  const cells = windows.map((window) => ({
    window,
    column: Math.floor((toDayNumber(window.start) - monday) / 7),
    row: getWeekday(window.start),
    shade: window.value === null || !range ? null : toShade(window.value, range),
  }))
  return { cells, columns: (cells.at(-1)?.column ?? 0) + 1, months: placeMonths(cells), range }
}

function toShade(value: number, [low, high]: readonly [number, number]): number {
  if (high === low) return SHADES - 1
  return Math.min(SHADES - 1, Math.floor(((value - low) / (high - low)) * SHADES))
}

/** A name takes almost three columns; of two that are closer, the later one is kept. */
function placeMonths(cells: readonly HeatCell[]): HeatMapLayout['months'] {
  const starts = cells.filter(
    ({ window }, index) => index === 0 || cells[index - 1]?.window.start.month !== window.start.month,
  )
  return starts
    .filter(({ column }, index) => (starts[index + 1]?.column ?? Infinity) - column >= 3)
    .map(({ column, window }) => ({ column, label: formatShortMonth(window.start) }))
}

/** The day after a key, in a calendar that is read down its columns; undefined if the key does nothing here. */
export function moveInHeatMap(index: number | null, key: string, count: number): number | null | undefined {
  const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }
  const step = steps[key]
  if (count === 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'Escape') return index === null ? undefined : null
  if (step === undefined) return undefined
  if (index === null) return step > 0 ? 0 : count - 1
  const target = index + step
  return target >= 0 && target < count ? target : index
}
