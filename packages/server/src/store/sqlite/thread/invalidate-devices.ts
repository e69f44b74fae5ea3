import type { DatabaseSync } from 'node:sqlite'
import { dependentDays, firstRetainedDay } from '../../../domain/telemetry/rollup/invalidation.ts'
import type { MovedDevice } from '../../../domain/estate/inventory/decide-devices.ts'
import { findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { getZone } from '../../../calendar/zone.ts'
import { prepareOnce } from '../connect.ts'
import { getJournal } from '../journal/journal.ts'
import { getStoredChanges } from './stored-changes.ts'
import { integer, text } from '../row.ts'
import { addCorrections } from './corrections.ts'
import { loadSiteState } from '../rollups/site-state.ts'
import { deleteRollups } from './rollup-rows.ts'
import { enqueue } from './rollup-queue.ts'
import { readingRange } from '../journal/stored-readings.ts'

/** Invalidates all rollups of a device, and of the spaces it is or was in. */
export function reopenDevice(
  db: DatabaseSync,
  siteUuid: string,
  { deviceUuid, placements, changedFrom }: MovedDevice,
  now: number,
): void {
  const site = prepareOnce(db, 'SELECT time_zone FROM sites WHERE site_uuid = ?').get(siteUuid)
  if (!site) return
  const days = getLocalDays(getZone(text(site, 'time_zone')))
  const { closedBefore } = loadSiteState(db, siteUuid)
  const own = prepareOnce(
    db,
    'SELECT series_id, metric FROM series WHERE site_uuid = ? AND subject_uuid = ?',
  ).all(siteUuid, deviceUuid)
  for (const row of own) {
    const seriesId = integer(row, 'series_id')
    const range = readingRange(db, seriesId)
    if (!range) continue
    const dependent = dependentDays(days, range)
    const from = Math.max(dependent.from, firstRetainedDay(days, getJournal(db).retentionWatermark()))
    const { to } = dependent
    const spaces = new Set(placements.map(({ spaceUuid }) => spaceUuid))
    const spaceSeries = [...spaces].flatMap((space) => listSeries(db, siteUuid, space, text(row, 'metric')))
    const changed = { from: Math.max(days.startOfDay(from), changedFrom), to: days.startOfDay(to + 1) }
    addCorrections(db, siteUuid, findCorrectedDays(days, spaceSeries, changed, closedBefore), now)
    for (const affected of [seriesId, ...spaceSeries]) {
      deleteRollups(db, affected, from, to)
      enqueue(db, { seriesId: affected, from, to, enqueuedAt: now, dueAt: now })
      getStoredChanges(db).delete(affected)
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
