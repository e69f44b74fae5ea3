import type { DatabaseSync } from 'node:sqlite'
import type { CellSource } from '../../aggregate/cells.ts'
import { quartersToKeep } from '../../aggregate/kept-quarters.ts'
import type { DeviceSeries, SeriesIndex } from '../../aggregate/series-index.ts'
import { DAY_MS, dayOf } from '../../reading/packed-day.ts'
import { prepared } from './connect.ts'
import { journalOf } from './journal.ts'
import { sqliteRollups } from './rollups.ts'
import { integer } from './row.ts'
import { seriesIndexOf, siteOfSeries } from './series-index.ts'
import { firstStale } from './stale-days.ts'
import { storedReadings } from './stored-readings.ts'

/** Days that may not be over everywhere, or not rolled up yet, stay whatever the retention. */
const KEPT_MS = 2 * DAY_MS
/** Of what is older than the retention these stay: the edges of the first kept windows are interpolated from them. */
const KEPT_DAYS = 2

/** Drops readings that are older than they are kept; their quarter hours stay, as do all rollups. */
export interface Dropping {
  /** Does some of it; answers whether there is more. Runs inside a transaction. */
  step(): Promise<boolean>
}

export function startDropping(db: DatabaseSync, retentionMs: number, now: number): Dropping {
  const before = dayOf(now - Math.max(retentionMs, KEPT_MS))
  let lastSeries = Number.NEGATIVE_INFINITY
  return {
    async step() {
      const journal = journalOf(db)
      journal.hot()
      // From here on no rollup of these days is taken away: it could not be made again.
      if (journal.droppedBefore() < before * DAY_MS) journal.noteDropped(before * DAY_MS)
      const row = prepared(
        db,
        'SELECT min(series_id) AS series_id FROM latest_readings WHERE series_id > ?',
      ).get(lastSeries)
      if (!row || row['series_id'] === null) return false
      lastSeries = integer(row, 'series_id')
      await dropSeries(db, lastSeries, before)
      return true
    },
  }
}

async function dropSeries(db: DatabaseSync, seriesId: number, before: number): Promise<void> {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : seriesIndexOf(db, siteUuid)
  const device = index?.devices.get(seriesId)
  if (siteUuid === undefined || !index || !device) return
  // Days that are still to be rolled up need their readings.
  const end = Math.min(
    index.days.numberAt(before * DAY_MS),
    firstStale(db, seriesId) ?? Number.POSITIVE_INFINITY,
  )
  const old = prepared(db, 'SELECT day FROM reading_days WHERE series_id = ? AND day < ? ORDER BY day')
    .all(seriesId, dayOf(index.days.startOf(end)))
    .map((row) => integer(row, 'day'))
  const [first] = old
  const last = old.at(-KEPT_DAYS - 1)
  if (first === undefined || last === undefined) return
  await keepQuarters(db, siteUuid, index, device, index.days.numberAt(first * DAY_MS), end - 1)
  prepared(db, 'DELETE FROM reading_days WHERE series_id = ? AND day <= ?').run(seriesId, last)
}

async function keepQuarters(
  db: DatabaseSync,
  siteUuid: string,
  { days }: SeriesIndex,
  device: DeviceSeries,
  from: number,
  upTo: number,
): Promise<void> {
  const source: CellSource = {
    siteUuid,
    days,
    readings: storedReadings(db),
    rollups: sqliteRollups(() => db),
  }
  for (const { number, cells } of await quartersToKeep(source, device, { from, to: upTo })) {
    prepared(db, 'INSERT INTO rollup_quarters (series_id, day, cells) VALUES (?, ?, ?)').run(
      device.seriesId,
      number,
      cells,
    )
  }
}
