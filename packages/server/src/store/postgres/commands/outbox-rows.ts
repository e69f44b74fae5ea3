import type { NewOutboxMessage } from '../../../domain/control/command/transition.ts'
import type { Command } from '../../../domain/control/command/command.ts'
import type { OutboxBody, OutboxMessage } from '../../../domain/control/command/store.ts'
import type { Sql } from '../pool/connect.ts'

export interface OutboxRow {
  message_uuid: string
  site_uuid: string
  device_uuid: string
  kind: OutboxMessage['kind']
  body: string
  tries: number
  failures: number
  created_at: number
  due_at: number
  expires_at: number
}

export const messageFrom = (row: OutboxRow): OutboxMessage => ({
  messageUuid: row.message_uuid,
  siteUuid: row.site_uuid,
  deviceUuid: row.device_uuid,
  kind: row.kind,
  body: JSON.parse(row.body) as OutboxBody,
  tries: row.tries,
  failures: row.failures,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

export async function putMessages(
  sql: Sql,
  siteUuid: string,
  messages: readonly NewOutboxMessage[],
): Promise<void> {
  for (const message of messages) {
    await sql`
      INSERT INTO outbox (site_uuid, message_uuid, device_uuid, kind, body, tries, failures, created_at, due_at,
        leased_until, retry_requested, expires_at, is_done)
      VALUES (${siteUuid}, ${message.messageUuid}, ${message.deviceUuid}, ${message.kind},
        ${JSON.stringify(message.body)}, 0, 0, ${message.createdAt}, ${message.dueAt}, NULL, false,
        ${message.expiresAt}, false)`
  }
}

export async function dropMessages(
  sql: Sql,
  siteUuid: string,
  messageUuids: readonly string[],
): Promise<void> {
  if (messageUuids.length === 0) return
  await sql`DELETE FROM outbox WHERE site_uuid = ${siteUuid} AND message_uuid = ANY(${messageUuids}::uuid[])`
}

/** Lease expiry of messages whose delivery result is not recorded yet. */
export async function getLeaseExpiries(
  sql: Sql,
  siteUuid: string,
  messageUuids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ message_uuid: string; leased_until: number }[]>`
    SELECT message_uuid, leased_until FROM outbox
    WHERE site_uuid = ${siteUuid} AND message_uuid = ANY(${messageUuids}::uuid[]) AND leased_until IS NOT NULL`
  return new Map(rows.map((row) => [row.message_uuid, row.leased_until]))
}

const ofCommand = (sql: Sql, { siteUuid, deviceUuid, commandUuid }: Command) => sql`
  site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND kind = 'cancel'
    AND body::json ->> 'cancels' = ${commandUuid}`

/** Makes the cancel message of a command due no later than `at`; returns whether there is one. */
export async function makeCancelDue(sql: Sql, command: Command, at: number): Promise<boolean> {
  const woken = await sql`
    UPDATE outbox SET due_at = least(due_at, ${at}::bigint) WHERE ${ofCommand(sql, command)}`
  return woken.count > 0
}

export async function deleteInDoubtCancel(sql: Sql, command: Command): Promise<void> {
  await sql`DELETE FROM outbox WHERE ${ofCommand(sql, command)} AND body::json ->> 'isInDoubt' = 'true'`
}

/** Ends the delivery of older targets. Their rows stay, because a response to one that was sent may still arrive. */
export async function endTargets(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    UPDATE outbox SET is_done = true
    WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND kind = 'target'`
}
