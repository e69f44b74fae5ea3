import type { DatabaseSync } from 'node:sqlite'
import { float64At } from '../../../kernel/at.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { getDataVersion, prepareOnce } from '../connect.ts'
import { reportDamage } from '../damage.ts'
import { createJournalIndex, type JournalIndex } from './journal-index.ts'
import { forEachSeries, type JournalBatch, openBatch } from './journal-batch.ts'
import {
  appendToJournal,
  lastArrivalEver,
  putJournalState,
  readJournal,
  readJournalState,
} from './journal-rows.ts'
import { recordLost } from '../quarantine.ts'
import { createChangeTracker } from './change-tracker.ts'
import { inOneSnapshot } from '../snapshot.ts'

/**
 * Readings in the order they arrive. A connection keeps an index of them in memory and follows what others append: so a
 * commit writes a few pages however many series it touches, and a read finds the newest readings without touching the disk.
 */
export interface Journal {
  /** The index, up to date with the connection's view of the file. */
  hot(): JournalIndex
  /** The index as it is: for who has just asked, inside a transaction. */
  index: JournalIndex
  /** Takes what `packBatch` has made, and the same opened where it is already. */
  append(packed: Uint8Array, batch?: JournalBatch): void
  /** The last arrival that the index knows. */
  lastSequence(): number
  /** The last arrival from another connection that may have changed what a series says of the time before an instant. */
  lastChangeBefore(seriesId: number, at: number): number
  /** Everything up to `arrival` is in the packed days now. */
  dropThrough(arrival: number): void
  /** Readings older than this are no longer kept; 0 when all are. */
  retentionWatermark(): number
  setRetentionWatermark(before: number): void
  /** Time spans of batches that are damaged or missing. */
  lost(): readonly TimeSpan[]
  /** After a rollback: what the index took from it never happened. */
  reset(): void
}

const journals = new WeakMap<DatabaseSync, Journal>()

export function getJournal(db: DatabaseSync): Journal {
  let journal = journals.get(db)
  if (!journal) journals.set(db, (journal = tailJournal(db)))
  return journal
}

/** A batch that cannot be read. If its span is unknown, it covers `ANY_TIME`. */
interface LostBatch extends TimeSpan {
  arrival: number
  content: Uint8Array | null
}

const ANY_TIME: TimeSpan = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

type NoteSeries = (seriesId: number, first: number, last: number) => void

function tailJournal(db: DatabaseSync): Journal {
  const index = createJournalIndex()
  let version = -1
  let packedThrough = 0
  let lastArrival = 0
  let retentionWatermark = 0
  const changes = createChangeTracker()
  let lost: LostBatch[] = []

  const lose = (arrival: number, reason: string, span: TimeSpan, content: Uint8Array | null): void => {
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
    changes.record(lastArrival, seriesId, first, last, index.before(seriesId, first))

  const follow = (): void => {
    const state = readJournalState(db)
    const through = state.packedThrough
    retentionWatermark = state.retentionWatermark
    if (through > packedThrough) {
      index.evict(through)
      lost = lost.filter(({ arrival }) => arrival > through)
      packedThrough = through
      if (through > lastArrival) {
        lastArrival = through
        changes.markGap(through)
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
      const current = getDataVersion(db)
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
    lastSequence: () => lastArrival,
    lastChangeBefore: changes.before,
    dropThrough(arrival) {
      for (const { content, ...batch } of lost.filter((one) => one.arrival <= arrival))
        recordLost(db, { source: 'journal', seriesId: undefined, from: batch.from, to: batch.to }, content)
      lost = lost.filter((one) => one.arrival > arrival)
      prepareOnce(db, 'DELETE FROM journal WHERE arrival <= ?').run(arrival)
      putJournalState(db, { packedThrough: arrival, retentionWatermark })
      index.evict(arrival)
      packedThrough = arrival
    },
    retentionWatermark: () => retentionWatermark,
    setRetentionWatermark(before) {
      putJournalState(db, { packedThrough, retentionWatermark: before })
      retentionWatermark = before
    },
    lost: () => lost,
    reset() {
      index.clear()
      version = -1
      packedThrough = 0
      lastArrival = 0
      lost = []
    },
  }
}
