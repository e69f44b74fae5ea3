import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { DamagedData } from '../../damage.ts'
import { findResolved, type MaintenanceListener } from '../../maintenance.ts'
import { createChecksumWalk } from './add-checksums.ts'
import { CLOSE_AFTER_MS, closeDays } from './close-days.ts'
import type { Database } from '../pool/connect.ts'
import { applyRetention } from '../readings/apply-retention.ts'
import { deleteExpiredCounters } from '../cluster/rate-limit-counters.ts'
import { createMaintenanceAttempts } from './maintenance-attempts.ts'
import type { Partitions } from '../readings/partitions.ts'
import type { OnDamage } from './rollups.ts'
import { type RollupResult, rollUpDue } from './roll-up-due.ts'
import type { LoadSeriesIndex } from './series-index.ts'
import { reportCorrections, sitesWithCorrections } from '../events/report-corrections.ts'
import { postpone, queuedSeries, sitesWithQueuedDays } from './rollup-queue.ts'

const LOOK_EVERY_MS = 15_000
/** Interval of retention and of deleting expired counters. */
const RETENTION_INTERVAL_MS = 3_600_000
/** Partitions are created this long before they are needed. */
const AHEAD_MS = 7 * 86_400_000
/** Slices that get checksums in one round: closed days are rolled up in between. */
const CHECKSUM_SLICES_IN_A_ROUND = 20
/** Polling interval while another instance does the remaining work. */
const LOOK_AGAIN_MS = 20

/**
 * Background maintenance: closes days, rolls them up, reports corrections and drops old readings. Several instances
 * share the work. Failures are reported and retried later; other series, sites and tasks continue.
 */
export interface Maintenance {
  /** Does everything now, however long it takes, and throws the first failure afterwards. */
  runToCompletion(): Promise<void>
  /** Runs periodically, and continues when an unavailable database is back. */
  start(): void
  stop(): Promise<void>
}

const toSubject = (siteUuid: string, seriesId: number): string => `series ${seriesId} of site ${siteUuid}`

