import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../../kernel/clock.ts'
import { type ChecksummedRow, rowChecksum } from '../../../kernel/row-checksum.ts'
import {
  type Position,
  serializePosition,
  type TransferRow,
  type TransferTable,
  type Value,
} from '../../transfer.ts'
import { prepareOnce } from '../connect.ts'
import { DamagedData } from '../../damage.ts'
import { storeInventoryChecksum } from '../inventory/inventory-checksum.ts'
import { putJournalState, readJournalState } from '../journal/journal-rows.ts'
import { setLatestCompacted } from '../journal/latest-readings.ts'
import { startCompaction } from './compact-journal.ts'
import { lostReadings } from '../quarantine.ts'
import { integer, text } from '../row.ts'
import { advanceRollupWatermark, rollupWatermark, setClosedBefore } from './rollup-rows.ts'
import { repairSeriesDays } from '../journal/series-days.ts'
import { getSeriesIndex } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'
import { readingRange } from '../journal/stored-readings.ts'
import { toStoredTable } from '../transfer-read.ts'

export const transferWrites = {
  /** Compacts the journal: a copy reads packed days only. */
  prepareReading(db: DatabaseSync): void {
    const now = systemClock.now()
    const compaction = startCompaction(db)
    while (compaction.step(now));
    if (lostReadings(db).length > 0) throw new DamagedData('readings of this store are lost')
  },

  begin(db: DatabaseSync, source: string): boolean {
    const inUse = IN_USE.map((name) => `SELECT 1 FROM ${name}`).join(' UNION ALL ')
    if (prepareOnce(db, `${inUse} LIMIT 1`).get()) return false
    prepareOnce(db, 'INSERT INTO unfinished_copy (id, source) VALUES (1, ?)').run(source)
    return true
  },

  write(db: DatabaseSync, table: TransferTable, rows: readonly TransferRow[], position: Position): void {
    const put = OTHERWISE[table.name] ?? putPlain
    for (const row of rows) put(db, table, row)
    prepareOnce(db, 'UPDATE unfinished_copy SET position = ?').run(serializePosition(position))
  },

  /** A copy has queue entries for closed days only; SQLite also needs them for open days, to roll these up later. */
  rebuildSequences(db: DatabaseSync): void {
    const now = systemClock.now()
    for (const row of prepareOnce(db, 'SELECT DISTINCT series_id FROM reading_days').all())
      repairSeriesDays(db, integer(row, 'series_id'))
    for (const row of prepareOnce(db, 'SELECT site_uuid FROM sites').all()) {
      const siteUuid = text(row, 'site_uuid')
      storeInventoryChecksum(db, siteUuid)
      markOpenDays(db, siteUuid, now)
    }
  },

  complete(db: DatabaseSync): void {
    prepareOnce(db, 'DELETE FROM unfinished_copy').run()
  },
}

/** A store without rows in these tables is empty. */
const IN_USE = ['sites', 'partners', 'signing_keys', 'audit', 'v1_lifecycle', 'images', 'unfinished_copy']

type Put = (db: DatabaseSync, table: TransferTable, row: TransferRow) => void

const OTHERWISE: Record<string, Put> = {
  // Every store has this row from its first migration on.
  installation: (db, table, row) => {
    prepareOnce(db, 'DELETE FROM installation').run()
    putPlain(db, table, row)
  },
  site_state: (db, _table, [siteUuid, rollupWatermark, immutableBefore, closedBefore]) => {
    if (rollupWatermark !== 0) advanceRollupWatermark(db, String(siteUuid), Number(rollupWatermark))
    if (closedBefore !== 0) setClosedBefore(db, String(siteUuid), Number(closedBefore))
    const state = readJournalState(db)
    putJournalState(db, {
      ...state,
      retentionWatermark: Math.max(state.retentionWatermark, Number(immutableBefore)),
    })
  },
  latest_readings: (db, _table, [, seriesId, at, value]) =>
    setLatestCompacted(db, Number(seriesId), Number(at), Number(value)),
  rollup_queue: (db, _table, [, seriesId, from, end]) => {
    prepareOnce(
      db,
      'INSERT INTO rollup_queue (series_id, from_day, end_day, enqueued_at, due_at) VALUES (?, ?, ?, 0, 0)',
    ).run(Number(seriesId), Number(from), Number(end))
  },
}

const putPlain: Put = (db, table, row) =>
  table.of === 'series' ? putSeries(db, table, row) : insert(db, table.name, table.columns, row)

const putSeries: Put = (db, table, [, seriesId, number, bytes]) => {
  const name = toStoredTable(table.name)
  const columns = table.columns.slice(1)
  const checksum = rowChecksum(name as ChecksummedRow, Number(seriesId), Number(number), bytes as Uint8Array)
  insert(
    db,
    name,
    [...columns, ['checksum', 'whole']],
    [seriesId ?? null, number ?? null, bytes ?? null, checksum],
  )
}

function insert(
  db: DatabaseSync,
  name: string,
  columns: TransferTable['columns'],
  values: readonly Value[],
): void {
  const names = columns.map(([column]) => column).join(', ')
  prepareOnce(db, `INSERT INTO ${name} (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
  )
}

function markOpenDays(db: DatabaseSync, siteUuid: string, now: number): void {
  const index = getSeriesIndex(db, siteUuid)
  if (!index) return
  const { days, devices } = index
  const watermark = rollupWatermark(db, siteUuid)
  for (const seriesId of devices.keys()) {
    const range = readingRange(db, seriesId)
    if (!range || range.to < watermark) continue
    const from = days.dayAt(Math.max(range.from, watermark))
    enqueue(db, {
      seriesId,
      from,
      to: days.dayAt(range.to),
      enqueuedAt: now,
      dueAt: days.startOfDay(from + 1),
    })
  }
}
