import type { EventType } from '../../../domain/event/event.ts'
import type { Webhook, WebhookFields } from '../../../domain/webhook/webhook.ts'
import type { Sql } from '../pool/connect.ts'
import { decodeList, WEBHOOK_COLUMNS } from '../../webhook-columns.ts'

interface WebhookRow {
  webhook_uuid: string
  partner_uuid: string
  url: string
  description: string | null
  event_types: string | null
  site_uuids: string | null
  heartbeat: boolean
  state: Webhook['state']
  reason: Webhook['reason']
  failing_since: number | null
  probe_at: number | null
  probes: number
  secret_number: number
  previous_ends_at: number | null
  next_heartbeat_at: number | null
  created_at: number
  updated_at: number
}

const webhookFrom = (row: WebhookRow): Webhook => ({
  webhookUuid: row.webhook_uuid,
  partnerUuid: row.partner_uuid,
  url: row.url,
  description: row.description,
  eventTypes: decodeList<EventType>(row.event_types),
  siteUuids: decodeList<string>(row.site_uuids),
  heartbeat: row.heartbeat,
  state: row.state,
  reason: row.reason,
  failingSince: row.failing_since,
  probeAt: row.probe_at,
  probes: row.probes,
  secretNumber: row.secret_number,
  previousEndsAt: row.previous_ends_at,
  nextHeartbeatAt: row.next_heartbeat_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

type Column = boolean | number | string | null

const toColumn = (value: Webhook[keyof Webhook]): Column =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/** The given fields as columns. */
const toColumns = (fields: Partial<Webhook>): Record<string, Column> =>
  Object.fromEntries(
    (Object.keys(fields) as (keyof Webhook)[]).map((field) => [
      WEBHOOK_COLUMNS[field],
      toColumn(fields[field] ?? null),
    ]),
  )

export async function listWebhooks(sql: Sql, partnerUuid: string | undefined): Promise<Webhook[]> {
  const rows = await sql<WebhookRow[]>`
    SELECT * FROM webhooks ${partnerUuid === undefined ? sql`` : sql`WHERE partner_uuid = ${partnerUuid}`}
    ORDER BY created_at, webhook_uuid`
  return rows.map(webhookFrom)
}

export async function findWebhook(sql: Sql, webhookUuid: string): Promise<Webhook | undefined> {
  const [row] = await sql<WebhookRow[]>`SELECT * FROM webhooks WHERE webhook_uuid = ${webhookUuid}`
  return row && webhookFrom(row)
}

export async function insertWebhook(sql: Sql, webhook: Webhook): Promise<void> {
  await sql`INSERT INTO webhooks ${sql(toColumns(webhook))}`
}

/** Undefined if the expected fields have other values. */
export async function updateWebhook(
  sql: Sql,
  webhookUuid: string,
  expected: WebhookFields,
  changes: WebhookFields,
): Promise<Webhook | undefined> {
  const conditions = Object.entries(toColumns(expected)).map(([name, value]) =>
    value === null ? sql`AND ${sql(name)} IS NULL` : sql`AND ${sql(name)} = ${value}`,
  )
  const sets = Object.entries(toColumns(changes)).map(([name, value], index) => {
    const set =
      name === WEBHOOK_COLUMNS.updatedAt
        ? sql`${sql(name)} = greatest(${value}::bigint, ${sql(name)} + 1)`
        : sql`${sql(name)} = ${value}`
    return index === 0 ? set : sql`, ${set}`
  })
  const [row] = await sql<WebhookRow[]>`
    UPDATE webhooks SET ${sets} WHERE webhook_uuid = ${webhookUuid} ${conditions.length === 0 ? sql`` : conditions} RETURNING *`
  return row && webhookFrom(row)
}