export function createMaintenance(
  db: Database,
  partitions: Partitions,
  indexes: LoadSeriesIndex,
  clock: Clock,
  /** How long readings are kept; undefined: forever. */
  retentionMs: number | undefined,
  onDamage: OnDamage,
  report: MaintenanceListener,
): Maintenance {
  const stopping = new AbortController()
  const { signal } = stopping
  /** When the next day of each site can be closed. */
  const nextClose = new Map<string, number>()
  const checksums = createChecksumWalk(db)
  const attempts = createMaintenanceAttempts(db, clock, report)
  const { attempt } = attempts
  let nextRetention = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  const sites = (): Promise<string[]> =>
    db.read(async (sql) =>
      (await sql<{ site: string }[]>`SELECT site_uuid AS site FROM sites`).map(({ site }) => site),
    )

  async function round(): Promise<void> {
    const now = clock.now()
    await attempts.load()
    await attempt('partitions', '', () => partitions.prepare([now, now + AHEAD_MS]))
    const all = await sites()
    for (const siteUuid of all) {
      if (signal.aborted) return
      if ((nextClose.get(siteUuid) ?? 0) > now) continue
      await attempt('day-close', `site ${siteUuid}`, async () => {
        const end = await closeDays(db, indexes, siteUuid, now - CLOSE_AFTER_MS)
        nextClose.set(siteUuid, CLOSE_AFTER_MS + end)
      })
    }
    for (const siteUuid of await db.read((sql) => sitesWithQueuedDays(sql, now)))
      await rollUpSite(siteUuid, now)
    if (signal.aborted) return
    await reportDue(now)
    await removeResolvedRollups()
    await attempt('checksums', '', () => addChecksums(CHECKSUM_SLICES_IN_A_ROUND))
    if (now < nextRetention) return
    await attempt('limit-counts', '', () => deleteExpiredCounters(db, now))
    const { isDone } = await dropOld(all, now)
    if (isDone) nextRetention = now + RETENTION_INTERVAL_MS
  }

  /** Rolls up the due days of a site; a series whose rollup fails is postponed. Returns the failures. */
  async function rollUpSite(siteUuid: string, by: number): Promise<unknown[]> {
    const failed = new Set<number>()
    const errors: unknown[] = []
    const onFailure = async (seriesId: number, error: unknown): Promise<void> => {
      errors.push(error)
      const { retryAt } = await attempts.addFailure('rollup', toSubject(siteUuid, seriesId), error)
      await db.change((sql) => postpone(sql, siteUuid, [seriesId], retryAt))
    }
    const mustComplete = by === Number.MAX_SAFE_INTEGER
    for (let result: RollupResult = 'some'; result !== 'nothing'; ) {
      result = await rollUpDue(db, indexes, siteUuid, by, { onDamage, failed, onFailure, signal })
      if (signal.aborted) break
      if (result !== 'busy') continue
      if (!mustComplete) break
      await delay(LOOK_AGAIN_MS)
    }
    return errors
  }

  /** Reports corrections that are due. Returns the failures. */
  async function reportDue(by: number): Promise<unknown[]> {
    const errors: unknown[] = []
    for (const siteUuid of await db.read((sql) => sitesWithCorrections(sql, by))) {
      const report = async (): Promise<void> => {
        while (!signal.aborted && (await reportCorrections(db, indexes, siteUuid, by, clock.now())));
      }
      errors.push(await attempt('corrections', `site ${siteUuid}`, report))
    }
    return errors
  }

  async function removeResolvedRollups(): Promise<void> {
    const failed = attempts.list('rollup')
    if (failed.length === 0) return
    const queued = (await db.read(queuedSeries)).map(({ siteUuid, seriesId, dueAt }) => ({
      subject: toSubject(siteUuid, seriesId),
      dueAt,
    }))
    for (const failure of findResolved(failed, queued)) await attempts.removeFailure(failure)
  }

  async function addChecksums(maxSlices: number): Promise<void> {
    let slices = 0
    for (const siteUuid of await checksums.pendingSites())
      for (let isDone = false; !isDone; slices += 1) {
        if (signal.aborted || slices >= maxSlices) return
        isDone = await checksums.nextSlice(siteUuid)
      }
  }

  /** Returns whether it is complete: days in the rollup queue come first. */
  async function dropOld(
    all: readonly string[],
    now: number,
  ): Promise<{ isDone: boolean; errors: unknown[] }> {
    if (retentionMs === undefined) return { isDone: true, errors: [] }
    const errors: unknown[] = []
    let isDone = true
    /** Work that fails, is postponed or has to wait for rollups is tried again in the next round. */
    const drop = async (subject: string, work: () => Promise<boolean>): Promise<void> => {
      const dropped: boolean[] = []
      const error = await attempt('retention', subject, async () => {
        dropped.push(await work())
      })
      errors.push(error)
      if (!dropped.includes(true)) isDone = false
    }
    for (const siteUuid of all) {
      if (signal.aborted) return { isDone: false, errors }
      await drop(`site ${siteUuid}`, () =>
        applyRetention(db, indexes, siteUuid, retentionMs, now).catch(unlessDamaged),
      )
    }
    await drop('', async () => {
      await partitions.dropOld()
      return true
    })
    return { isDone, errors }
  }

  async function runMaintenanceLoop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await round()
        attempts.endRound()
      } catch (error) {
        attempts.reportRound(error)
      }
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  return {
    async runToCompletion() {
      await attempts.load()
      attempts.expedite()
      const errors: unknown[] = []
      const all = await sites()
      for (const siteUuid of all) {
        const close = async (): Promise<void> => void (await closeDays(db, indexes, siteUuid, clock.now()))
        errors.push(await attempt('day-close', `site ${siteUuid}`, close))
        errors.push(...(await rollUpSite(siteUuid, Number.MAX_SAFE_INTEGER)))
      }
      errors.push(...(await reportDue(Number.MAX_SAFE_INTEGER)))
      await removeResolvedRollups()
      errors.push(await attempt('checksums', '', () => addChecksums(Number.POSITIVE_INFINITY)))
      errors.push(...(await dropOld(all, clock.now())).errors)
      errors.push(await attempt('limit-counts', '', () => deleteExpiredCounters(db, clock.now())))
      const failed: unknown[] = errors.filter((error) => error !== undefined)
      if (failed.length > 0) throw failed[0]
    },
    start() {
      running ??= runMaintenanceLoop()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/**
 * A site with a damaged rollup keeps all of its readings until an operator has decided; other sites do not wait for
 * that.
 */
function unlessDamaged(error: unknown): boolean {
  if (error instanceof DamagedData) return false
  throw error
}
