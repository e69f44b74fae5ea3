import type { EventRecord, EventType } from '../../../domain/event/event.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryKey,
  getLane,
} from '../../../domain/webhook/delivery.ts'
import type { PositionKey } from '../../../domain/webhook/store.ts'
import type { Sql } from '../pool/connect.ts'

export interface DeliveryRow {
  site_uuid: string
  webhook_uuid: string
  number: number
  round: number
  lane: string
  type: EventType
  state: Delivery['state']
  tries: number
  gives_way: boolean
  created_at: number
  due_at: number
  delivered_at: number | null
  last_status: number | null
  last_error: Delivery['lastError']
}

export interface ListedDelivery extends DeliveryRow {
  event_uuid: string
}

export const keyFrom = (
  row: Pick<DeliveryRow, 'site_uuid' | 'webhook_uuid' | 'number' | 'round'>,
): DeliveryKey => ({
  siteUuid: row.site_uuid,
  webhookUuid: row.webhook_uuid,
  number: row.number,
  round: row.round,
})

export const deliveryFrom = (row: ListedDelivery): Delivery => ({
  ...keyFrom(row),
  eventUuid: row.event_uuid,
  type: row.type,
  state: row.state,
  tries: row.tries,
  dueAt: row.due_at,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
})

interface AttemptRow {
  at: number
  status: number | null
  error: DeliveryAttempt['error']
  duration_ms: number
  response: string | null
}

/** Restricts a statement to one delivery. */
export const ofKey = (sql: Sql, { siteUuid, webhookUuid, number, round }: DeliveryKey) =>
  sql`site_uuid = ${siteUuid} AND webhook_uuid = ${webhookUuid} AND number = ${number} AND round = ${round}`

export const ofPosition = (sql: Sql, { siteUuid, webhookUuid }: PositionKey) =>
  sql`site_uuid = ${siteUuid} AND webhook_uuid = ${webhookUuid}`

export async function listAttempts(sql: Sql, key: DeliveryKey): Promise<DeliveryAttempt[]> {
  const rows = await sql<AttemptRow[]>`SELECT * FROM delivery_attempts WHERE ${ofKey(sql, key)} ORDER BY try`
  return rows.map(({ at, status, error, duration_ms, response }) => ({
    at,
    status,
    error,
    durationMs: duration_ms,
    response,
  }))
}

/** Creates deliveries of these events; a round that exists already stays as it is. */
export async function insertDeliveries(
  sql: Sql,
  { siteUuid, webhookUuid }: PositionKey,
  events: readonly { event: EventRecord; round: number }[],
  now: number,
): Promise<void> {
  if (events.length === 0) return
  await sql`
    INSERT INTO deliveries (site_uuid, webhook_uuid, number, round, lane, type, state, tries, gives_way, created_at,
      due_at)
    VALUES (${siteUuid}, ${webhookUuid}, unnest(${events.map(({ event }) => event.number)}::bigint[]),
      unnest(${events.map(({ round }) => round)}::integer[]),
      unnest(${events.map(({ event }) => getLane(event))}::uuid[]),
      unnest(${events.map(({ event }) => event.type)}::text[]), 'waiting', 0, false, ${now}, ${now})
    ON CONFLICT DO NOTHING`
}

/** Sites on which a webhook has a position. */
export async function listSites(sql: Sql, webhookUuid: string): Promise<string[]> {
  const rows = await sql<{ site_uuid: string }[]>`
    SELECT /* every site */ site_uuid FROM webhook_positions WHERE webhook_uuid = ${webhookUuid} ORDER BY site_uuid`
  return rows.map(({ site_uuid }) => site_uuid)
}
