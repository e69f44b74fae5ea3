import type { DatabaseSync } from 'node:sqlite'
import {
  type Attempt,
  LONGEST_WAIT_MS,
  type OutboxMessage,
  RESPONSE_TIME_MS,
} from '../../../domain/control/command/store.ts'
import { findCommand } from '../commands/command-rows.ts'
import { prepareOnce } from '../connect.ts'
import { DUE, messageFrom } from '../commands/outbox-rows.ts'
import { setLastTarget } from './server-schedules.ts'
import { flag } from '../row.ts'
import { applyTransitions, resolveInDoubtCancel } from './commands.ts'

export const outboxWrites = {
  claim(db: DatabaseSync, now: number, leaseUntil: number, limit: number): OutboxMessage[] {
    prepareOnce(db, 'DELETE FROM outbox WHERE expires_at <= ?').run(now)
    const due = prepareOnce(db, `SELECT * FROM outbox WHERE ${DUE} ORDER BY due_at, created_at LIMIT ?3`)
      .all(now, now + LONGEST_WAIT_MS, limit)
      .map(messageFrom)
    for (const { messageUuid } of due)
      prepareOnce(db, 'UPDATE outbox SET leased_until = ?, retry_requested = 0 WHERE message_uuid = ?').run(
        leaseUntil,
        messageUuid,
      )
    return due
  },

  recordAttempts(db: DatabaseSync, attempts: readonly Attempt[], now: number): void {
    for (const attempt of attempts) recordAttempt(db, attempt, now)
  },

  retryNow(db: DatabaseSync, siteUuid: string, deviceUuids: readonly string[] | 'all', now: number): void {
    const ofSite = `UPDATE outbox SET
        due_at = min(due_at, max(?1, ifnull(sent_at + ${RESPONSE_TIME_MS}, ?1))),
        retry_requested = leased_until IS NOT NULL
      WHERE site_uuid = ?2 AND is_done = 0`
    if (deviceUuids === 'all') prepareOnce(db, ofSite).run(now, siteUuid)
    else {
      for (const deviceUuid of deviceUuids)
        prepareOnce(db, `${ofSite} AND device_uuid = ?3`).run(now, siteUuid, deviceUuid)
    }
  },

  acknowledge(db: DatabaseSync, siteUuid: string, deviceUuid: string, messageUuid: string): boolean {
    const { changes } = prepareOnce(
      db,
      `UPDATE outbox SET is_done = 1 WHERE site_uuid = ? AND device_uuid = ? AND message_uuid = ? AND kind <> 'command'`,
    ).run(siteUuid, deviceUuid, messageUuid)
    return changes > 0
  },
}

function recordAttempt(db: DatabaseSync, attempt: Attempt, now: number): void {
  if (attempt.sentTarget) setLastTarget(db, attempt.siteUuid, attempt.deviceUuid, attempt.sentTarget)
  const command = findCommand(db, attempt.siteUuid, attempt.deviceUuid, attempt.messageUuid)
  const row = prepareOnce(db, 'SELECT * FROM outbox WHERE message_uuid = ?').get(attempt.messageUuid)
  if (!row) {
    // The device has already responded, which ended the delivery, or the command was revoked.
    if (command) resolveInDoubtCancel(db, command, attempt.outcome === 'sent', now)
    return
  }
  const message = messageFrom(row)
  prepareOnce(
    db,
    `UPDATE outbox SET tries = ?, failures = ?, due_at = ?, sent_at = ifnull(?, sent_at), leased_until = NULL,
       is_done = max(is_done, ?)
     WHERE message_uuid = ?`,
  ).run(
    message.tries + (attempt.outcome === 'sent' ? 1 : 0),
    message.failures + (attempt.outcome === 'refused' ? 1 : 0),
    // If the device reconnected while its message was leased, the message is due immediately.
    attempt.outcome === 'waits' && flag(row, 'retry_requested') ? now : attempt.dueAt,
    attempt.outcome === 'sent' ? now : null,
    attempt.isDone ? 1 : 0,
    message.messageUuid,
  )
  if (attempt.outcome === 'sent' && command)
    applyTransitions(db, command, { event: 'taken-by-broker', reason: null, at: now })
}
