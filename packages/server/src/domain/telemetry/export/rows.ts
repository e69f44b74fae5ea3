import type { TimeSpan } from '../../../calendar/interval.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import type { Pause } from '../../../kernel/time-slice.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Readings } from '../reading/packed-day.ts'
import { createBatchBuilder } from './batch-builder.ts'
import type { RowBatch } from './format.ts'
import type { Snapshots } from './store.ts'

/** A series of readings. */
export interface ReadingSeries {
  deviceUuid: string
  metric: MeasuredMetric
  seriesId: number
}

/** Maximum number of series × days in the first snapshot, so that the client soon receives something. */
const FIRST_SERIES_DAYS = 1_000

/** Later snapshots read more, because a query takes about as long as unpacking a day. At least one day is read. */
const MAX_SERIES_DAYS = 5_000

/** Approximate maximum number of readings that are read in one snapshot and held in memory: 8 MB. */
const MAX_READINGS = 500_000

/** Series that are read between two pauses: about half a millisecond of work. */
const SERIES_PER_STEP = 25

/** The declared series of some devices, by device and metric. An import accepts readings of declared series only. */
export const listReadingSeries = (
  devices: Iterable<Device>,
  metrics: readonly MeasuredMetric[] | undefined,
): ReadingSeries[] =>
  [...devices]
    .flatMap(({ record: { deviceUuid, metrics: declared }, series }) =>
      Object.keys(declared)
        .toSorted()
        .flatMap((name) => {
          const metric = name as MeasuredMetric
          const seriesId = series[metric]
          const isWanted = metrics?.includes(metric) ?? true
          return seriesId === undefined || !isWanted ? [] : [{ deviceUuid, metric, seriesId }]
        }),
    )
    .toSorted((a, b) => (a.deviceUuid < b.deviceUuid ? -1 : a.deviceUuid > b.deviceUuid ? 1 : 0))

/** The local days of a span, clipped to it. */
export function listDays(zone: Zone, { from, to }: TimeSpan): TimeSpan[] {
  const days = getLocalDays(zone)
  const spans: TimeSpan[] = []
  for (let day = days.dayAt(from); days.startOfDay(day) < to; day += 1) {
    const span = { from: Math.max(from, days.startOfDay(day)), to: Math.min(to, days.startOfDay(day + 1)) }
    // A day that the zone skipped has length 0.
    if (span.from < span.to) spans.push(span)
  }
  return spans
}

/** The readings of some series, by local day, device, metric and time. Each day is read in one snapshot. */
export async function* readRows(
  snapshots: Snapshots,
  { site, zone }: Pick<SiteModel, 'site' | 'zone'>,
  series: readonly ReadingSeries[],
  span: TimeSpan,
  pause: Pause,
): AsyncGenerator<RowBatch> {
  const days = listDays(zone, span)
  const builder = createBatchBuilder(1)
  let daysAtOnce = Math.max(1, Math.floor(FIRST_SERIES_DAYS / Math.max(1, series.length)))
  for (let first = 0; first < days.length && series.length > 0; ) {
    const group = days.slice(first, first + daysAtOnce)
    first += group.length
    const whole = { from: group[0]?.from ?? span.from, to: group.at(-1)?.to ?? span.to }
    const found = await readSnapshot(snapshots, site.siteUuid, series, whole, pause)
    const perDay = found.reduce((sum, { timestamps }) => sum + timestamps.length, 0) / group.length
    daysAtOnce = Math.max(1, Math.floor(Math.min(MAX_READINGS / perDay, MAX_SERIES_DAYS / series.length)))
    for (const day of group)
      for (const [index, { deviceUuid, metric }] of series.entries()) {
        const readings = found[index]
        if (!readings) continue
        let row = lowerBound(readings.timestamps, day.from)
        const end = lowerBound(readings.timestamps, day.to)
        while (row < end) {
          const added = Math.min(end - row, builder.room)
          builder.add(deviceUuid, metric, readings.timestamps, [readings.values], row, added)
          row += added
          if (builder.room > 0) continue
          const batch = builder.take()
          if (batch) yield batch
        }
      }
  }
  const rest = builder.take()
  if (rest) yield rest
}

/** The readings of each series in a span. Other requests are processed in between. */
const readSnapshot = (
  snapshots: Snapshots,
  siteUuid: string,
  series: readonly ReadingSeries[],
  span: TimeSpan,
  pause: Pause,
): Promise<Readings[]> =>
  snapshots.run(async ({ readings, rollups }) => {
    // A store in which a read is a round trip combines the reads of one tick.
    const atOnce = rollups.versions ? SERIES_PER_STEP : series.length
    const found: Readings[] = []
    for (let first = 0; first < series.length; first += atOnce) {
      const some = series.slice(first, first + atOnce)
      found.push(
        ...(await Promise.all(some.map(({ seriesId }) => readings.within(siteUuid, seriesId, span)))),
      )
      await pause()
    }
    return found
  })
