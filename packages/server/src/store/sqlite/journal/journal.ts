import type { DatabaseSync } from 'node:sqlite'
import { float64At } from '../../../kernel/at.ts'
import { forEachSeries, type ReadingBatch } from '../../../domain/telemetry/reading/batch.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { getDataVersion, prepareOnce } from '../connect.ts'
import { reportDamage } from '../damage.ts'
import { createJournalIndex, type JournalIndex } from './journal-index.ts'
import { unpackBatch } from './journal-batch.ts'
import {
  appendToJournal,
  lastIssuedSequence,
  putJournalState,
  readJournal,
  readJournalState,
} from './journal-rows.ts'
import { recordLost } from '../quarantine.ts'
import { createChangeTracker } from '../../change-tracker.ts'
import { inOneSnapshot } from '../snapshot.ts'

/**
 * Append-only log of readings. Each connection keeps an in-memory index and follows what others append: a commit writes
 * a few pages, however many series it contains, and reads find the newest readings without disk access.
 */
export interface Journal {
  /** The index, up to date with the connection's view of the file. */
  hot(): JournalIndex
  /** The index without an update: for callers that have just called `hot()` in the same transaction. */
  index: JournalIndex
  /** Appends the result of `packBatch`; `batch` is its content, if already opened. */
  append(packed: Uint8Array, batch?: ReadingBatch): void
  /** The highest sequence in the index. */
  lastSequence(): number
  /** The highest sequence by another connection whose batch may affect results of a series before an instant. */
  lastChangeBefore(seriesId: number, at: number): number
  /** Deletes the batches up to `sequence`, whose readings are in packed days now. */
  dropThrough(sequence: number): void
  /** Readings before this are deleted; 0 if none are. */
  retentionWatermark(): number
  setRetentionWatermark(before: number): void
  /** Time spans of batches that are damaged or missing. */
  lost(): readonly TimeSpan[]
  /** Discards the index after a rollback, because it contains the batches of the transaction. */
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
  sequence: number
  content: Uint8Array | null
}

const ANY_TIME: TimeSpan = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

type NoteSeries = (seriesId: number, first: number, last: number) => void

function tailJournal(db: DatabaseSync): Journal {
  const index = createJournalIndex()
  let version = -1
  let compactedThrough = 0
  let lastSequence = 0
  let retentionWatermark = 0
  const changes = createChangeTracker()
  let lost: LostBatch[] = []

  const lose = (sequence: number, reason: string, span: TimeSpan, content: Uint8Array | null): void => {
    lost.push({ sequence, content, ...span })
    reportDamage(db, { table: 'journal', number: sequence, reason })
  }

  const put = (batch: ReadingBatch, note?: NoteSeries): void => {
    const { timestamps, values } = batch
    forEachSeries(batch, (seriesId, from, to) => {
      note?.(seriesId, float64At(timestamps, from), float64At(timestamps, to - 1))
      index.put(lastSequence, seriesId, timestamps, values, from, to)
    })
  }

  const noteChange: NoteSeries = (seriesId, first, last) =>
    changes.record(lastSequence, seriesId, first, last, index.before(seriesId, first))

  const follow = (): void => {
    const state = readJournalState(db)
    const through = state.compactedThrough
    retentionWatermark = state.retentionWatermark
    if (through > compactedThrough) {
      index.evict(through)
      lost = lost.filter(({ sequence }) => sequence > through)
      compactedThrough = through
      if (through > lastSequence) {
        lastSequence = through
        changes.markGap(through)
      }
    }
    for (const { sequence, batch, isIntact, span } of readJournal(db, lastSequence)) {
      if (sequence > lastSequence + 1) lose(lastSequence + 1, 'the row is missing', ANY_TIME, null)
      lastSequence = sequence
      if (isIntact) put(unpackBatch(batch), noteChange)
      else {
        const known = span ? { from: span.firstAt, to: span.lastAt + 1 } : ANY_TIME
        lose(sequence, 'the checksum is wrong', known, batch)
      }
    }
    const last = lastIssuedSequence(db)
    if (last > lastSequence) {
      lose(last, 'the row is missing', ANY_TIME, null)
      lastSequence = last
    }
  }

  return {
    index,
    hot() {
      // Changes when another connection commits; `append` updates the index for this one.
      const current = getDataVersion(db)
      if (current !== version) {
        // A batch that is compacted between two reads would otherwise be missing from both.
        inOneSnapshot(db, follow)
        version = current
      }
      return index
    },
    append(packed, batch = unpackBatch(packed)) {
      lastSequence += 1
      appendToJournal(db, lastSequence, packed, batch)
      put(batch)
    },
    lastSequence: () => lastSequence,
    lastChangeBefore: changes.before,
    dropThrough(sequence) {
      for (const { content, ...batch } of lost.filter((one) => one.sequence <= sequence))
        recordLost(db, { source: 'journal', seriesId: undefined, from: batch.from, to: batch.to }, content)
      lost = lost.filter((one) => one.sequence > sequence)
      prepareOnce(db, 'DELETE FROM journal WHERE sequence <= ?').run(sequence)
      putJournalState(db, { compactedThrough: sequence, retentionWatermark })
      index.evict(sequence)
      compactedThrough = sequence
    },
    retentionWatermark: () => retentionWatermark,
    setRetentionWatermark(before) {
      putJournalState(db, { compactedThrough, retentionWatermark: before })
      retentionWatermark = before
    },
    lost: () => lost,
    reset() {
      index.clear()
      version = -1
      compactedThrough = 0
      lastSequence = 0
      lost = []
    },
  }
}
