import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { DamagedData } from '../damaged-data.ts'
import { createChecksumWalk } from './add-checksums.ts'
import { CLOSE_AFTER_MS, closeDays } from './close-days.ts'
import type { Database } from './connect.ts'
import { dropReadings } from './drop-readings.ts'
import { dropOldCounts } from './limit-counts.ts'
import type { Partitions } from './partitions.ts'
import type { OnDamage } from './rollups.ts'
import { sealDue } from './seal-days.ts'
import type { SeriesIndexes } from './series-index.ts'
import { sitesWithStale } from './stale-days.ts'

const LOOK_EVERY_MS = 15_000
/** How often readings and counts that have grown too old are looked for. */
const DROP_EVERY_MS = 3_600_000
/** Partitions are made so long before they are needed. */
const AHEAD_MS = 7 * 86_400_000
/** Slices that get checksums in one round: closed days are rolled up in between. */
const CHECKSUM_SLICES_IN_A_ROUND = 20
/** Whoever is in a hurry looks again for what another instance is just doing. */
const LOOK_AGAIN_MS = 20

/** Closes days, rolls them up and drops old readings, beside everything else. Several instances share the work. */
export interface Housekeeping {
  /** Does it all now, however long it takes. */
  settle(): Promise<void>
  /** Does it from time to time; a database that is away is waited for. */
  start(onFailure: (error: unknown) => void): void
  stop(): Promise<void>
}

export function createHousekeeping(
  db: Database,
  partitions: Partitions,
  indexes: SeriesIndexes,
  clock: Clock,
  /** How long readings are kept; for ever when undefined. */
  retentionMs: number | undefined,
  onDamage: OnDamage,
): Housekeeping {
  const stopping = new AbortController()
  const { signal } = stopping
  /** When the next day of each site can be closed. */
  const nextClose = new Map<string, number>()
  const checksums = createChecksumWalk(db)
  let nextDrop = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  const sites = (): Promise<string[]> =>
    db.read(async (sql) =>
      (await sql<{ site: string }[]>`SELECT site_uuid AS site FROM sites`).map(({ site }) => site),
    )

  async function round(): Promise<void> {
    const now = clock.now()
    await partitions.prepare([now, now + AHEAD_MS])
    const all = await sites()
    for (const siteUuid of all) {
      if (signal.aborted) return
      if ((nextClose.get(siteUuid) ?? 0) <= now)
        nextClose.set(
          siteUuid,
          CLOSE_AFTER_MS + (await closeDays(db, indexes, siteUuid, now - CLOSE_AFTER_MS)),
        )
    }
    for (const siteUuid of await db.read((sql) => sitesWithStale(sql, now)))
      while (!signal.aborted && (await sealDue(db, indexes, siteUuid, now, onDamage, signal)) === 'some');
    await addChecksums(CHECKSUM_SLICES_IN_A_ROUND)
    if (now < nextDrop) return
    await dropOldCounts(db, now)
    if (await dropOld(all, now)) nextDrop = now + DROP_EVERY_MS
  }

  async function addChecksums(maxSlices: number): Promise<void> {
    let slices = 0
    for (const siteUuid of await checksums.pendingSites())
      for (let isDone = false; !isDone; slices += 1) {
        if (signal.aborted || slices >= maxSlices) return
        isDone = await checksums.nextSlice(siteUuid)
      }
  }

  async function sealAll(siteUuid: string): Promise<void> {
    for (;;) {
      const sealed = await sealDue(db, indexes, siteUuid, Number.MAX_SAFE_INTEGER, onDamage)
      if (sealed === 'nothing') return
      if (sealed === 'busy') await delay(LOOK_AGAIN_MS)
    }
  }

  /** Answers whether all of it is done: days that are still to be rolled up come first. */
  async function dropOld(all: readonly string[], now: number): Promise<boolean> {
    if (retentionMs === undefined) return true
    let isDone = true
    for (const siteUuid of all) {
      if (signal.aborted) return false
      const hasDropped = await dropReadings(db, indexes, siteUuid, retentionMs, now).catch(unlessDamaged)
      if (!hasDropped) isDone = false
    }
    await partitions.dropOld()
    return isDone
  }

  async function keepHouse(onFailure: (error: unknown) => void): Promise<void> {
    let hasFailed = false
    while (!signal.aborted) {
      try {
        await round()
        hasFailed = false
      } catch (error) {
        // Once until it works again: a database that is away is everybody's news.
        if (!hasFailed) onFailure(error)
        hasFailed = true
      }
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  return {
    async settle() {
      const all = await sites()
      for (const siteUuid of all) {
        await closeDays(db, indexes, siteUuid, clock.now())
        await sealAll(siteUuid)
      }
      await addChecksums(Number.POSITIVE_INFINITY)
      await dropOld(all, clock.now())
      await dropOldCounts(db, clock.now())
    },
    start(onFailure) {
      running ??= keepHouse(onFailure)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** A site with a damaged rollup keeps all of its readings until an operator has decided; other sites do not wait for that. */
function unlessDamaged(error: unknown): boolean {
  if (error instanceof DamagedData) return false
  throw error
}
