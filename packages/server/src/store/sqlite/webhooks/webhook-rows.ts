import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { EventType } from '../../../domain/event/event.ts'
import type { Webhook, WebhookFields } from '../../../domain/webhook/webhook.ts'
import { prepareOnce } from '../connect.ts'
import { flag, integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { decodeList, WEBHOOK_COLUMNS } from '../../webhook-columns.ts'

export const webhookFrom = (row: Row): Webhook => ({
  webhookUuid: text(row, 'webhook_uuid'),
  partnerUuid: text(row, 'partner_uuid'),
  url: text(row, 'url'),
  description: textOrNull(row, 'description'),
  eventTypes: decodeList<EventType>(textOrNull(row, 'event_types')),
  siteUuids: decodeList<string>(textOrNull(row, 'site_uuids')),
  heartbeat: flag(row, 'heartbeat'),
  state: text(row, 'state') as Webhook['state'],
  reason: textOrNull(row, 'reason') as Webhook['reason'],
  failingSince: integerOrNull(row, 'failing_since'),
  probeAt: integerOrNull(row, 'probe_at'),
  probes: integer(row, 'probes'),
  secretNumber: integer(row, 'secret_number'),
  previousEndsAt: integerOrNull(row, 'previous_ends_at'),
  nextHeartbeatAt: integerOrNull(row, 'next_heartbeat_at'),
  createdAt: integer(row, 'created_at'),
  updatedAt: integer(row, 'updated_at'),
})

const toColumn = (value: boolean | number | string | null | readonly string[]): SQLInputValue => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

type Field = keyof Webhook

/** Names and values of the given fields, as columns. */
const toColumns = (fields: Partial<Webhook>): [column: string, value: SQLInputValue][] =>
  (Object.keys(fields) as Field[]).map((field) => [WEBHOOK_COLUMNS[field], toColumn(fields[field] ?? null)])

export function insertWebhook(db: DatabaseSync, webhook: Webhook): void {
  const columns = toColumns(webhook)
  const names = columns.map(([name]) => name).join(', ')
  prepareOnce(db, `INSERT INTO webhooks (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...columns.map(([, value]) => value),
  )
}

/** Returns whether the expected fields had their values. */
export function updateWebhook(
  db: DatabaseSync,
  webhookUuid: string,
  expected: WebhookFields,
  changes: WebhookFields,
): boolean {
  const [wanted, given] = [toColumns(changes), toColumns(expected)]
  const sets = wanted
    .map(([name]) => (name === WEBHOOK_COLUMNS.updatedAt ? `${name} = max(?, ${name} + 1)` : `${name} = ?`))
    .join(', ')
  const conditions = given.map(([name]) => ` AND ${name} IS ?`).join('')
  const values = [...wanted.map(([, value]) => value), webhookUuid, ...given.map(([, value]) => value)]
  return (
    prepareOnce(db, `UPDATE webhooks SET ${sets} WHERE webhook_uuid = ?${conditions}`).run(...values)
      .changes > 0
  )
}

export function findWebhook(db: DatabaseSync, webhookUuid: string): Webhook | undefined {
  const row = prepareOnce(db, 'SELECT * FROM webhooks WHERE webhook_uuid = ?').get(webhookUuid)
  return row && webhookFrom(row)
}

/** Adds missing positions at the end of the logs of these sites. */
export function addPositions(db: DatabaseSync, webhookUuid: string, siteUuids: readonly string[]): void {
  for (const siteUuid of siteUuids)
    prepareOnce(
      db,
      `INSERT INTO webhook_positions (site_uuid, webhook_uuid, position, lost)
       VALUES (?1, ?2, coalesce((SELECT last_number FROM event_heads WHERE site_uuid = ?1), 0), 0)
       ON CONFLICT DO NOTHING`,
    ).run(siteUuid, webhookUuid)
}
