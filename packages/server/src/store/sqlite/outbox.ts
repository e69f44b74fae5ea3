import type { DatabaseSync } from 'node:sqlite'
import type { Attempt, OutboxMessage, OutboxStore } from '../../command/store.ts'
import { callBackFromItsWay, change } from './command-writes.ts'
import { findCommand } from './command-rows.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { messageFrom } from './outbox-rows.ts'
import { notePlayed } from './player-rows.ts'
import type { Writer } from './writer.ts'

/** No message is put off for longer than this: one that is due later was written under another clock. */
const LONGEST_WAIT_MS = 15 * 60_000

export const outboxWrites = {
  claimMessages(db: DatabaseSync, now: number, leaseUntil: number, limit: number): OutboxMessage[] {
    prepared(db, 'DELETE FROM outbox WHERE expires_at <= ?').run(now)
    const due = prepared(
      db,
      `SELECT * FROM outbox WHERE is_done = 0 AND (due_at <= ? OR due_at > ?) ORDER BY due_at, created_at LIMIT ?`,
    )
      .all(now, now + LONGEST_WAIT_MS, limit)
      .map(messageFrom)
    for (const { messageUuid } of due)
      prepared(db, 'UPDATE outbox SET due_at = ? WHERE message_uuid = ?').run(leaseUntil, messageUuid)
    return due
  },

  recordAttempts(db: DatabaseSync, attempts: readonly Attempt[], now: number): void {
    for (const attempt of attempts) recordAttempt(db, attempt, now)
  },

  wakeMessages(
    db: DatabaseSync,
    siteUuid: string,
    deviceUuids: readonly string[] | 'all',
    now: number,
  ): void {
    if (deviceUuids === 'all') {
      prepared(db, 'UPDATE outbox SET due_at = ? WHERE site_uuid = ? AND is_done = 0 AND due_at > ?').run(
        now,
        siteUuid,
        now,
      )
      return
    }
    for (const deviceUuid of deviceUuids) {
      prepared(
        db,
        'UPDATE outbox SET due_at = ? WHERE site_uuid = ? AND device_uuid = ? AND is_done = 0 AND due_at > ?',
      ).run(now, siteUuid, deviceUuid, now)
    }
  },

  answerMessage(db: DatabaseSync, siteUuid: string, deviceUuid: string, messageUuid: string): boolean {
    const { changes } = prepared(
      db,
      `UPDATE outbox SET is_done = 1 WHERE site_uuid = ? AND device_uuid = ? AND message_uuid = ? AND kind <> 'command'`,
    ).run(siteUuid, deviceUuid, messageUuid)
    return changes > 0
  },
}

function recordAttempt(db: DatabaseSync, attempt: Attempt, now: number): void {
  if (attempt.played) notePlayed(db, attempt.siteUuid, attempt.deviceUuid, attempt.played)
  const command = findCommand(db, attempt.siteUuid, attempt.deviceUuid, attempt.messageUuid)
  const row = prepared(db, 'SELECT * FROM outbox WHERE message_uuid = ?').get(attempt.messageUuid)
  if (!row) {
    // The device was faster than this and its answer has ended the sending, or the command was taken back.
    if (attempt.outcome === 'sent' && command) callBackFromItsWay(db, command, now)
    return
  }
  const message = messageFrom(row)
  prepared(
    db,
    'UPDATE outbox SET tries = ?, failures = ?, due_at = ?, is_done = max(is_done, ?) WHERE message_uuid = ?',
  ).run(
    message.tries + (attempt.outcome === 'sent' ? 1 : 0),
    message.failures + (attempt.outcome === 'refused' ? 1 : 0),
    attempt.dueAt,
    attempt.isDone ? 1 : 0,
    message.messageUuid,
  )
  if (attempt.outcome === 'sent' && command)
    change(db, command, { event: 'taken-by-broker', reason: null, at: now })
}

export const sqliteOutbox = (reader: () => DatabaseSync, writer: Writer): OutboxStore => ({
  // Asked every second: the writer is troubled only when there is something to send or to forget.
  claim: async (now, leaseUntil, limit) => {
    const isDue = await reading(() =>
      prepared(
        reader(),
        `SELECT 1 FROM outbox WHERE is_done = 0 AND due_at <= ?1
         UNION ALL SELECT 1 FROM outbox WHERE is_done = 0 AND due_at > ?2
         UNION ALL SELECT 1 FROM outbox WHERE expires_at <= ?1 LIMIT 1`,
      ).get(now, now + LONGEST_WAIT_MS),
    )
    return isDue ? writer.run('claimMessages', now, leaseUntil, limit) : []
  },
  record: (attempts, now) => writer.run('recordAttempts', attempts, now),
  wake: (siteUuid, deviceUuids, now) => writer.run('wakeMessages', siteUuid, deviceUuids, now),
  answered: (siteUuid, deviceUuid, messageUuid) =>
    writer.run('answerMessage', siteUuid, deviceUuid, messageUuid),
})
