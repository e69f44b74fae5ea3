import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../../domain/control/command/command.ts'
import type { NewOutboxMessage } from '../../../domain/control/command/transition.ts'
import type { OutboxBody, OutboxMessage } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'

/** Parameters: the current time, and the latest due time or lease that is plausible. */
export const DUE = `is_done = 0 AND (due_at <= ?1 OR due_at > ?2)
  AND (leased_until IS NULL OR leased_until <= ?1 OR leased_until > ?2)`

export const messageFrom = (row: Row): OutboxMessage => ({
  messageUuid: text(row, 'message_uuid'),
  siteUuid: text(row, 'site_uuid'),
  deviceUuid: text(row, 'device_uuid'),
  kind: text(row, 'kind') as OutboxMessage['kind'],
  body: JSON.parse(text(row, 'body')) as OutboxBody,
  tries: integer(row, 'tries'),
  failures: integer(row, 'failures'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
})

export const putMessage = (db: DatabaseSync, message: NewOutboxMessage): void =>
  void prepareOnce(
    db,
    `INSERT INTO outbox (message_uuid, site_uuid, device_uuid, kind, body, tries, failures, created_at, due_at, expires_at,
       is_done) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, ?, 0)`,
  ).run(
    message.messageUuid,
    message.siteUuid,
    message.deviceUuid,
    message.kind,
    JSON.stringify(message.body),
    message.createdAt,
    message.dueAt,
    message.expiresAt,
  )

export const dropMessage = (db: DatabaseSync, messageUuid: string): void =>
  void prepareOnce(db, 'DELETE FROM outbox WHERE message_uuid = ?').run(messageUuid)

/** Lease expiry of a message whose delivery result is not recorded yet. */
export function getLeaseExpiry(db: DatabaseSync, messageUuid: string): number | null {
  const row = prepareOnce(db, 'SELECT leased_until FROM outbox WHERE message_uuid = ?').get(messageUuid)
  return row ? integerOrNull(row, 'leased_until') : null
}

/** Makes the cancel message of a command due no later than `at`; returns whether there is one. */
export const makeCancelDue = (
  db: DatabaseSync,
  { siteUuid, deviceUuid, commandUuid }: Pick<Command, 'siteUuid' | 'deviceUuid' | 'commandUuid'>,
  at: number,
): boolean =>
  prepareOnce(
    db,
    `UPDATE outbox SET due_at = min(due_at, ?)
     WHERE site_uuid = ? AND device_uuid = ? AND kind = 'cancel' AND body ->> 'cancels' = ?`,
  ).run(at, siteUuid, deviceUuid, commandUuid).changes > 0

export const deleteInDoubtCancel = (
  db: DatabaseSync,
  { siteUuid, deviceUuid, commandUuid }: Pick<Command, 'siteUuid' | 'deviceUuid' | 'commandUuid'>,
): void =>
  void prepareOnce(
    db,
    `DELETE FROM outbox WHERE site_uuid = ? AND device_uuid = ? AND kind = 'cancel' AND body ->> 'cancels' = ?
       AND body ->> 'isInDoubt'`,
  ).run(siteUuid, deviceUuid, commandUuid)

/** Ends the delivery of older targets. Their rows stay, because a response to one that was sent may still arrive. */
export const endTargets = (db: DatabaseSync, siteUuid: string, deviceUuid: string): void =>
  void prepareOnce(
    db,
    `UPDATE outbox SET is_done = 1 WHERE site_uuid = ? AND device_uuid = ? AND kind = 'target'`,
  ).run(siteUuid, deviceUuid)
