import { AppError } from '../kernel/errors.ts'

/** The background tasks of a store; SQLite has the first four. */
export type MaintenanceTask =
  | 'compaction'
  | 'rollup'
  | 'retention'
  | 'corrections'
  | 'partitions'
  | 'day-close'
  | 'checksums'
  | 'limit-counts'

/**
 * A task that failed for one of its entries (a series, a site) and is retried later; other entries are not affected.
 */
export interface MaintenanceFailure {
  task: MaintenanceTask
  /** The entry, e.g. `series 7`; empty if the whole task failed. */
  subject: string
  attempts: number
  failedAt: number
  retryAt: number
  message: string
}

export type MaintenanceEvent =
  | { kind: 'failed'; task: MaintenanceTask; subject: string; message: string; stack: string | undefined }
  /** No entry of the task is failing any longer. */
  | { kind: 'recovered'; task: MaintenanceTask }

export type MaintenanceListener = (event: MaintenanceEvent) => void

const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000
/** A whole task is retried sooner than a single entry, because none of its work is done meanwhile. */
const LONGEST_TASK_RETRY_MS = 5 * 60_000
const MAX_MESSAGE_LENGTH = 500

const retryDelayMs = (subject: string, attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), subject === '' ? LONGEST_TASK_RETRY_MS : LONGEST_RETRY_MS)

/**
 * The failures that a process knows of. They are also stored, so that a restart keeps the backoff and `portico doctor`
 * sees them.
 */
export interface FailureList {
  /** Replaces the list with the stored one: another instance may have added and removed failures. */
  load(stored: readonly MaintenanceFailure[]): void
  /** Adds a failed attempt, reports it and returns it to be stored. */
  add(task: MaintenanceTask, subject: string, error: unknown, now: number): MaintenanceFailure
  isPostponed(task: MaintenanceTask, subject: string, now: number): boolean
  /** The failures of a task that are due for a retry at an instant. */
  dueForRetry(task: MaintenanceTask, by: number): MaintenanceFailure[]
  list(task: MaintenanceTask): MaintenanceFailure[]
  /** Removes a failure whose retry was successful. */
  remove(failure: Pick<MaintenanceFailure, 'task' | 'subject'>): void
  /** Makes all failures due for a retry, or one that could not be stored. */
  expedite(only?: MaintenanceFailure): void
}

export function createFailureList(report: MaintenanceListener): FailureList {
  let failures = new Map<string, MaintenanceFailure>()
  const toKey = ({ task, subject }: Pick<MaintenanceFailure, 'task' | 'subject'>): string =>
    `${task} ${subject}`
  const list = (task: MaintenanceTask): MaintenanceFailure[] =>
    [...failures.values()].filter((failure) => failure.task === task)
  const failingTasks = (): Set<MaintenanceTask> => new Set([...failures.values()].map(({ task }) => task))
  const reportRecovered = (before: ReadonlySet<MaintenanceTask>): void => {
    for (const task of before.difference(failingTasks())) report({ kind: 'recovered', task })
  }
  return {
    load(stored) {
      const before = failingTasks()
      failures = new Map(stored.map((failure) => [toKey(failure), failure]))
      reportRecovered(before)
    },
    add(task, subject, error, now) {
      const attempts = (failures.get(toKey({ task, subject }))?.attempts ?? 0) + 1
      const message = describeError(error)
      const failure = {
        task,
        subject,
        attempts,
        failedAt: now,
        retryAt: now + retryDelayMs(subject, attempts),
        message,
      }
      failures.set(toKey(failure), failure)
      report({
        kind: 'failed',
        task,
        subject,
        message,
        stack: error instanceof Error ? error.stack : undefined,
      })
      return failure
    },
    isPostponed: (task, subject, now) => (failures.get(toKey({ task, subject }))?.retryAt ?? 0) > now,
    dueForRetry: (task, by) => list(task).filter(({ retryAt }) => retryAt <= by),
    list,
    remove(failure) {
      const before = failingTasks()
      failures.delete(toKey(failure))
      reportRecovered(before)
    },
    expedite(only) {
      for (const [key, failure] of failures)
        if (only === undefined || failure === only) failures.set(key, { ...failure, retryAt: 0 })
    },
  }
}

function describeError(error: unknown): string {
  const text =
    error instanceof AppError
      ? (error.internal ?? error.message)
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error)
  return text.slice(0, MAX_MESSAGE_LENGTH)
}

/** A series with days to roll up from an instant on. */
export interface QueuedSeries {
  subject: string
  dueAt: number
}

/** Failed rollups that a retry has resolved. A failed series is in the queue until its retry, with all of its days. */
export function findResolved(
  failures: readonly MaintenanceFailure[],
  queued: readonly QueuedSeries[],
): MaintenanceFailure[] {
  const dueAt = new Map(queued.map((series) => [series.subject, series.dueAt]))
  return failures.filter(({ subject, retryAt }) => (dueAt.get(subject) ?? Number.POSITIVE_INFINITY) > retryAt)
}

/** Forwards events to a listener; events before the first listener are buffered. */
export function createMaintenanceReports(): {
  report: MaintenanceListener
  listen(listener: MaintenanceListener): void
} {
  const waiting: MaintenanceEvent[] = []
  let listener: MaintenanceListener | undefined
  return {
    report(event) {
      if (listener) listener(event)
      else waiting.push(event)
    },
    listen(added) {
      listener = added
      for (const event of waiting.splice(0)) added(event)
    },
  }
}
