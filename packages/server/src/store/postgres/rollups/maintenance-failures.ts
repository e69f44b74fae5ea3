import type { MaintenanceFailure } from '../../maintenance.ts'
import type { Sql } from '../pool/connect.ts'

/** The newest failure first. */
export const loadFailures = async (sql: Sql): Promise<MaintenanceFailure[]> => [
  ...(await sql<MaintenanceFailure[]>`
    SELECT task, subject, attempts, failed_at AS "failedAt", retry_at AS "retryAt", message
    FROM maintenance_failures ORDER BY failed_at DESC`),
]

export async function putFailure(
  sql: Sql,
  { task, subject, attempts, failedAt, retryAt, message }: MaintenanceFailure,
): Promise<void> {
  await sql`
    INSERT INTO maintenance_failures (task, subject, attempts, failed_at, retry_at, message)
    VALUES (${task}, ${subject}, ${attempts}, ${failedAt}, ${retryAt}, ${message})
    ON CONFLICT (task, subject) DO UPDATE SET attempts = excluded.attempts, failed_at = excluded.failed_at,
      retry_at = excluded.retry_at, message = excluded.message`
}

export async function deleteFailure(
  sql: Sql,
  { task, subject }: Pick<MaintenanceFailure, 'task' | 'subject'>,
): Promise<void> {
  await sql`DELETE FROM maintenance_failures WHERE task = ${task} AND subject = ${subject}`
}
