import type { DatabaseSync } from 'node:sqlite'
import { numbersChecksum, rowChecksum } from '../../../kernel/row-checksum.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { failDamaged } from '../damage.ts'
import { batchSpan, type JournalBatch } from './journal-batch.ts'

export interface JournalRow {
  arrival: number
  batch: Uint8Array
  /** Whether the batch matches its checksum. */
  isIntact: boolean
  /** The first and last instant in the batch; undefined if these are damaged too. */
  span: { firstAt: number; lastAt: number } | undefined
}

type StoredJournalRow = [
  arrival: number,
  batch: Uint8Array<ArrayBuffer>,
  checksum: number,
  firstAt: number,
  lastAt: number,
  spanChecksum: number,
]

export const readJournal = (db: DatabaseSync, after: number): JournalRow[] =>
  prepareArraysOnce<StoredJournalRow>(
    db,
    `SELECT arrival, batch, checksum, first_at, last_at, span_checksum FROM journal
     WHERE arrival > ? ORDER BY arrival`,
  )
    .all(after)
    .map(([arrival, batch, checksum, firstAt, lastAt, spanChecksum]) => ({
      arrival,
      batch,
      isIntact: rowChecksum('journal', 0, arrival, batch) === checksum,
      span:
        numbersChecksum('journal_span', [arrival, firstAt, lastAt]) === spanChecksum
          ? { firstAt, lastAt }
          : undefined,
    }))

export function appendToJournal(
  db: DatabaseSync,
  arrival: number,
  packed: Uint8Array,
  batch: JournalBatch,
): void {
  const { firstAt, lastAt } = batchSpan(batch)
  prepareOnce(
    db,
    `INSERT INTO journal (arrival, batch, checksum, first_at, last_at, span_checksum) VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(
    arrival,
    packed,
    rowChecksum('journal', 0, arrival, packed),
    firstAt,
    lastAt,
    numbersChecksum('journal_span', [arrival, firstAt, lastAt]),
  )
}

/** The number of the last arrival ever; arrivals are numbered without gaps. */
export function lastArrivalEver(db: DatabaseSync): number {
  const [[last] = [0]] = prepareArraysOnce<[last: number]>(
    db,
    "SELECT seq FROM sqlite_sequence WHERE name = 'journal'",
  ).all()
  return last
}

export interface JournalState {
  packedThrough: number
  retentionWatermark: number
}

export function readJournalState(db: DatabaseSync): JournalState {
  const [row] = prepareArraysOnce<[packedThrough: number, droppedBefore: number, checksum: number]>(
    db,
    'SELECT packed_through, dropped_before, checksum FROM journal_state',
  ).all()
  if (!row || numbersChecksum('journal_state', [row[0], row[1], 0]) !== row[2])
    failDamaged(db, {
      table: 'journal_state',
      reason: row ? 'the checksum is wrong' : 'the row is missing',
    })
  const [packedThrough, retentionWatermark] = row
  return { packedThrough, retentionWatermark }
}

export const putJournalState = (
  db: DatabaseSync,
  { packedThrough, retentionWatermark }: JournalState,
): void =>
  void prepareOnce(db, 'UPDATE journal_state SET packed_through = ?, dropped_before = ?, checksum = ?').run(
    packedThrough,
    retentionWatermark,
    numbersChecksum('journal_state', [packedThrough, retentionWatermark, 0]),
  )
