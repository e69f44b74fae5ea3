import type { MovedDevice } from '../../inventory/decide-devices.ts'
import { zoneOf } from '../../lib/zone.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { localDaysOf } from '../../metric/local-day.ts'
import { firstKeptDay } from '../../telemetry/rollup/touched.ts'
import type { Sql } from './connect.ts'
import { reopenDays, type UntrueDays } from './sealed-days.ts'
import { seriesOfSite } from './series.ts'
import { lockSite } from './site-state.ts'
import { readingRanges } from './stored-readings.ts'

/** All days of the devices and of the spaces they are or were in are rolled up anew. */
export async function reopenDevices(
  sql: Sql,
  siteUuid: string,
  moved: readonly MovedDevice[],
  now: number,
): Promise<void> {
  if (moved.length === 0) return
  const state = await lockSite(sql, siteUuid)
  const [site] = await sql<{ time_zone: string }[]>`SELECT time_zone FROM sites WHERE site_uuid = ${siteUuid}`
  if (!state || state.sealedBefore === 0 || !site) return
  const days = localDaysOf(zoneOf(site.time_zone))
  const series = await seriesOfSite(sql, siteUuid)
  const own = moved.flatMap(({ deviceUuid, placements }) =>
    Object.entries(series.get(deviceUuid) ?? {}).map(([metric, seriesId]) => ({
      seriesId,
      spaceSeries: placements.flatMap(
        ({ spaceUuid }) => series.get(spaceUuid)?.[metric as MeasuredMetric] ?? [],
      ),
    })),
  )
  const ranges = await readingRanges(
    sql,
    siteUuid,
    own.map(({ seriesId }) => seriesId),
  )
  const touched = own.flatMap(({ seriesId, spaceSeries }): UntrueDays[] => {
    const range = ranges.get(seriesId)
    if (!range) return []
    const from = Math.max(days.numberAt(range.from) - 1, firstKeptDay(days, state.finalBefore))
    const to = Math.min(days.numberAt(range.to) + 1, days.numberAt(state.sealedBefore) - 1)
    if (from > to) return []
    return [seriesId, ...new Set(spaceSeries)].map((one) => ({ seriesId: one, from, to, untrueFrom: from }))
  })
  await reopenDays(sql, siteUuid, touched, now)
}
