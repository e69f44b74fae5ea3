import { float64At } from '../../../kernel/at.ts'
import { systemClock } from '../../../kernel/clock.ts'
import type { ReadingBatch, SeriesReadings } from '../../../domain/telemetry/reading/batch.ts'
import type { AddResult, OnConflict } from '../../../domain/telemetry/reading/store.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { hasNoPartition, isTaken } from '../pool/failure.ts'
import type { NewestSeen } from './newest-seen.ts'
import type { Partitions } from './partitions.ts'
import { insertReadings, upsertReadings, upsertLatest, type StoredBatch } from './reading-rows.ts'
import { invalidateLate } from '../rollups/invalidate-rollups.ts'
import type { LoadSeriesIndex } from '../rollups/series-index.ts'
import { lockSiteShared, ensureSiteState } from '../rollups/site-state.ts'

/** Readings per transaction, which bounds how long others wait for the lock of the site and for a statement. */
const READINGS_AT_ONCE = 10_000

export interface AddReadings {
  (siteUuid: string, batch: ReadingBatch, onConflict: OnConflict): Promise<AddResult>
}

export function createAddReadings(
  db: Database,
  partitions: Partitions,
  indexes: LoadSeriesIndex,
  known: NewestSeen,
): AddReadings {
  type Put = (sql: Sql) => Promise<StoredBatch>
  type ServerBatch = StoredBatch & { server: string }

  /**
   * Stores readings and invalidates the rollups that depend on them, in one transaction. Returns undefined if the site has
   * no row to lock.
   */
  const storeLocked = (siteUuid: string, put: Put): Promise<ServerBatch | undefined> =>
    db.write(async (sql) => {
      const state = await lockSiteShared(sql, siteUuid)
      if (!state) return undefined
      const { server } = state
      const stored = { ...(await put(sql)), server }
      if (stored.changes.length === 0) return stored
      const now = systemClock.now()
      await upsertLatest(sql, siteUuid, stored.changes, now)
      const before = Math.max(state.rollupWatermark, state.closedBefore)
      const late = stored.changes.filter((change) => !known.isLive(siteUuid, change, before, server))
      const index = late.length > 0 ? await indexes(sql, siteUuid) : undefined
      if (index) await invalidateLate(sql, siteUuid, index, state, late, now)
      return stored
    })

  async function store(siteUuid: string, put: Put): Promise<ServerBatch> {
    const stored = await storeLocked(siteUuid, put)
    if (stored) return stored
    // The first readings of the site, or a failover or restore has lost the first ones.
    await ensureSiteState(db, siteUuid)
    const repeated = await storeLocked(siteUuid, put)
    if (!repeated) throw new Error('The row of a site is missing right after it was inserted.')
    return repeated
  }

  async function storePiece(
    siteUuid: string,
    batch: readonly SeriesReadings[],
    onConflict: OnConflict,
  ): Promise<AddResult> {
    const merge: Put = (sql) => upsertReadings(sql, siteUuid, batch, onConflict)
    const isThoughtNew = onConflict === 'replace' && batch.every((series) => known.isNew(siteUuid, series))
    const stored = isThoughtNew
      ? await store(siteUuid, (sql) => insertReadings(sql, siteUuid, batch)).catch((error: unknown) => {
          if (!isTaken(error)) throw error
          return store(siteUuid, merge)
        })
      : await store(siteUuid, merge)
    known.record(siteUuid, stored.changes, stored.server)
    return stored.added
  }

  return async (siteUuid, batch, onConflict) => {
    const total: AddResult = { accepted: 0, replaced: 0, unchanged: 0 }
    for (const piece of splitBatch(batch)) {
      const instants = piece.flatMap(({ timestamps }) => Array.from(timestamps))
      await partitions.prepare(instants)
      const added = await storePiece(siteUuid, piece, onConflict).catch(async (error: unknown) => {
        if (!hasNoPartition(error)) throw error
        partitions.forget()
        await partitions.prepare(instants)
        return storePiece(siteUuid, piece, onConflict)
      })
      total.accepted += added.accepted
      total.replaced += added.replaced
      total.unchanged += added.unchanged
    }
    return total
  }
}

/** Splits a batch into transactions; a long series is cut. */
function* splitBatch({ heads, timestamps, values }: ReadingBatch): Generator<SeriesReadings[]> {
  let piece: SeriesReadings[] = []
  let room = READINGS_AT_ONCE
  let start = 0
  for (let head = 0; head < heads.length; head += 2) {
    const seriesId = float64At(heads, head)
    const to = start + float64At(heads, head + 1)
    while (start < to) {
      const end = Math.min(to, start + room)
      piece.push({
        seriesId,
        timestamps: Array.from(timestamps.subarray(start, end)),
        values: Array.from(values.subarray(start, end)),
      })
      room -= end - start
      start = end
      if (room > 0) continue
      yield piece
      piece = []
      room = READINGS_AT_ONCE
    }
  }
  if (piece.length > 0) yield piece
}
