import type { Command } from '../../command/command.ts'
import { KEY_KEPT_MS, replayed } from '../../command/replay.ts'
import type { AddOutcome, KeyUse } from '../../command/store.ts'
import type { Sql } from './connect.ts'

/** What came of an earlier request with this key, within a day of it. */
export async function replayOf(
  sql: Sql,
  siteUuid: string,
  use: KeyUse,
  now: number,
): Promise<AddOutcome | undefined> {
  const [kept] = await sql<{ digest: Uint8Array; command: string }[]>`
    SELECT digest, command FROM idempotency_keys
    WHERE site_uuid = ${siteUuid} AND partner_uuid = ${use.partnerUuid} AND key = ${use.key}
      AND created_at > ${now - KEY_KEPT_MS}`
  return kept && replayed(use, kept)
}

export async function keepKey(
  sql: Sql,
  { partnerUuid, key, digest }: KeyUse,
  command: Command,
): Promise<void> {
  const { siteUuid, createdAt } = command
  await sql`
    DELETE FROM idempotency_keys WHERE site_uuid = ${siteUuid} AND created_at <= ${createdAt - KEY_KEPT_MS}`
  await sql`
    INSERT INTO idempotency_keys (site_uuid, partner_uuid, key, digest, command, created_at)
    VALUES (${siteUuid}, ${partnerUuid}, ${key}, ${digest}, ${JSON.stringify(command)}, ${createdAt})`
}
