import { createBatchBuilder, type ReadingBatch } from '../../domain/telemetry/reading/batch.ts'
import type { AddResult, OnConflict, ReadingStore } from '../../domain/telemetry/reading/store.ts'

/** Readings in one write; any beyond it wait for the next write. */
const MAX_BATCH = 5_000

export interface ReadingToStore {
  seriesId: number
  at: number
  value: number
}

export interface ReadingBatches {
  /** Resolves when the readings are durable, with the result of their batch. */
  add(siteUuid: string, readings: readonly ReadingToStore[], delivery: BatchOptions): Promise<AddResult>
}

export interface BatchOptions {
  onConflict: OnConflict
  /** Stored in a separate batch, so that the result covers these readings only. */
  isExclusive: boolean
}

interface Batch extends BatchOptions {
  size: number
  /** Values by series and instant. */
  series: Map<number, Map<number, number>>
  /** Readings for an instant for which the batch already has one. */
  superseded: Pick<AddResult, 'replaced' | 'unchanged'>
  stored: PromiseWithResolvers<AddResult>
}

/**
 * One write per site at a time: readings that arrive meanwhile are stored together by the next write. Each sender gets
 * its result after its own batch is durable. New and repeated messages never share a batch, and their order is kept.
 */
export function createReadingBatches(
  write: (siteUuid: string, batch: ReadingBatch, onConflict: OnConflict) => ReturnType<ReadingStore['add']>,
  onStored: (result: AddResult) => void = () => {},
): ReadingBatches {
  const waiting = new Map<string, Batch[]>()

  const writeAll = async (siteUuid: string, batches: Batch[]): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const { superseded } = batch
      const { resolve, reject } = batch.stored
      try {
        const added = await write(siteUuid, toReadingBatch(batch), batch.onConflict)
        onStored({
          accepted: added.accepted,
          replaced: added.replaced + superseded.replaced,
          unchanged: added.unchanged + superseded.unchanged,
        })
        resolve(added)
      } catch (error) {
        // Callers of `add` receive the failure; the following batches are still written.
        reject(error)
      }
    }
    waiting.delete(siteUuid)
  }

  return {
    add(siteUuid, readings, delivery) {
      let batches = waiting.get(siteUuid)
      const isIdle = batches === undefined
      if (!batches) waiting.set(siteUuid, (batches = []))
      let batch = batches.at(-1)
      if (!batch || !canJoin(batch, delivery)) {
        batch = {
          ...delivery,
          size: 0,
          series: new Map(),
          superseded: { replaced: 0, unchanged: 0 },
          stored: Promise.withResolvers(),
        }
        batches.push(batch)
      }
      for (const reading of readings) put(batch, reading)
      // Deferred, so that messages that arrive together are stored together from the first one on.
      if (isIdle) setImmediate(() => void writeAll(siteUuid, waiting.get(siteUuid) ?? []))
      return batch.stored.promise
    },
  }
}

const canJoin = (batch: Batch, { onConflict, isExclusive }: BatchOptions): boolean =>
  !isExclusive && !batch.isExclusive && batch.onConflict === onConflict && batch.size < MAX_BATCH

function put(batch: Batch, { seriesId, at, value }: ReadingToStore): void {
  const series = batch.series.get(seriesId) ?? new Map<number, number>()
  batch.series.set(seriesId, series)
  // Of two readings for one instant, the one that arrives later wins, unless it is a repetition.
  const earlier = series.get(at)
  const isReplacing = batch.onConflict === 'replace' && earlier !== value
  if (earlier !== undefined) batch.superseded[isReplacing ? 'replaced' : 'unchanged'] += 1
  if (earlier === undefined || isReplacing) series.set(at, value)
  batch.size += 1
}

function toReadingBatch({ series, size }: Batch): ReadingBatch {
  const builder = createBatchBuilder(size)
  for (const [seriesId, values] of series)
    for (const [at, value] of [...values].toSorted(([a], [b]) => a - b)) builder.put(seriesId, at, value)
  return builder.finish()
}
