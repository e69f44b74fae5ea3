import type { Command } from '../../../domain/control/command/command.ts'
import { KEY_TTL_MS, toReplayOutcome } from '../../../domain/control/command/decide-add.ts'
import type { AddOutcome, IdempotencyKey } from '../../../domain/control/command/store.ts'
import type { Sql } from '../pool/connect.ts'

/** The outcome of an earlier request with this key, for a day. */
export async function findReplay(
  sql: Sql,
  siteUuid: string,
  use: IdempotencyKey,
  now: number,
): Promise<AddOutcome | undefined> {
  const [stored] = await sql<{ digest: Uint8Array; command: string }[]>`
    SELECT digest, command FROM idempotency_keys
    WHERE site_uuid = ${siteUuid} AND partner_uuid = ${use.partnerUuid} AND key = ${use.key}
      AND created_at > ${now - KEY_TTL_MS}`
  return stored && toReplayOutcome(use, stored)
}

export async function insertIdempotencyKey(
  sql: Sql,
  { partnerUuid, key, digest }: IdempotencyKey,
  command: Command,
): Promise<void> {
  const { siteUuid, createdAt } = command
  await sql`
    DELETE FROM idempotency_keys WHERE site_uuid = ${siteUuid} AND created_at <= ${createdAt - KEY_TTL_MS}`
  await sql`
    INSERT INTO idempotency_keys (site_uuid, partner_uuid, key, digest, command, created_at)
    VALUES (${siteUuid}, ${partnerUuid}, ${key}, ${digest}, ${JSON.stringify(command)}, ${createdAt})`
}
