import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../kernel/clock.ts'
import {
  createFailureList,
  findResolved,
  type MaintenanceFailure,
  type MaintenanceListener,
  type MaintenanceTask,
} from '../../maintenance.ts'
import { type RetentionRun, startRetentionRun } from './apply-retention.ts'
import { isBusy } from '../failure.ts'
import { getJournal } from '../journal/journal.ts'
import { deleteFailure, loadFailures, putFailure } from '../maintenance-failures.ts'
import { MAX_JOURNAL_READINGS, type Compaction, startCompaction } from './compact-journal.ts'
import { reportCorrections } from './corrections.ts'
import { makeAllDue, rollUpDue } from './roll-up-due.ts'
import { nextDue, postpone, queuedSeries } from './rollup-queue.ts'

/** A small journal is compacted once a day. */
const COMPACTION_INTERVAL_MS = 24 * 3_600_000
/** How often retention runs. */
const RETENTION_INTERVAL_MS = 3_600_000
/** Length of a slice of work; writes run between slices. */
const SLICE_MS = 10

/**
 * Background maintenance, run when the write queue is empty: journal compaction, day rollups, retention, events of
 * corrections. Failures are reported and retried later; the rest continues.
 */
export interface Maintenance {
  /** Does a slice of the work in a separate transaction. Returns whether there is more; never throws. */
  step(): Promise<boolean>
  /** Whether the journal has grown so large that compaction cannot wait. */
  isUrgent(): boolean
  /** Does everything now, however long it takes, and throws the first failure afterwards. */
  runToCompletion(): Promise<void>
}

/** The subject of a step: a series, or the task as a whole. */
interface Entry {
  task: MaintenanceTask
  seriesId?: number
}

const toSubject = (seriesId: number | undefined): string =>
  seriesId === undefined ? '' : `series ${seriesId}`

