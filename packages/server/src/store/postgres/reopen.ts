import type { DeviceSeries, SeriesIndex } from '../../telemetry/rollup/series-index.ts'
import {
  hasNeighbours,
  type Neighbours,
  runsOf,
  touchedDays,
  touchedSpan,
} from '../../telemetry/rollup/touched.ts'
import type { Span } from '../../reading/window-value.ts'
import type { Sql } from './connect.ts'
import { neighboursOf } from './neighbours.ts'
import type { ChangedSeries } from './reading-rows.ts'
import { reopenDays, type UntrueDays } from './sealed-days.ts'
import type { SiteState } from './site-state.ts'

/** More of the same history may be coming: its days are rolled up when it has calmed down. */
const PATIENCE_MS = 60_000
const ALONE: Neighbours = { before: undefined, after: undefined }

interface LateRun {
  device: DeviceSeries
  run: Span
}

/** Takes away the rollups that late readings make untrue, and marks the days to be rolled up. */
export async function noteLate(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  state: SiteState,
  changes: readonly ChangedSeries[],
  now: number,
): Promise<void> {
  const runs = changes.flatMap(({ seriesId, timestamps }) => {
    const device = index.devices.get(seriesId)
    return device ? suspectRuns(device, timestamps, state.sealedBefore) : []
  })
  const between = runs.filter(({ device }) => hasNeighbours(device.spec))
  const found = await neighboursOf(
    sql,
    siteUuid,
    between.map(({ device: { seriesId }, run }) => ({ seriesId, ...run })),
  )
  const neighbours = new Map(between.map(({ run }, place) => [run, found[place] ?? ALONE]))
  const touched = runs.flatMap(({ device, run }) =>
    untrueDays(index, state, device, touchedSpan(device.spec, run, neighbours.get(run) ?? ALONE)),
  )
  await reopenDays(sql, siteUuid, touched, now + PATIENCE_MS)
}

/** Without those that follow a reading of the same batch which is itself newer than any rollup. */
function suspectRuns(device: DeviceSeries, timestamps: readonly number[], sealedBefore: number): LateRun[] {
  let before = Number.NEGATIVE_INFINITY
  return runsOf(timestamps).flatMap((run) => {
    const previous = hasNeighbours(device.spec) ? before : run.from
    before = run.to
    return previous < sealedBefore ? [{ device, run }] : []
  })
}

function untrueDays(
  { days }: SeriesIndex,
  { sealedBefore, finalBefore }: SiteState,
  { seriesId, spaceSeries }: DeviceSeries,
  span: Span,
): UntrueDays[] {
  const { device, space } = touchedDays(days, span, finalBefore)
  const to = Math.min(device.to, days.numberAt(sealedBefore) - 1)
  if (device.from > to) return []
  return [{ ...device, to, seriesId }, ...spaceSeries.map((touched) => ({ ...space, to, seriesId: touched }))]
}
