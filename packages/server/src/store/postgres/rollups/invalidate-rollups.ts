import type { DeviceSeries, SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import {
  dependsOnNeighbours,
  type Neighbours,
  groupReadings,
  affectedDays,
  affectedSpan,
} from '../../../domain/telemetry/rollup/invalidation.ts'
import { findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'
import { findNeighbours } from '../readings/neighbours.ts'
import type { ChangedSeries } from '../readings/reading-rows.ts'
import { deleteRollups, type InvalidDays } from './rollup-rows.ts'
import type { SiteState } from './site-state.ts'
import { addCorrections } from '../events/corrections.ts'

/** Delay of the rollup, because more late readings of the same days may follow. */
const PATIENCE_MS = 60_000
const ALONE: Neighbours = { before: undefined, after: undefined }

interface LateRun {
  device: DeviceSeries
  run: TimeSpan
}

/** Deletes the rollups that late readings invalidate, enqueues their days, and records corrections of closed days. */
export async function invalidateLate(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  state: SiteState,
  changes: readonly ChangedSeries[],
  now: number,
): Promise<void> {
  const before = Math.max(state.rollupWatermark, state.closedBefore)
  const runs = changes.flatMap(({ seriesId, timestamps }) => {
    const device = index.devices.get(seriesId)
    return device ? suspectRuns(device, timestamps, before) : []
  })
  const between = runs.filter(({ device }) => dependsOnNeighbours(device.spec))
  const found = await findNeighbours(
    sql,
    siteUuid,
    between.map(({ device: { seriesId }, run }) => ({ seriesId, ...run })),
  )
  const neighbours = new Map(between.map(({ run }, place) => [run, found[place] ?? ALONE]))
  const affected = runs.map(({ device, run }) => ({
    device,
    span: affectedSpan(device.spec, run, neighbours.get(run) ?? ALONE),
  }))
  const invalid = affected.flatMap(({ device, span }) => findInvalidDays(index, state, device, span))
  await deleteRollups(sql, siteUuid, invalid, now + PATIENCE_MS)
  const corrected = affected.flatMap(({ device, span }) =>
    findCorrectedDays(index.days, device.spaceSeries, span, state.closedBefore),
  )
  await addCorrections(sql, siteUuid, corrected, now)
}

/** The runs that may affect rollups: without those after a reading of the same batch that is newer than any rollup. */
function suspectRuns(device: DeviceSeries, timestamps: readonly number[], watermark: number): LateRun[] {
  let before = Number.NEGATIVE_INFINITY
  return groupReadings(timestamps).flatMap((run) => {
    const previous = dependsOnNeighbours(device.spec) ? before : run.from
    before = run.to
    return previous < watermark ? [{ device, run }] : []
  })
}

function findInvalidDays(
  { days }: SeriesIndex,
  { rollupWatermark, immutableBefore }: SiteState,
  { seriesId, spaceSeries }: DeviceSeries,
  span: TimeSpan,
): InvalidDays[] {
  const { device, space } = affectedDays(days, span, immutableBefore)
  const to = Math.min(device.to, days.dayAt(rollupWatermark) - 1)
  if (device.from > to) return []
  return [{ ...device, to, seriesId }, ...spaceSeries.map((invalid) => ({ ...space, to, seriesId: invalid }))]
}
