import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../command/command.ts'
import type { AddOutcome, KeyUse } from '../../command/store.ts'
import { constantEquals } from '../../lib/constant-equals.ts'
import { prepared } from './connect.ts'
import { blob, text } from './row.ts'

const KEPT_MS = 24 * 3_600_000

/** What came of an earlier request with this key, within a day of it. */
export function replayOf(
  db: DatabaseSync,
  siteUuid: string,
  { partnerUuid, key, digest }: KeyUse,
  now: number,
): AddOutcome | undefined {
  const row = prepared(
    db,
    `SELECT digest, command FROM idempotency_keys
     WHERE partner_uuid = ? AND site_uuid = ? AND key = ? AND created_at > ?`,
  ).get(partnerUuid, siteUuid, key, now - KEPT_MS)
  if (!row) return undefined
  if (!constantEquals(blob(row, 'digest'), digest)) return { outcome: 'key-reused' }
  return { outcome: 'replayed', command: JSON.parse(text(row, 'command')) as Command }
}

export function keepKey(db: DatabaseSync, { partnerUuid, key, digest }: KeyUse, command: Command): void {
  prepared(db, 'DELETE FROM idempotency_keys WHERE created_at <= ?').run(command.createdAt - KEPT_MS)
  prepared(
    db,
    `INSERT INTO idempotency_keys (partner_uuid, site_uuid, key, digest, command, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(partnerUuid, command.siteUuid, key, digest, JSON.stringify(command), command.createdAt)
}
