import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../../lib/clock.ts'
import { type Checksummed, rowChecksum } from '../../../lib/row-checksum.ts'
import type { Position, TransferRow, TransferTable, Value } from '../../transfer.ts'
import { prepared } from '../connect.ts'
import { DamagedData } from '../../damaged-data.ts'
import { storeInventoryChecksum } from '../inventory-checksum.ts'
import { putJournalState, readJournalState } from '../journal-rows.ts'
import { noteLatestPacked } from '../latest-packed.ts'
import { startPacking } from './pack.ts'
import { lostReadings } from '../quarantine.ts'
import { integer, text } from '../row.ts'
import { noteSealedBefore, sealedBefore } from './sealed-days.ts'
import { repairSeriesDays } from '../series-days.ts'
import { seriesIndexOf } from '../series-index.ts'
import { markStale } from './stale-days.ts'
import { readingRange } from '../stored-readings.ts'
import { kept } from '../transfer-read.ts'

export const transferWrites = {
  /** Empties the journal: a copy reads the packed days only. */
  prepareReading(db: DatabaseSync): void {
    const now = systemClock.now()
    const packing = startPacking(db)
    while (packing.step(now));
    if (lostReadings(db).length > 0) throw new DamagedData('readings of this store are lost')
  },

  begin(db: DatabaseSync, source: string): boolean {
    const inUse = IN_USE.map((name) => `SELECT 1 FROM ${name}`).join(' UNION ALL ')
    if (prepared(db, `${inUse} LIMIT 1`).get()) return false
    prepared(db, 'INSERT INTO unfinished_copy (id, source) VALUES (1, ?)').run(source)
    return true
  },

  write(db: DatabaseSync, table: TransferTable, rows: readonly TransferRow[], position: Position): void {
    const put = OTHERWISE[table.name] ?? putPlain
    for (const row of rows) put(db, table, row)
    prepared(db, 'UPDATE unfinished_copy SET position = ?').run(JSON.stringify(position))
  },

  /** Days that are not closed have no marks in a copy: here they are rolled up because of them. */
  settleCopy(db: DatabaseSync): void {
    const now = systemClock.now()
    for (const row of prepared(db, 'SELECT DISTINCT series_id FROM reading_days').all())
      repairSeriesDays(db, integer(row, 'series_id'))
    for (const row of prepared(db, 'SELECT site_uuid FROM sites').all()) {
      const siteUuid = text(row, 'site_uuid')
      storeInventoryChecksum(db, siteUuid)
      markOpenDays(db, siteUuid, now)
    }
  },

  complete(db: DatabaseSync): void {
    prepared(db, 'DELETE FROM unfinished_copy').run()
  },
}

/** Whoever has nothing in these has nothing. */
const IN_USE = ['sites', 'partners', 'signing_keys', 'audit', 'v1_lifecycle', 'images', 'unfinished_copy']

type Put = (db: DatabaseSync, table: TransferTable, row: TransferRow) => void

const OTHERWISE: Record<string, Put> = {
  // Every store has its one row from the beginning.
  installation: (db, table, row) => {
    prepared(db, 'DELETE FROM installation').run()
    putPlain(db, table, row)
  },
  site_marks: (db, _table, [siteUuid, sealed, final]) => {
    if (sealed !== 0) noteSealedBefore(db, String(siteUuid), Number(sealed))
    const state = readJournalState(db)
    putJournalState(db, { ...state, droppedBefore: Math.max(state.droppedBefore, Number(final)) })
  },
  latest_readings: (db, _table, [, seriesId, at, value]) =>
    noteLatestPacked(db, Number(seriesId), Number(at), Number(value)),
  stale_days: (db, _table, [, seriesId, from, to]) => {
    prepared(
      db,
      'INSERT INTO stale_days (series_id, from_day, to_day, marked_at, due_at) VALUES (?, ?, ?, 0, 0)',
    ).run(Number(seriesId), Number(from), Number(to))
  },
}

const putPlain: Put = (db, table, row) =>
  table.of === 'series' ? putSeries(db, table, row) : insert(db, table.name, table.columns, row)

const putSeries: Put = (db, table, [, seriesId, number, bytes]) => {
  const name = kept(table.name)
  const columns = table.columns.slice(1)
  const checksum = rowChecksum(name as Checksummed, Number(seriesId), Number(number), bytes as Uint8Array)
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
  prepared(db, `INSERT INTO ${name} (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
  )
}

function markOpenDays(db: DatabaseSync, siteUuid: string, now: number): void {
  const index = seriesIndexOf(db, siteUuid)
  if (!index) return
  const { days, devices } = index
  const sealed = sealedBefore(db, siteUuid)
  for (const seriesId of devices.keys()) {
    const range = readingRange(db, seriesId)
    if (!range || range.to < sealed) continue
    const from = days.numberAt(Math.max(range.from, sealed))
    markStale(db, {
      seriesId,
      from,
      to: days.numberAt(range.to),
      markedAt: now,
      dueAt: days.startOf(from + 1),
    })
  }
}
