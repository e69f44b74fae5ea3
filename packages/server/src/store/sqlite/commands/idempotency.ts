import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../../domain/control/command/command.ts'
import { IDEMPOTENCY_KEY_TTL_MS, toReplayOutcome } from '../../../domain/control/command/decide-add.ts'
import type { AddOutcome, IdempotencyKey } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { blob, text } from '../row.ts'

/** The outcome of an earlier request with this key, for a day. */
export function findReplay(
  db: DatabaseSync,
  siteUuid: string,
  use: IdempotencyKey,
  now: number,
): AddOutcome | undefined {
  const row = prepareOnce(
    db,
    `SELECT digest, command FROM idempotency_keys
     WHERE partner_uuid = ? AND site_uuid = ? AND key = ? AND created_at > ?`,
  ).get(use.partnerUuid, siteUuid, use.key, now - IDEMPOTENCY_KEY_TTL_MS)
  return row && toReplayOutcome(use, { digest: blob(row, 'digest'), command: text(row, 'command') })
}

export function insertIdempotencyKey(
  db: DatabaseSync,
  { partnerUuid, key, digest }: IdempotencyKey,
  command: Command,
): void {
  prepareOnce(db, 'DELETE FROM idempotency_keys WHERE created_at <= ?').run(
    command.createdAt - IDEMPOTENCY_KEY_TTL_MS,
  )
  prepareOnce(
    db,
    `INSERT INTO idempotency_keys (partner_uuid, site_uuid, key, digest, command, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(partnerUuid, command.siteUuid, key, digest, JSON.stringify(command), command.createdAt)
}
