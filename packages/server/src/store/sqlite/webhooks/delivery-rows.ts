import type { DatabaseSync } from 'node:sqlite'
import type { EventType } from '../../../domain/event/event.ts'
import type { Delivery, DeliveryAttempt, DeliveryKey } from '../../../domain/webhook/delivery.ts'
import type { PendingPosition, PositionKey } from '../../../domain/webhook/store.ts'
import type { WebhookProgress } from '../../../domain/webhook/webhook.ts'
import { prepareOnce } from '../connect.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'

export const keyFrom = (row: Row): DeliveryKey => ({
  siteUuid: text(row, 'site_uuid'),
  webhookUuid: text(row, 'webhook_uuid'),
  number: integer(row, 'number'),
  round: integer(row, 'round'),
})

export const positionFrom = (row: Row): PositionKey => ({
  siteUuid: text(row, 'site_uuid'),
  webhookUuid: text(row, 'webhook_uuid'),
})

export const pendingFrom = (row: Row): PendingPosition => ({
  ...positionFrom(row),
  updatedAt: integer(row, 'updated_at'),
})

export const deliveryFrom = (row: Row): Delivery => ({
  ...keyFrom(row),
  eventUuid: text(row, 'event_uuid'),
  type: text(row, 'type') as EventType,
  state: text(row, 'state') as Delivery['state'],
  tries: integer(row, 'tries'),
  dueAt: integer(row, 'due_at'),
  createdAt: integer(row, 'created_at'),
  deliveredAt: integerOrNull(row, 'delivered_at'),
  lastStatus: integerOrNull(row, 'last_status'),
  lastError: textOrNull(row, 'last_error') as Delivery['lastError'],
})

const attemptFrom = (row: Row): DeliveryAttempt => ({
  at: integer(row, 'at'),
  status: integerOrNull(row, 'status'),
  error: textOrNull(row, 'error') as DeliveryAttempt['error'],
  durationMs: integer(row, 'duration_ms'),
  response: textOrNull(row, 'response'),
})

export const listAttempts = (
  db: DatabaseSync,
  { siteUuid, webhookUuid, number, round }: DeliveryKey,
): DeliveryAttempt[] =>
  prepareOnce(
    db,
    `SELECT * FROM delivery_attempts WHERE site_uuid = ? AND webhook_uuid = ? AND number = ? AND round = ?
     ORDER BY try`,
  )
    .all(siteUuid, webhookUuid, number, round)
    .map(attemptFrom)

/** The progress of one webhook; undefined if it has no position. */
export function findProgress(db: DatabaseSync, webhookUuid: string): WebhookProgress | undefined {
  const row = prepareOnce(
    db,
    `WITH sites AS (
       SELECT site_uuid, lost, last_delivered_at,
         max(coalesce(last_number, 0) - max(position, coalesce(first_number, 1) - 1), 0) AS unreached,
         max(position, coalesce(first_number, 1) - 1) + 1 AS next_number
       FROM webhook_positions LEFT JOIN event_heads USING (site_uuid) WHERE webhook_uuid = ?1),
     waits AS (
       SELECT sites.*, (SELECT count(*) FROM deliveries AS d
           WHERE d.site_uuid = sites.site_uuid AND d.webhook_uuid = ?1 AND d.state = 'waiting') AS dealt,
         (SELECT min(number) FROM deliveries AS d
           WHERE d.site_uuid = sites.site_uuid AND d.webhook_uuid = ?1 AND d.state = 'waiting') AS oldest
       FROM sites)
     SELECT count(*) AS positions, sum(dealt + unreached) AS waiting, sum(lost) AS lost,
       max(last_delivered_at) AS last_delivered_at,
       min((SELECT recorded_at FROM events AS e WHERE e.site_uuid = waits.site_uuid
         AND e.number = coalesce(oldest, CASE WHEN unreached > 0 THEN next_number END))) AS oldest_at
     FROM waits`,
  ).get(webhookUuid)
  if (!row || integer(row, 'positions') === 0) return undefined
  return {
    waiting: integer(row, 'waiting'),
    oldestWaitingAt: integerOrNull(row, 'oldest_at'),
    lastDeliveredAt: integerOrNull(row, 'last_delivered_at'),
    lost: integer(row, 'lost'),
  }
}
