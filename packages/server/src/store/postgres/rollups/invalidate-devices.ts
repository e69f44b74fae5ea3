import type { MovedDevice } from '../../../domain/estate/inventory/decide-devices.ts'
import { getZone } from '../../../calendar/zone.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { dependentDays, firstRetainedDay } from '../../../domain/telemetry/rollup/invalidation.ts'
import { type CorrectedDays, findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import type { Sql } from '../pool/connect.ts'
import { deleteRollups, type InvalidDays } from './rollup-rows.ts'
import { seriesOfSite } from '../inventory/series.ts'
import { addCorrections } from '../events/corrections.ts'
import { lockSiteExclusive } from './site-state.ts'
import { readingRanges } from '../readings/stored-readings.ts'

/** Invalidates all rollups of the devices, and of the spaces they are or were in. */
export async function reopenDevices(
  sql: Sql,
  siteUuid: string,
  moved: readonly MovedDevice[],
  now: number,
): Promise<void> {
  if (moved.length === 0) return
  const state = await lockSiteExclusive(sql, siteUuid)
  const [site] = await sql<{ time_zone: string }[]>`SELECT time_zone FROM sites WHERE site_uuid = ${siteUuid}`
  if (!state || !site || (state.rollupWatermark === 0 && state.closedBefore === 0)) return
  const days = getLocalDays(getZone(site.time_zone))
  const series = await seriesOfSite(sql, siteUuid)
  const own = moved.flatMap(({ deviceUuid, placements, changedFrom }) =>
    Object.entries(series.get(deviceUuid) ?? {}).map(([metric, seriesId]) => ({
      seriesId,
      changedFrom,
      spaceSeries: [
        ...new Set(
          placements.flatMap(({ spaceUuid }) => series.get(spaceUuid)?.[metric as MeasuredMetric] ?? []),
        ),
      ],
    })),
  )
  const ranges = await readingRanges(
    sql,
    siteUuid,
    own.map(({ seriesId }) => seriesId),
  )
  const invalid = own.flatMap(({ seriesId, spaceSeries }): InvalidDays[] => {
    const range = ranges.get(seriesId)
    if (!range) return []
    const dependent = dependentDays(days, range)
    const from = Math.max(dependent.from, firstRetainedDay(days, state.immutableBefore))
    const to = Math.min(dependent.to, days.dayAt(state.rollupWatermark) - 1)
    if (from > to) return []
    return [seriesId, ...spaceSeries].map((one) => ({ seriesId: one, from, to, invalidFrom: from }))
  })
  await deleteRollups(sql, siteUuid, invalid, now)
  const corrected = own.flatMap(({ seriesId, spaceSeries, changedFrom }): CorrectedDays[] => {
    const range = ranges.get(seriesId)
    if (!range) return []
    const dependent = dependentDays(days, range)
    const first = Math.max(dependent.from, firstRetainedDay(days, state.immutableBefore))
    const changed = {
      from: Math.max(days.startOfDay(first), changedFrom),
      to: days.startOfDay(dependent.to + 1),
    }
    return findCorrectedDays(days, spaceSeries, changed, state.closedBefore)
  })
  await addCorrections(sql, siteUuid, corrected, now)
}
