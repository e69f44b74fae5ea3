import { covers, type TimeSpan } from '../../../calendar/interval.ts'
import { firstDayOfMonth, type LocalDays, toMonth } from '../../../calendar/local-day.ts'
import { round6 } from '../reading/window-value.ts'
import { METER } from '../rollup/cell-kind.ts'
import { OPEN_CELL, readMeterValues } from '../rollup/cell-row.ts'
import type { CellSource } from '../rollup/cells.ts'
import type { Contributor } from './contribution.ts'
import type { RollupUnit } from '../rollup/rollup-unit.ts'
import { trustedValues } from './columns.ts'
import { sumConsumption } from './meter-series.ts'

const DAYS_IN_MONTH = 31

const values = new Float64Array(DAYS_IN_MONTH)

/**
 * The contributors' consumption on each of several consecutive days, NaN where nothing was measured and on suspect
 * days. The values are those of `sumConsumption`, but without an object per day if a single contributor was installed on
 * all of them.
 */
export async function dayValuesIn(
  source: CellSource,
  contributors: readonly Contributor[],
  days: readonly TimeSpan[],
): Promise<Float64Array> {
  const result = new Float64Array(days.length).fill(Number.NaN)
  const [contributor, another] = contributors
  if (!contributor) return result
  const units = days.map((day) => toUnit(source.days, day))
  const isSingle = !another && units.every((unit) => unit && covers(contributor.placement, unit))
  if (isSingle) await addDays(source, contributor, units.filter(isUnit), result)
  else {
    result.set(trustedValues(await sumConsumption(source, contributors, days)))
  }
  return result
}

const isUnit = (unit: RollupUnit | undefined): unit is RollupUnit => unit !== undefined

/** Undefined for a span that is not exactly a calendar day. */
function toUnit(calendar: LocalDays, { from, to }: TimeSpan): RollupUnit | undefined {
  const day = calendar.dayAt(from)
  const isDay = calendar.startOfDay(day) === from && calendar.startOfDay(day + 1) === to
  return isDay ? { kind: 'day', day, index: 0, from, to } : undefined
}

async function addDays(
  source: CellSource,
  contributor: Contributor,
  units: readonly RollupUnit[],
  result: Float64Array,
): Promise<void> {
  const { rollups, siteUuid } = source
  const { seriesId, members } = contributor
  const [first, last] = [units[0], units.at(-1)]
  if (!first || !last) return
  const byDay = new Map<number, number>()
  const months = [toMonth(first.day).month, toMonth(last.day).month] as const
  const rows = seriesId === undefined ? [] : await rollups.months(siteUuid, seriesId, ...months)
  for (const { number, cells } of rows) {
    const count = readMeterValues(cells, members, values, true) ?? 0
    for (let index = 0; index < count; index += 1) {
      const value = values[index] ?? OPEN_CELL
      if (value !== OPEN_CELL) byDay.set(firstDayOfMonth(number) + index, value)
    }
  }
  const open: { unit: RollupUnit; index: number }[] = []
  for (const [index, unit] of units.entries()) {
    const value = byDay.get(unit.day)
    if (value === undefined) open.push({ unit, index })
    else result[index] = shown(value)
  }
  if (open.length === 0) return
  const cells = await contributor.read(
    source,
    METER,
    open.map(({ unit }) => unit),
  )
  for (const [offset, { index }] of open.entries()) {
    const cell = cells[offset]
    if (cell && !cell.isSuspect) result[index] = shown(cell.value ?? Number.NaN)
  }
}

/** Rounded twice: as the value of a contributor, and as the value of the window. */
const shown = (value: number): number => round6(round6(value))
