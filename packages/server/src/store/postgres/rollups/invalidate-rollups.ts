import type { DeviceSeries, SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import {
  dependsOnNeighbours,
  type Neighbours,
  groupReadings,
  affectedDays,
  affectedSpan,
} from '../../../domain/telemetry/rollup/invalidation.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Sql } from '../pool/connect.ts'
import { findNeighbours } from '../readings/neighbours.ts'
import type { ChangedSeries } from '../readings/reading-rows.ts'
import { deleteRollups, type InvalidDays } from './rollup-rows.ts'
import type { SiteState } from './site-state.ts'

/** Delay of the rollup, because more late readings of the same days may follow. */
const PATIENCE_MS = 60_000
const ALONE: Neighbours = { before: undefined, after: undefined }

interface LateRun {
  device: DeviceSeries
  run: TimeSpan
}

/** Deletes the rollups that late readings invalidate, and enqueues their days. */
export async function invalidateLate(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  state: SiteState,
  changes: readonly ChangedSeries[],
  now: number,
): Promise<void> {
  const runs = changes.flatMap(({ seriesId, timestamps }) => {
    const device = index.devices.get(seriesId)
    return device ? suspectRuns(device, timestamps, state.rollupWatermark) : []
  })
  const between = runs.filter(({ device }) => dependsOnNeighbours(device.spec))
  const found = await findNeighbours(
    sql,
    siteUuid,
    between.map(({ device: { seriesId }, run }) => ({ seriesId, ...run })),
  )
  const neighbours = new Map(between.map(({ run }, place) => [run, found[place] ?? ALONE]))
  const touched = runs.flatMap(({ device, run }) =>
    untrueDays(index, state, device, affectedSpan(device.spec, run, neighbours.get(run) ?? ALONE)),
  )
  await deleteRollups(sql, siteUuid, touched, now + PATIENCE_MS)
}

/** The runs that may affect rollups: without those after a reading of the same batch that is newer than any rollup. */
function suspectRuns(device: DeviceSeries, timestamps: readonly number[], sealedBefore: number): LateRun[] {
  let before = Number.NEGATIVE_INFINITY
  return groupReadings(timestamps).flatMap((run) => {
    const previous = dependsOnNeighbours(device.spec) ? before : run.from
    before = run.to
    return previous < sealedBefore ? [{ device, run }] : []
  })
}

function untrueDays(
  { days }: SeriesIndex,
  { rollupWatermark, immutableBefore }: SiteState,
  { seriesId, spaceSeries }: DeviceSeries,
  span: TimeSpan,
): InvalidDays[] {
  const { device, space } = affectedDays(days, span, immutableBefore)
  const to = Math.min(device.to, days.dayAt(rollupWatermark) - 1)
  if (device.from > to) return []
  return [{ ...device, to, seriesId }, ...spaceSeries.map((touched) => ({ ...space, to, seriesId: touched }))]
}
