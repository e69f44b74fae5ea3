import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { WebhookStore } from '../../../domain/webhook/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { type BoundWrites, withWrites } from '../writer.ts'
import { integer } from '../row.ts'
import {
  deliveryFrom,
  findProgress,
  keyFrom,
  listAttempts,
  pendingFrom,
  positionFrom,
} from './delivery-rows.ts'
import { findWebhook, webhookFrom } from './webhook-rows.ts'

/** Events that one write replays, so that other writes never wait for long. */
const REPLAYED_PER_WRITE = 5_000

const HEALTHY_POSITIONS = `webhooks JOIN webhook_positions AS p USING (webhook_uuid)`
const IS_HEALTHY = `state = 'enabled' AND failing_since IS NULL`

export const sqliteWebhooks = (reader: () => DatabaseSync, writes: BoundWrites<'webhooks'>): WebhookStore =>
  withWrites<WebhookStore, 'webhooks'>(writes, {
    list: async (partnerUuid) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT * FROM webhooks ${partnerUuid === undefined ? '' : 'WHERE partner_uuid = ?'}
           ORDER BY created_at, webhook_uuid`,
        )
          .all(...(partnerUuid === undefined ? [] : [partnerUuid]))
          .map(webhookFrom),
      ),
    find: async (webhookUuid) => translateErrors(() => findWebhook(reader(), webhookUuid)),
    progress: async (webhookUuids) =>
      translateErrors(
        () =>
          new Map(
            webhookUuids.flatMap((webhookUuid) => {
              const found = findProgress(reader(), webhookUuid)
              return found ? [[webhookUuid, found] as const] : []
            }),
          ),
      ),
    unreached: async () =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT site_uuid, webhook_uuid, updated_at, last_number
           FROM ${HEALTHY_POSITIONS} JOIN event_heads USING (site_uuid)
           WHERE ${IS_HEALTHY} AND position < last_number`,
        )
          .all()
          .map((row) => ({ ...pendingFrom(row), lastNumber: integer(row, 'last_number') })),
      ),
    due: async (now) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT p.site_uuid, p.webhook_uuid, updated_at FROM ${HEALTHY_POSITIONS} WHERE ${IS_HEALTHY} AND EXISTS (
             SELECT 1 FROM deliveries AS d WHERE d.site_uuid = p.site_uuid AND d.webhook_uuid = p.webhook_uuid
               AND d.state = 'waiting' AND d.due_at <= ?)`,
        )
          .all(now)
          .map(pendingFrom),
      ),
    oldestWaiting: async (webhookUuid, limit) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT d.site_uuid, d.webhook_uuid, number, round
           FROM webhook_positions AS p CROSS JOIN deliveries AS d USING (site_uuid, webhook_uuid)
           WHERE p.webhook_uuid = ? AND d.state = 'waiting' ORDER BY d.created_at, number, round LIMIT ?`,
        )
          .all(webhookUuid, limit)
          .map(keyFrom),
      ),
    async removeExpired() {
      for (const position of translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT p.site_uuid, p.webhook_uuid FROM webhook_positions AS p JOIN event_heads USING (site_uuid)
           WHERE EXISTS (SELECT 1 FROM deliveries AS d WHERE d.site_uuid = p.site_uuid
             AND d.webhook_uuid = p.webhook_uuid AND d.number < first_number)`,
        )
          .all()
          .map(positionFrom),
      ))
        await writes.removeExpiredAt(position)
    },
    deliveries: async (webhookUuid, { state, type, from }, after, limit) =>
      translateErrors(() => {
        const conditions: [sql: string, ...values: SQLInputValue[]][] = [['d.webhook_uuid = ?', webhookUuid]]
        if (state !== undefined) conditions.push(['d.state = ?', state])
        if (type !== undefined) conditions.push(['d.type = ?', type])
        if (from !== undefined) conditions.push(['d.created_at >= ?', from])
        if (after)
          conditions.push([
            '(d.created_at, d.site_uuid, d.number, d.round) < (?, ?, ?, ?)',
            after.createdAt,
            after.siteUuid,
            after.number,
            after.round,
          ])
        return prepareOnce(
          reader(),
          `SELECT d.*, e.event_uuid FROM deliveries AS d CROSS JOIN events AS e USING (site_uuid, number)
           WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
           ORDER BY d.created_at DESC, d.site_uuid DESC, d.number DESC, d.round DESC LIMIT ?`,
        )
          .all(...conditions.flatMap(([, ...values]) => values), limit)
          .map(deliveryFrom)
      }),
    findDeliveries: async (webhookUuid, eventUuid) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT d.*, e.event_uuid
           FROM webhook_positions AS p CROSS JOIN events AS e USING (site_uuid)
             CROSS JOIN deliveries AS d ON d.site_uuid = e.site_uuid AND d.number = e.number
               AND d.webhook_uuid = p.webhook_uuid
           WHERE p.webhook_uuid = ? AND e.event_uuid = ? ORDER BY d.round DESC`,
        )
          .all(webhookUuid, eventUuid)
          .map(deliveryFrom)
          .map((delivery) => ({ delivery, attempts: listAttempts(reader(), delivery) })),
      ),
    async replay(position, range, max, now) {
      let count = 0
      const { fromNumber, toNumber } = range
      for (let from = fromNumber; from <= toNumber && count < max; from += REPLAYED_PER_WRITE) {
        const part = {
          ...range,
          fromNumber: from,
          toNumber: Math.min(toNumber, from + REPLAYED_PER_WRITE - 1),
        }
        count += await writes.replayPart(position, part, max - count, now)
      }
      return count
    },
  })
