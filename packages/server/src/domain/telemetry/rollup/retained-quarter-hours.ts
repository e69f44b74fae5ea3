import { toMonth } from '../../../calendar/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { indexByNumber, findMissingDays } from './month-row.ts'
import type { DayRange } from './roll-up.ts'
import { rollUpQuarterHours } from './roll-up-days.ts'
import { type DeviceSeries, withCellKind } from './series-index.ts'
import type { RollupRow } from './store.ts'

/** Quarter hours of rolled-up days that are not stored yet, to be stored before the readings are deleted. */
export async function quarterHoursToRetain(
  source: CellSource,
  device: DeviceSeries,
  { from, to }: DayRange,
): Promise<RollupRow[]> {
  const { siteUuid, rollups } = source
  const { seriesId } = device
  const months = indexByNumber(
    await rollups.months(siteUuid, seriesId, toMonth(from).month, toMonth(to).month),
  )
  const retained = indexByNumber(await rollups.quarters(siteUuid, seriesId, from, to))
  const keep = async <C>(kind: CellKind<C>): Promise<RollupRow[]> => {
    const empty = new Set(findMissingDays(kind, 1, months, from, to))
    const rows: RollupRow[] = []
    for (let day = from; day <= to; day += 1) {
      if (!empty.has(day) && !retained.has(day))
        rows.push({ number: day, cells: await rollUpQuarterHours(source, kind, device, day) })
    }
    return rows
  }
  return withCellKind(device.metric, { meter: keep, gauge: keep })
}
