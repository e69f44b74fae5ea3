import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../command/command.ts'
import { KEY_KEPT_MS, replayed } from '../../command/replay.ts'
import type { AddOutcome, KeyUse } from '../../command/store.ts'
import { prepared } from './connect.ts'
import { blob, text } from './row.ts'

/** What came of an earlier request with this key, within a day of it. */
export function replayOf(
  db: DatabaseSync,
  siteUuid: string,
  use: KeyUse,
  now: number,
): AddOutcome | undefined {
  const row = prepared(
    db,
    `SELECT digest, command FROM idempotency_keys
     WHERE partner_uuid = ? AND site_uuid = ? AND key = ? AND created_at > ?`,
  ).get(use.partnerUuid, siteUuid, use.key, now - KEY_KEPT_MS)
  return row && replayed(use, { digest: blob(row, 'digest'), command: text(row, 'command') })
}

export function keepKey(db: DatabaseSync, { partnerUuid, key, digest }: KeyUse, command: Command): void {
  prepared(db, 'DELETE FROM idempotency_keys WHERE created_at <= ?').run(command.createdAt - KEY_KEPT_MS)
  prepared(
    db,
    `INSERT INTO idempotency_keys (partner_uuid, site_uuid, key, digest, command, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(partnerUuid, command.siteUuid, key, digest, JSON.stringify(command), command.createdAt)
}
