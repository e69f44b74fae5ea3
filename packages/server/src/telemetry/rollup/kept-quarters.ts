import { monthOf } from '../../metric/local-day.ts'
import type { CellKind } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { byNumber, openDays } from './month-row.ts'
import type { DayRange } from './roll-up.ts'
import { quartersOf } from './seal.ts'
import { type DeviceSeries, withKind } from './series-index.ts'
import type { StoredRow } from './store.ts'

/** The quarter hours of rolled up days that are not kept yet: for when the readings of these days go. */
export async function quartersToKeep(
  source: CellSource,
  device: DeviceSeries,
  { from, to }: DayRange,
): Promise<StoredRow[]> {
  const { siteUuid, rollups } = source
  const { seriesId } = device
  const months = byNumber(await rollups.months(siteUuid, seriesId, monthOf(from).month, monthOf(to).month))
  const kept = byNumber(await rollups.quarters(siteUuid, seriesId, from, to))
  const keep = async <C>(kind: CellKind<C>): Promise<StoredRow[]> => {
    const empty = new Set(openDays(kind, 1, months, from, to))
    const rows: StoredRow[] = []
    for (let day = from; day <= to; day += 1) {
      if (!empty.has(day) && !kept.has(day))
        rows.push({ number: day, cells: await quartersOf(source, kind, device, day) })
    }
    return rows
  }
  return withKind(device.metric, { meter: keep, gauge: keep })
}
