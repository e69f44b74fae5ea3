import type { DatabaseSync } from 'node:sqlite'
import { firstKeptDay } from '../../../telemetry/rollup/touched.ts'
import type { Placement } from '../../../inventory/placement.ts'
import { localDaysOf } from '../../../metric/local-day.ts'
import { zoneOf } from '../../../lib/zone.ts'
import { prepared } from '../connect.ts'
import { journalOf } from '../journal.ts'
import { markedOf } from './reopen.ts'
import { integer, text } from '../row.ts'
import { reopenDays } from './sealed-days.ts'
import { markStale } from './stale-days.ts'
import { readingRange } from '../stored-readings.ts'

/** All days of a device and of the spaces it is or was in are rolled up anew. */
export function reopenDevice(
  db: DatabaseSync,
  siteUuid: string,
  deviceUuid: string,
  placements: readonly Placement[],
  now: number,
): void {
  const site = prepared(db, 'SELECT time_zone FROM sites WHERE site_uuid = ?').get(siteUuid)
  if (!site) return
  const days = localDaysOf(zoneOf(text(site, 'time_zone')))
  const own = prepared(
    db,
    'SELECT series_id, metric FROM series WHERE site_uuid = ? AND subject_uuid = ?',
  ).all(siteUuid, deviceUuid)
  for (const row of own) {
    const seriesId = integer(row, 'series_id')
    const range = readingRange(db, seriesId)
    if (!range) continue
    const from = Math.max(days.numberAt(range.from) - 1, firstKeptDay(days, journalOf(db).droppedBefore()))
    const to = days.numberAt(range.to) + 1
    const spaces = new Set(placements.map(({ spaceUuid }) => spaceUuid))
    const spaceSeries = [...spaces].flatMap((space) => seriesOf(db, siteUuid, space, text(row, 'metric')))
    for (const touched of [seriesId, ...spaceSeries]) {
      reopenDays(db, touched, from, to)
      markStale(db, { seriesId: touched, from, to, markedAt: now, dueAt: now })
      markedOf(db).delete(touched)
    }
  }
}

function seriesOf(db: DatabaseSync, siteUuid: string, subject: string, metric: string): number[] {
  const row = prepared(
    db,
    'SELECT series_id FROM series WHERE site_uuid = ? AND subject_uuid = ? AND metric = ?',
  ).get(siteUuid, subject, metric)
  return row ? [integer(row, 'series_id')] : []
}
