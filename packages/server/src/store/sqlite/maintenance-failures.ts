import type { DatabaseSync } from 'node:sqlite'
import type { MaintenanceFailure, MaintenanceTask } from '../maintenance.ts'
import { prepareOnce, prepareArraysOnce } from './connect.ts'

type FailureRow = [
  task: MaintenanceTask,
  subject: string,
  attempts: number,
  failedAt: number,
  retryAt: number,
  message: string,
]

/** The newest failure first. */
export const loadFailures = (db: DatabaseSync): MaintenanceFailure[] =>
  prepareArraysOnce<FailureRow>(
    db,
    'SELECT task, subject, attempts, failed_at, retry_at, message FROM maintenance_failures ORDER BY failed_at DESC',
  )
    .all()
    .map(([task, subject, attempts, failedAt, retryAt, message]) => ({
      task,
      subject,
      attempts,
      failedAt,
      retryAt,
      message,
    }))

export const putFailure = (
  db: DatabaseSync,
  { task, subject, attempts, failedAt, retryAt, message }: MaintenanceFailure,
): void =>
  void prepareOnce(
    db,
    `INSERT INTO maintenance_failures (task, subject, attempts, failed_at, retry_at, message) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (task, subject) DO UPDATE SET attempts = excluded.attempts, failed_at = excluded.failed_at,
       retry_at = excluded.retry_at, message = excluded.message`,
  ).run(task, subject, attempts, failedAt, retryAt, message)

export const deleteFailure = (
  db: DatabaseSync,
  { task, subject }: Pick<MaintenanceFailure, 'task' | 'subject'>,
): void =>
  void prepareOnce(db, 'DELETE FROM maintenance_failures WHERE task = ? AND subject = ?').run(task, subject)
