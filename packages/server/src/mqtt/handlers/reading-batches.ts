import type {
  AddResult,
  OnConflict,
  ReadingStore,
  SeriesReadings,
} from '../../domain/telemetry/reading/store.ts'

/** Readings in one write; what comes above waits for the next. */
const MAX_BATCH = 5_000

export interface ReadingToStore {
  seriesId: number
  at: number
  value: number
}

export interface ReadingBatches {
  /** Resolves when they are durable, with what became of the batch they were part of. */
  add(siteUuid: string, readings: readonly ReadingToStore[], delivery: BatchOptions): Promise<AddResult>
}

export interface BatchOptions {
  arrival: OnConflict
  /** Stored by itself, so that the answer is about it alone. */
  isExclusive: boolean
}

interface Batch extends BatchOptions {
  size: number
  /** By series and instant. */
  series: Map<number, Map<number, number>>
  stored: PromiseWithResolvers<AddResult>
}

/**
 * One write a site at a time: what arrives meanwhile is collected and stored together by the next. Each sender is
 * answered after its own batch is durable. New and repeated deliveries never share a batch, and their order is kept.
 */
export function createReadingBatches(
  write: (
    siteUuid: string,
    batch: readonly SeriesReadings[],
    arrival: OnConflict,
  ) => ReturnType<ReadingStore['add']>,
): ReadingBatches {
  const waiting = new Map<string, Batch[]>()

  const writeAll = async (siteUuid: string, batches: Batch[]): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const { promise, resolve, reject } = batch.stored
      await write(siteUuid, toSeries(batch), batch.arrival).then(resolve, reject)
      // Whoever waits for it hears of a failure; the batches behind it go on.
      await promise.catch(() => {})
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
        batch = { ...delivery, size: 0, series: new Map(), stored: Promise.withResolvers() }
        batches.push(batch)
      }
      for (const reading of readings) put(batch, reading)
      // Not at once: messages that came in together are then stored together from the first on.
      if (isIdle) setImmediate(() => void writeAll(siteUuid, waiting.get(siteUuid) ?? []))
      return batch.stored.promise
    },
  }
}

const canJoin = (batch: Batch, { arrival, isExclusive }: BatchOptions): boolean =>
  !isExclusive && !batch.isExclusive && batch.arrival === arrival && batch.size < MAX_BATCH

function put(batch: Batch, { seriesId, at, value }: ReadingToStore): void {
  const series = batch.series.get(seriesId) ?? new Map<number, number>()
  batch.series.set(seriesId, series)
  // Of two for one instant the newer arrival stays, unless it only repeats.
  if (batch.arrival === 'new' || !series.has(at)) series.set(at, value)
  batch.size += 1
}

const toSeries = ({ series }: Batch): SeriesReadings[] =>
  [...series].map(([seriesId, values]) => {
    const entries = [...values].toSorted(([a], [b]) => a - b)
    return { seriesId, timestamps: entries.map(([at]) => at), values: entries.map(([, value]) => value) }
  })
