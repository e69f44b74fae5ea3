import type { Clock } from '../../../kernel/clock.ts'
import {
  createFailureList,
  type MaintenanceFailure,
  type MaintenanceListener,
  type MaintenanceTask,
} from '../../maintenance.ts'
import type { Database } from '../pool/connect.ts'
import { deleteFailure, loadFailures, putFailure } from './maintenance-failures.ts'

/** Runs parts of background maintenance so that one failure does not end the others. */
export interface MaintenanceAttempts {
  /** Loads the failures of all instances. */
  load(): Promise<void>
  /** Makes everything that is postponed due again. */
  expedite(): void
  /**
   * Runs a part of the work unless it is postponed. A failure is stored, reported and returned. Throws only if it
   * cannot be stored, which is when the database is unavailable.
   */
  attempt(task: MaintenanceTask, subject: string, work: () => Promise<void>): Promise<unknown>
  addFailure(task: MaintenanceTask, subject: string, error: unknown): Promise<MaintenanceFailure>
  list(task: MaintenanceTask): MaintenanceFailure[]
  removeFailure(failure: MaintenanceFailure): Promise<void>
  /** Reports the error that ended a whole round, unless it has been reported. */
  reportRound(error: unknown): void
  /** To be called at the end of a round: discards failures that could not be stored. */
  endRound(): void
}

const isSame = (one: MaintenanceFailure, other: MaintenanceFailure): boolean =>
  one.task === other.task && one.subject === other.subject

export function createMaintenanceAttempts(
  db: Database,
  clock: Clock,
  report: MaintenanceListener,
): MaintenanceAttempts {
  const failures = createFailureList(report)
  let lastTask: MaintenanceTask = 'partitions'
  /** Why a failure that was reported could not be stored, which ends the round. */
  let endOfRound: unknown
  /**
   * Failures that could not be stored. They are not postponed, and are discarded at the end of the next complete round.
   */
  let unstored: MaintenanceFailure[] = []

  const keep = (failure: MaintenanceFailure): void => {
    unstored = [...unstored.filter((other) => !isSame(other, failure)), { ...failure, retryAt: 0 }]
  }

  async function addFailure(
    task: MaintenanceTask,
    subject: string,
    error: unknown,
  ): Promise<MaintenanceFailure> {
    const failure = failures.add(task, subject, error, clock.now())
    try {
      await db.change((sql) => putFailure(sql, failure))
    } catch (notStored) {
      endOfRound = notStored
      keep(failure)
      throw notStored
    }
    return failure
  }

  async function removeFailure(failure: MaintenanceFailure): Promise<void> {
    await db.change((sql) => deleteFailure(sql, failure))
    failures.remove(failure)
  }

  return {
    async load() {
      const stored = await db.read(loadFailures)
      const others = unstored.filter((failure) => !stored.some((other) => isSame(other, failure)))
      failures.load([...stored, ...others])
    },
    expedite: failures.expedite,
    async attempt(task, subject, work) {
      const now = clock.now()
      if (failures.isPostponed(task, subject, now)) return undefined
      lastTask = task
      try {
        await work()
      } catch (error) {
        await addFailure(task, subject, error)
        return error
      }
      const retried = failures.dueForRetry(task, now).find((failure) => failure.subject === subject)
      if (retried) await removeFailure(retried)
      return undefined
    },
    addFailure,
    list: failures.list,
    removeFailure,
    reportRound(error) {
      if (error !== endOfRound) keep(failures.add(lastTask, '', error, clock.now()))
    },
    endRound() {
      unstored = []
    },
  }
}
