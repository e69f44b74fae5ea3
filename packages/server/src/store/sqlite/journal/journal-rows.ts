import type { DatabaseSync } from 'node:sqlite'
import { numbersChecksum, rowChecksum } from '../../../kernel/row-checksum.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { failDamaged } from '../damage.ts'
import type { ReadingBatch } from '../../../domain/telemetry/reading/batch.ts'
import { batchSpan } from './journal-batch.ts'

export interface JournalRow {
  sequence: number
  batch: Uint8Array
  /** Whether the batch matches its checksum. */
  isIntact: boolean
  /** The first and last instant in the batch; undefined if these are damaged too. */
  span: { firstAt: number; lastAt: number } | undefined
}

type StoredJournalRow = [
  sequence: number,
  batch: Uint8Array<ArrayBuffer>,
  checksum: number,
  firstAt: number,
  lastAt: number,
  spanChecksum: number,
]

export const readJournal = (db: DatabaseSync, after: number): JournalRow[] =>
  prepareArraysOnce<StoredJournalRow>(
    db,
    `SELECT sequence, batch, checksum, first_at, last_at, span_checksum FROM journal
     WHERE sequence > ? ORDER BY sequence`,
  )
    .all(after)
    .map(([sequence, batch, checksum, firstAt, lastAt, spanChecksum]) => ({
      sequence,
      batch,
      isIntact: rowChecksum('journal', 0, sequence, batch) === checksum,
      span:
        numbersChecksum('journal_span', [sequence, firstAt, lastAt]) === spanChecksum
          ? { firstAt, lastAt }
          : undefined,
    }))

export function appendToJournal(
  db: DatabaseSync,
  sequence: number,
  packed: Uint8Array,
  batch: ReadingBatch,
): void {
  const { firstAt, lastAt } = batchSpan(batch)
  prepareOnce(
    db,
    `INSERT INTO journal (sequence, batch, checksum, first_at, last_at, span_checksum) VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(
    sequence,
    packed,
    rowChecksum('journal', 0, sequence, packed),
    firstAt,
    lastAt,
    numbersChecksum('journal_span', [sequence, firstAt, lastAt]),
  )
}

/** The highest sequence ever used, even if its row is missing. Sequences have no gaps. */
export function lastIssuedSequence(db: DatabaseSync): number {
  const [[last] = [0]] = prepareArraysOnce<[last: number]>(
    db,
    "SELECT seq FROM sqlite_sequence WHERE name = 'journal'",
  ).all()
  return last
}

export interface JournalState {
  compactedThrough: number
  retentionWatermark: number
}

export function readJournalState(db: DatabaseSync): JournalState {
  const [row] = prepareArraysOnce<[compactedThrough: number, retentionWatermark: number, checksum: number]>(
    db,
    'SELECT compacted_through, retention_watermark, checksum FROM journal_state',
  ).all()
  if (!row || numbersChecksum('journal_state', [row[0], row[1], 0]) !== row[2])
    failDamaged(db, {
      table: 'journal_state',
      reason: row ? 'the checksum is wrong' : 'the row is missing',
    })
  const [compactedThrough, retentionWatermark] = row
  return { compactedThrough, retentionWatermark }
}

export const putJournalState = (
  db: DatabaseSync,
  { compactedThrough, retentionWatermark }: JournalState,
): void =>
  void prepareOnce(
    db,
    'UPDATE journal_state SET compacted_through = ?, retention_watermark = ?, checksum = ?',
  ).run(
    compactedThrough,
    retentionWatermark,
    numbersChecksum('journal_state', [compactedThrough, retentionWatermark, 0]),
  )
