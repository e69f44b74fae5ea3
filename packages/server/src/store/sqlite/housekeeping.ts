import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import { type Dropping, startDropping } from './drop-readings.ts'
import { journalOf } from './journal.ts'
import { MAX_HOT_READINGS, type Packing, startPacking } from './pack.ts'
import { hurryMarks, sealSome } from './seal-days.ts'

/** Even a small journal is packed once a day. */
const PACK_EVERY_MS = 24 * 3_600_000
/** How often readings that have grown too old are looked for. */
const DROP_EVERY_MS = 3_600_000
/** One slice of work, between which writes get their turn. */
const SLICE_MS = 10

/** What the writer does when nobody wants anything: packing the journal, rolling up closed days, dropping old readings. */
export interface Housekeeping {
  /** Does a slice of what there is to do, in a transaction of its own; answers whether there is more. */
  step(): Promise<boolean>
  /** Only what cannot wait: a journal that has grown too large. */
  isUrgent(): boolean
  /** Everything that can be packed and rolled up, however long it takes. */
  settle(): Promise<void>
}

export function createHousekeeping(
  db: DatabaseSync,
  clock: Clock,
  /** How long readings are kept; for ever when undefined. */
  retentionMs: number | undefined,
  transaction: (work: () => Promise<boolean>) => Promise<boolean>,
): Housekeeping {
  let packing: Packing | undefined
  let packedAt = clock.now()
  let dropping: Dropping | undefined
  let droppedAt = Number.NEGATIVE_INFINITY

  const isPackingDue = (): boolean => {
    const { size } = journalOf(db).hot()
    return size > MAX_HOT_READINGS || (size > 0 && clock.now() - packedAt >= PACK_EVERY_MS)
  }

  const packSlice = (): boolean => {
    packing ??= startPacking(db)
    if (!packing.step(clock.now())) {
      packing = undefined
      packedAt = clock.now()
    }
    return true
  }

  const dropSome = async (): Promise<boolean> => {
    const now = clock.now()
    if (retentionMs === undefined || (!dropping && now - droppedAt < DROP_EVERY_MS)) return false
    dropping ??= startDropping(db, retentionMs, now)
    if (await dropping.step()) return true
    dropping = undefined
    droppedAt = now
    return false
  }

  const slice = async (): Promise<boolean> => {
    if (packing || isPackingDue()) return packSlice()
    const start = clock.now()
    while ((await sealSome(db, clock.now())) || (await dropSome()))
      if (clock.now() - start >= SLICE_MS) return true
    return false
  }

  const step = async (): Promise<boolean> => {
    try {
      return await transaction(slice)
    } catch (error) {
      packing = undefined
      dropping = undefined
      throw error
    }
  }

  return {
    step,
    isUrgent: () => packing !== undefined || journalOf(db).hot().size > MAX_HOT_READINGS,
    async settle() {
      packing = undefined
      packedAt = Number.NEGATIVE_INFINITY
      while (isPackingDue()) await step()
      await transaction(async () => {
        // Packing marks days too, so they are hurried after it; a round of dropping under way has left out those that waited.
        hurryMarks(db, clock.now())
        dropping = undefined
        droppedAt = Number.NEGATIVE_INFINITY
        return true
      })
      while (await step());
    },
  }
}
