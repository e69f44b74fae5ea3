import type { DatabaseSync } from 'node:sqlite'
import { fileVersionOf, prepared } from './connect.ts'
import { createHotReadings, type HotReadings } from './hot-readings.ts'
import { forEachSeries, type JournalBatch, openBatch } from './journal-batch.ts'
import { blob, integer } from './row.ts'
import { createSeriesChanges } from './series-changes.ts'

/**
 * Readings in the order they arrive. A connection keeps an index of them in memory and follows what others append: so a
 * commit writes a few pages however many series it touches, and a read finds the newest readings without touching the disk.
 */
export interface Journal {
  /** The index, up to date with the connection's view of the file. */
  hot(): HotReadings
  /** The index as it is: for who has just asked, inside a transaction. */
  index: HotReadings
  /** Takes what `packBatch` has made, and the same opened where it is already. */
  append(packed: Uint8Array, batch?: JournalBatch): void
  /** The last arrival that the index knows. */
  lastArrival(): number
  /** The last arrival from another connection that may have changed what a series says of the time before an instant. */
  changedBefore(seriesId: number, at: number): number
  /** Everything up to `arrival` is in the packed days now. */
  dropThrough(arrival: number): void
  /** Readings older than this are no longer kept; 0 when all are. */
  droppedBefore(): number
  noteDropped(before: number): void
  /** After a rollback: what the index took from it never happened. */
  forgetAll(): void
}

const journals = new WeakMap<DatabaseSync, Journal>()

export function journalOf(db: DatabaseSync): Journal {
  let journal = journals.get(db)
  if (!journal) journals.set(db, (journal = followJournal(db)))
  return journal
}

type NoteSeries = (seriesId: number, first: number, last: number) => void

function followJournal(db: DatabaseSync): Journal {
  const index = createHotReadings()
  let version = -1
  let packedThrough = 0
  let lastArrival = 0
  let droppedBefore = 0
  const changes = createSeriesChanges()

  const put = (batch: JournalBatch, note?: NoteSeries): void => {
    const { timestamps, values } = batch
    forEachSeries(batch, (seriesId, from, to) => {
      note?.(seriesId, timestamps[from] ?? 0, timestamps[to - 1] ?? 0)
      index.put(lastArrival, seriesId, timestamps, values, from, to)
    })
  }

  const noteChange: NoteSeries = (seriesId, first, last) =>
    changes.note(lastArrival, seriesId, first, last, index.before(seriesId, first))

  /** One view of the file for both questions: between them, what was read here as missing could have been packed. */
  const followOnce = (): void => {
    if (db.isTransaction) return follow()
    db.exec('BEGIN')
    try {
      follow()
    } finally {
      db.exec('COMMIT')
    }
  }

  const follow = (): void => {
    const row = prepared(db, 'SELECT packed_through, dropped_before FROM journal_state').get()
    const through = row ? integer(row, 'packed_through') : 0
    droppedBefore = row ? integer(row, 'dropped_before') : 0
    if (through > packedThrough) {
      index.forget(through)
      packedThrough = through
      if (through > lastArrival) {
        lastArrival = through
        changes.miss(through)
      }
    }
    const rows = prepared(db, 'SELECT arrival, batch FROM journal WHERE arrival > ? ORDER BY arrival').all(
      lastArrival,
    )
    for (const row of rows) {
      lastArrival = integer(row, 'arrival')
      put(openBatch(blob(row, 'batch')), noteChange)
    }
  }

  return {
    index,
    hot() {
      // Changes whenever another connection has committed; what this one commits it puts into the index itself.
      const current = fileVersionOf(db)
      if (current !== version) {
        followOnce()
        version = current
      }
      return index
    },
    append(packed, batch = openBatch(packed)) {
      const { lastInsertRowid } = prepared(db, 'INSERT INTO journal (batch) VALUES (?)').run(packed)
      lastArrival = Number(lastInsertRowid)
      put(batch)
    },
    lastArrival: () => lastArrival,
    changedBefore: changes.before,
    dropThrough(arrival) {
      prepared(db, 'DELETE FROM journal WHERE arrival <= ?').run(arrival)
      prepared(db, 'UPDATE journal_state SET packed_through = ?').run(arrival)
      index.forget(arrival)
      packedThrough = arrival
    },
    droppedBefore: () => droppedBefore,
    noteDropped(before) {
      prepared(db, 'UPDATE journal_state SET dropped_before = ?').run(before)
      droppedBefore = before
    },
    forgetAll() {
      index.clear()
      version = -1
      packedThrough = 0
      lastArrival = 0
    },
  }
}
