import type { DatabaseSync } from 'node:sqlite'
import { float64At } from '../../lib/at.ts'
import type { Span } from '../../reading/window-value.ts'
import { fileVersionOf, prepared } from './connect.ts'
import { reportDamage } from './damage.ts'
import { createHotReadings, type HotReadings } from './hot-readings.ts'
import { forEachSeries, type JournalBatch, openBatch } from './journal-batch.ts'
import {
  appendToJournal,
  lastArrivalEver,
  putJournalState,
  readJournal,
  readJournalState,
} from './journal-rows.ts'
import { recordLost } from './quarantine.ts'
import { createSeriesChanges } from './series-changes.ts'
import { inOneSnapshot } from './snapshot.ts'

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
  /** Time spans of batches that are damaged or missing. */
  lost(): readonly Span[]
  /** After a rollback: what the index took from it never happened. */
  forgetAll(): void
}

const journals = new WeakMap<DatabaseSync, Journal>()

export function journalOf(db: DatabaseSync): Journal {
  let journal = journals.get(db)
  if (!journal) journals.set(db, (journal = followJournal(db)))
  return journal
}

/** A batch that cannot be read. If its span is unknown, it covers `ANY_TIME`. */
interface LostBatch extends Span {
  arrival: number
  content: Uint8Array | null
}

const ANY_TIME: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

type NoteSeries = (seriesId: number, first: number, last: number) => void

function followJournal(db: DatabaseSync): Journal {
  const index = createHotReadings()
  let version = -1
  let packedThrough = 0
  let lastArrival = 0
  let droppedBefore = 0
  const changes = createSeriesChanges()
  let lost: LostBatch[] = []

  const lose = (arrival: number, reason: string, span: Span, content: Uint8Array | null): void => {
    lost.push({ arrival, content, ...span })
    reportDamage(db, { table: 'journal', number: arrival, reason })
  }

  const put = (batch: JournalBatch, note?: NoteSeries): void => {
    const { timestamps, values } = batch
    forEachSeries(batch, (seriesId, from, to) => {
      note?.(seriesId, float64At(timestamps, from), float64At(timestamps, to - 1))
      index.put(lastArrival, seriesId, timestamps, values, from, to)
    })
  }

  const noteChange: NoteSeries = (seriesId, first, last) =>
    changes.note(lastArrival, seriesId, first, last, index.before(seriesId, first))

  const follow = (): void => {
    const state = readJournalState(db)
    const through = state.packedThrough
    droppedBefore = state.droppedBefore
    if (through > packedThrough) {
      index.forget(through)
      lost = lost.filter(({ arrival }) => arrival > through)
      packedThrough = through
      if (through > lastArrival) {
        lastArrival = through
        changes.miss(through)
      }
    }
    for (const { arrival, batch, isIntact, span } of readJournal(db, lastArrival)) {
      if (arrival > lastArrival + 1) lose(lastArrival + 1, 'the row is missing', ANY_TIME, null)
      lastArrival = arrival
      if (isIntact) put(openBatch(batch), noteChange)
      else {
        const known = span ? { from: span.firstAt, to: span.lastAt + 1 } : ANY_TIME
        lose(arrival, 'the checksum is wrong', known, batch)
      }
    }
    const last = lastArrivalEver(db)
    if (last > lastArrival) {
      lose(last, 'the row is missing', ANY_TIME, null)
      lastArrival = last
    }
  }

  return {
    index,
    hot() {
      // Changes whenever another connection has committed; what this one commits it puts into the index itself.
      const current = fileVersionOf(db)
      if (current !== version) {
        // Otherwise a batch that is packed between two of the reads would be missing from both.
        inOneSnapshot(db, follow)
        version = current
      }
      return index
    },
    append(packed, batch = openBatch(packed)) {
      lastArrival += 1
      appendToJournal(db, lastArrival, packed, batch)
      put(batch)
    },
    lastArrival: () => lastArrival,
    changedBefore: changes.before,
    dropThrough(arrival) {
      for (const { content, ...batch } of lost.filter((one) => one.arrival <= arrival))
        recordLost(db, { source: 'journal', seriesId: undefined, from: batch.from, to: batch.to }, content)
      lost = lost.filter((one) => one.arrival > arrival)
      prepared(db, 'DELETE FROM journal WHERE arrival <= ?').run(arrival)
      putJournalState(db, { packedThrough: arrival, droppedBefore })
      index.forget(arrival)
      packedThrough = arrival
    },
    droppedBefore: () => droppedBefore,
    noteDropped(before) {
      putJournalState(db, { packedThrough, droppedBefore: before })
      droppedBefore = before
    },
    lost: () => lost,
    forgetAll() {
      index.clear()
      version = -1
      packedThrough = 0
      lastArrival = 0
      lost = []
    },
  }
}