export function createMaintenance(
  db: DatabaseSync,
  clock: Clock,
  /** How long readings are kept; undefined: forever. */
  retentionMs: number | undefined,
  transaction: (work: () => Promise<boolean>) => Promise<boolean>,
  report: MaintenanceListener,
): Maintenance {
  let compaction: Compaction | undefined
  let compactedAt = clock.now()
  let retention: RetentionRun | undefined
  let retentionRanAt = Number.NEGATIVE_INFINITY
  let entry: Entry = { task: 'rollup' }
  const failures = createFailureList(report)
  let hasLoaded = false
  /** Whether corrections are reported before they are due. */
  let reportsAll = false
  /** Failures whose retry was successful in the current transaction. */
  let retried: MaintenanceFailure[] = []

  /** On first use, because only a migrated store has the table. */
  const loadOnce = (): void => {
    if (!hasLoaded) failures.load(loadFailures(db))
    hasLoaded = true
  }

  const isPostponed = (task: MaintenanceTask, seriesId?: number): boolean =>
    failures.isPostponed(task, toSubject(seriesId), clock.now())

  const isCompactionDue = (): boolean => {
    if (isPostponed('compaction')) return false
    entry = { task: 'compaction' }
    const { size } = getJournal(db).hot()
    return size > MAX_JOURNAL_READINGS || (size > 0 && clock.now() - compactedAt >= COMPACTION_INTERVAL_MS)
  }

  const compactSlice = (): boolean => {
    entry = { task: 'compaction' }
    compaction ??= startCompaction(db)
    if (!compaction.step(clock.now())) {
      compaction = undefined
      compactedAt = clock.now()
      removeRetried('compaction', compactedAt)
    }
    return true
  }

  const rollUpSlice = async (): Promise<boolean> => {
    if (isPostponed('rollup')) return false
    const now = clock.now()
    entry = { task: 'rollup' }
    const mark = nextDue(db, now)
    if (!mark) {
      removeResolvedRollups()
      return false
    }
    entry = { task: 'rollup', seriesId: mark.seriesId }
    await rollUpDue(db, mark, now)
    return true
  }

  const retentionSlice = async (): Promise<boolean> => {
    const now = clock.now()
    if (retentionMs === undefined || (!retention && now - retentionRanAt < RETENTION_INTERVAL_MS))
      return false
    if (isPostponed('retention')) return false
    entry = { task: 'retention' }
    retention ??= startRetentionRun(db, retentionMs, now, (seriesId) =>
      failures.isPostponed('retention', toSubject(seriesId), now),
    )
    if (await retention.step()) return true
    removeRetried('retention', retention.startedAt)
    retention = undefined
    retentionRanAt = now
    return false
  }

  const reportSlice = async (): Promise<boolean> => {
    if (isPostponed('corrections')) return false
    entry = { task: 'corrections' }
    const now = clock.now()
    if (reportCorrections(db, reportsAll ? Number.MAX_SAFE_INTEGER : now, now)) return true
    removeRetried('corrections', now)
    return false
  }

  const slice = async (): Promise<boolean> => {
    loadOnce()
    if (compaction || isCompactionDue()) return compactSlice()
    const start = clock.now()
    while ((await rollUpSlice()) || (await retentionSlice()) || (await reportSlice()))
      // Work of a failing series is committed before its next attempt.
      if (clock.now() - start >= SLICE_MS || isRetry(entry)) return true
    return false
  }

  const isRetry = ({ task, seriesId }: Entry): boolean =>
    failures.dueForRetry(task, clock.now()).some(({ subject }) => subject === toSubject(seriesId))

  function remove(resolved: readonly MaintenanceFailure[]): void {
    for (const failure of resolved) deleteFailure(db, failure)
    retried.push(...resolved)
  }

  /** Called at the end of a round: a retry that failed again is due later. */
  const removeRetried = (task: MaintenanceTask, by: number): void => remove(failures.dueForRetry(task, by))

  function removeResolvedRollups(): void {
    const failed = failures.list('rollup')
    if (failed.length === 0) return
    const queued = queuedSeries(db).map(({ seriesId, dueAt }) => ({ subject: toSubject(seriesId), dueAt }))
    remove(findResolved(failed, queued))
  }

  /** Does a slice; a failure undoes all of it. */
  const attempt = async (): Promise<boolean> => {
    const lastSeries = retention?.lastSeries
    entry = { task: compaction ? 'compaction' : 'rollup' }
    retried = []
    try {
      const hasMore = await transaction(slice)
      for (const failure of retried) failures.remove(failure)
      return hasMore
    } catch (error) {
      const seriesId = retention?.currentSeries
      if (entry.task === 'retention' && seriesId !== undefined) entry = { ...entry, seriesId }
      compaction = undefined
      if (retention && lastSeries !== undefined) retention.lastSeries = lastSeries
      else retention = undefined
      throw error
    }
  }

  /** Postpones the entry that failed, in a separate transaction. Returns whether the others can continue. */
  const postponeFailed = async ({ task, seriesId }: Entry, error: unknown): Promise<boolean> => {
    const failure = failures.add(task, toSubject(seriesId), error, clock.now())
    try {
      return await transaction(async () => {
        putFailure(db, failure)
        if (task === 'rollup' && seriesId !== undefined) postpone(db, seriesId, failure.retryAt)
        return true
      })
    } catch {
      // Nothing can be written, for example because the disk is full: retried as soon as writing may be possible again.
      failures.expedite(failure)
      return false
    }
  }

  return {
    async step() {
      try {
        return await attempt()
      } catch (error) {
        // Another process holds the write lock: the next step tries again.
        return !isBusy(error) && (await postponeFailed(entry, error))
      }
    },
    isUrgent: () =>
      compaction !== undefined || (getJournal(db).hot().size > MAX_JOURNAL_READINGS && isCompactionDue()),
    async runToCompletion() {
      const errors: unknown[] = []
      const step = async (): Promise<boolean> => {
        try {
          return await attempt()
        } catch (error) {
          if (isBusy(error)) throw error
          errors.push(error)
          return postponeFailed(entry, error)
        }
      }
      compaction = undefined
      compactedAt = Number.NEGATIVE_INFINITY
      loadOnce()
      failures.expedite()
      while (isCompactionDue() && (await step()));
      await transaction(async () => {
        // After compaction, which enqueues days too. A retention run in progress has skipped the series with queued
        // days.
        makeAllDue(db, clock.now())
        retention = undefined
        retentionRanAt = Number.NEGATIVE_INFINITY
        return true
      })
      reportsAll = true
      while (await step());
      reportsAll = false
      if (errors.length > 0) throw errors[0]
    },
  }
}
