import type { DatabaseSync } from 'node:sqlite'
import { prepareOnce } from '../connect.ts'
import { integer, type Row } from '../row.ts'

/** Days of a series that need a rollup once they are over. */
export interface QueuedDays {
  seriesId: number
  from: number
  /** Inclusive. */
  to: number
  enqueuedAt: number
  dueAt: number
}

const fromRow = (row: Row): QueuedDays => ({
  seriesId: integer(row, 'series_id'),
  from: integer(row, 'from_day'),
  to: integer(row, 'end_day') - 1,
  enqueuedAt: integer(row, 'enqueued_at'),
  dueAt: integer(row, 'due_at'),
})

/** Enqueues a range of days, merged with adjacent and overlapping entries of the series. */
export function enqueue(db: DatabaseSync, mark: QueuedDays): void {
  let { from, to, dueAt } = mark
  if (hasGrown(db, mark)) return
  const touching = prepareOnce(
    db,
    'SELECT * FROM rollup_queue WHERE series_id = ? AND from_day <= ? AND end_day >= ?',
  )
    .all(mark.seriesId, to + 1, from)
    .map(fromRow)
  for (const known of touching) {
    from = Math.min(from, known.from)
    to = Math.max(to, known.to)
    dueAt = Math.min(dueAt, known.dueAt)
    dequeue(db, known)
  }
  prepareOnce(
    db,
    'INSERT INTO rollup_queue (series_id, from_day, end_day, enqueued_at, due_at) VALUES (?, ?, ?, ?, ?)',
  ).run(mark.seriesId, from, to + 1, mark.enqueuedAt, dueAt)
}

/** The usual case in one statement: the range extends the last entry of the series, which is due no later. */
const hasGrown = (db: DatabaseSync, { seriesId, from, to, enqueuedAt, dueAt }: QueuedDays): boolean =>
  prepareOnce(
    db,
    `UPDATE rollup_queue SET end_day = ?3, enqueued_at = ?4
     WHERE series_id = ?1 AND from_day = (SELECT max(from_day) FROM rollup_queue WHERE series_id = ?1)
       AND from_day <= ?2 AND end_day BETWEEN ?2 AND ?3 AND due_at <= ?5`,
  ).run(seriesId, from, to + 1, enqueuedAt, dueAt).changes === 1

export const dequeue = (db: DatabaseSync, { seriesId, from }: QueuedDays): void =>
  void prepareOnce(db, 'DELETE FROM rollup_queue WHERE series_id = ? AND from_day = ?').run(seriesId, from)

/** The entry that has been due for longest. */
export function nextDue(db: DatabaseSync, now: number): QueuedDays | undefined {
  const row = prepareOnce(db, 'SELECT * FROM rollup_queue WHERE due_at <= ? ORDER BY due_at LIMIT 1').get(now)
  return row && fromRow(row)
}

/** Makes all entries of a series due later. */
export const postpone = (db: DatabaseSync, seriesId: number, dueAt: number): void =>
  void prepareOnce(db, 'UPDATE rollup_queue SET due_at = max(due_at, ?) WHERE series_id = ?').run(
    dueAt,
    seriesId,
  )

/** The series that have an entry, each with its earliest due time. */
export const queuedSeries = (db: DatabaseSync): { seriesId: number; dueAt: number }[] =>
  prepareOnce(db, 'SELECT series_id, min(due_at) AS due_at FROM rollup_queue GROUP BY series_id')
    .all()
    .map((row) => ({ seriesId: integer(row, 'series_id'), dueAt: integer(row, 'due_at') }))

/** The first day of a series in the queue. */
export function firstStale(db: DatabaseSync, seriesId: number): number | undefined {
  const row = prepareOnce(db, 'SELECT min(from_day) AS day FROM rollup_queue WHERE series_id = ?').get(
    seriesId,
  )
  return row && row['day'] !== null ? integer(row, 'day') : undefined
}
