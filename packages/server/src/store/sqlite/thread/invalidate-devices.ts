import type { DatabaseSync } from 'node:sqlite'
import { firstRetainedDay } from '../../../domain/telemetry/rollup/invalidation.ts'
import type { Placement } from '../../../domain/estate/inventory/placement.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { getZone } from '../../../calendar/zone.ts'
import { prepareOnce } from '../connect.ts'
import { getJournal } from '../journal/journal.ts'
import { getQueuedSpans } from './invalidate-rollups.ts'
import { integer, text } from '../row.ts'
import { deleteRollups } from './rollup-rows.ts'
import { enqueue } from './rollup-queue.ts'
import { readingRange } from '../journal/stored-readings.ts'

/** Invalidates all rollups of a device, and of the spaces it is or was in. */
export function reopenDevice(
  db: DatabaseSync,
  siteUuid: string,
  deviceUuid: string,
  placements: readonly Placement[],
  now: number,
): void {
  const site = prepareOnce(db, 'SELECT time_zone FROM sites WHERE site_uuid = ?').get(siteUuid)
  if (!site) return
  const days = getLocalDays(getZone(text(site, 'time_zone')))
  const own = prepareOnce(
    db,
    'SELECT series_id, metric FROM series WHERE site_uuid = ? AND subject_uuid = ?',
  ).all(siteUuid, deviceUuid)
  for (const row of own) {
    const seriesId = integer(row, 'series_id')
    const range = readingRange(db, seriesId)
    if (!range) continue
    const from = Math.max(
      days.dayAt(range.from) - 1,
      firstRetainedDay(days, getJournal(db).retentionWatermark()),
    )
    const to = days.dayAt(range.to) + 1
    const spaces = new Set(placements.map(({ spaceUuid }) => spaceUuid))
    const spaceSeries = [...spaces].flatMap((space) => listSeries(db, siteUuid, space, text(row, 'metric')))
    for (const touched of [seriesId, ...spaceSeries]) {
      deleteRollups(db, touched, from, to)
      enqueue(db, { seriesId: touched, from, to, enqueuedAt: now, dueAt: now })
      getQueuedSpans(db).delete(touched)
    }
  }
}

function listSeries(db: DatabaseSync, siteUuid: string, subject: string, metric: string): number[] {
  const row = prepareOnce(
    db,
    'SELECT series_id FROM series WHERE site_uuid = ? AND subject_uuid = ? AND metric = ?',
  ).get(siteUuid, subject, metric)
  return row ? [integer(row, 'series_id')] : []
}
