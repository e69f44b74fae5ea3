import type { PendingPosition, PositionKey, WebhookStore } from '../../../domain/webhook/store.ts'
import type { WebhookProgress } from '../../../domain/webhook/webhook.ts'
import { findHead } from '../events/event-rows.ts'
import { recordAudit } from '../identity/audit.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { claim, claimOne, dealOut, recordOutcomes, removeExpiredAt, replayPart } from './deliveries.ts'
import {
  deliveryFrom,
  type DeliveryRow,
  keyFrom,
  listAttempts,
  type ListedDelivery,
  listSites,
  ofKey,
  ofPosition,
} from './delivery-rows.ts'
import { findWebhook, insertWebhook, listWebhooks, updateWebhook } from './webhook-rows.ts'

/** Events that one transaction replays. */
const REPLAYED_PER_WRITE = 5_000

export const postgresWebhooks = (db: Database): WebhookStore => ({
  async add(webhook, siteUuids, { max }, entry) {
    const outcome = await db.write(async (sql) => {
      // Serialises the additions of one partner.
      await sql`SELECT 1 FROM partners WHERE partner_uuid = ${webhook.partnerUuid} FOR NO KEY UPDATE`
      if ((await listWebhooks(sql, webhook.partnerUuid)).length >= max) return 'too-many' as const
      await insertWebhook(sql, webhook)
      await recordAudit(sql, entry)
      return 'added' as const
    })
    if (outcome === 'added') await addPositions(db, webhook.webhookUuid, siteUuids)
    return outcome
  },
  list: (partnerUuid) => db.read((sql) => listWebhooks(sql, partnerUuid)),
  find: (webhookUuid) => db.read((sql) => findWebhook(sql, webhookUuid)),
  update: (webhookUuid, expected, changes, entry) =>
    db.write(async (sql) => {
      const webhook = await updateWebhook(sql, webhookUuid, expected, changes)
      if (webhook && entry) await recordAudit(sql, entry)
      return webhook
    }),
  async remove(webhookUuid, entry) {
    const sites = await db.read((sql) => listSites(sql, webhookUuid))
    const isRemoved = await db.write(async (sql) => {
      const { count } = await sql`DELETE FROM webhooks WHERE webhook_uuid = ${webhookUuid}`
      if (count > 0) await recordAudit(sql, entry)
      return count > 0
    })
    for (const siteUuid of sites) await db.write((sql) => removePosition(sql, { siteUuid, webhookUuid }))
    return isRemoved
  },
  progress: async (webhookUuids) =>
    new Map(
      (
        await Promise.all(
          webhookUuids.map(
            async (webhookUuid) => [webhookUuid, await loadProgress(db, webhookUuid)] as const,
          ),
        )
      ).flatMap(([webhookUuid, progress]) => (progress ? [[webhookUuid, progress] as const] : [])),
    ),

  addPositions: (webhookUuid, siteUuids) => addPositions(db, webhookUuid, siteUuids),
  unreached: () =>
    db.read(async (sql) => {
      const rows = await sql<(PendingRow & { last_number: number })[]>`
        SELECT /* every site */ site_uuid, webhook_uuid, updated_at, last_number
        FROM webhooks JOIN webhook_positions USING (webhook_uuid) JOIN event_heads USING (site_uuid)
        WHERE state = 'enabled' AND failing_since IS NULL AND position < last_number`
      return rows.map((row) => ({ ...pendingFrom(row), lastNumber: row.last_number }))
    }),
  dealOut: (position, options, now) => db.write((sql) => dealOut(sql, position, options, now)),
  due: (now) =>
    db.read(async (sql) => {
      const rows = await sql<PendingRow[]>`
        SELECT /* every site */ p.site_uuid, p.webhook_uuid, w.updated_at
        FROM webhooks AS w JOIN webhook_positions AS p USING (webhook_uuid)
        WHERE w.state = 'enabled' AND w.failing_since IS NULL AND EXISTS (
          SELECT 1 FROM deliveries AS d WHERE d.site_uuid = p.site_uuid AND d.webhook_uuid = p.webhook_uuid
            AND d.state = 'waiting' AND d.due_at <= ${now})`
      return rows.map(pendingFrom)
    }),
  claim: (position, now, leaseUntil, limit) => claim(db, position, now, leaseUntil, limit),
  oldestWaiting: (webhookUuid, limit) =>
    db.read(async (sql) => {
      const rows = await sql<DeliveryRow[]>`
        SELECT /* every site */ d.* FROM webhook_positions AS p JOIN deliveries AS d USING (site_uuid, webhook_uuid)
        WHERE p.webhook_uuid = ${webhookUuid} AND d.state = 'waiting'
        ORDER BY d.created_at, d.number, d.round LIMIT ${limit}`
      return rows.map(keyFrom)
    }),
  claimOne: (key, now, leaseUntil) => claimOne(db, key, now, leaseUntil),
  record: (siteUuid, outcomes) => db.write((sql) => recordOutcomes(sql, siteUuid, outcomes)),
  async releaseLeases() {
    const positions = await db.read((sql) =>
      listPositions(
        sql`SELECT /* every site */ DISTINCT site_uuid, webhook_uuid FROM deliveries
          WHERE state = 'waiting' AND leased_until IS NOT NULL`,
      ),
    )
    for (const position of positions)
      await db.change(
        (sql) => sql`
          UPDATE deliveries SET leased_until = NULL
          WHERE ${ofPosition(sql, position)} AND state = 'waiting' AND leased_until IS NOT NULL`,
      )
  },
  giveWay: (key) =>
    db.change(async (sql) => {
      await sql`UPDATE deliveries SET gives_way = true WHERE ${ofKey(sql, key)} AND state = 'waiting'`
    }),
  drop: (siteUuid, keys) =>
    db.change(async (sql) => {
      for (const { webhookUuid, number, round } of keys)
        await sql`
          DELETE FROM deliveries WHERE site_uuid = ${siteUuid} AND webhook_uuid = ${webhookUuid}
            AND number = ${number} AND round = ${round} AND state = 'waiting'`
    }),
  async makeDue(webhookUuid, now) {
    for (const siteUuid of await db.read((sql) => listSites(sql, webhookUuid)))
      await db.change(
        (sql) => sql`
          UPDATE deliveries SET due_at = ${now}
          WHERE ${ofPosition(sql, { siteUuid, webhookUuid })} AND state = 'waiting' AND due_at > ${now}`,
      )
  },
  async skipToEnd(webhookUuid) {
    for (const siteUuid of await db.read((sql) => listSites(sql, webhookUuid)))
      await db.write((sql) => skipSite(sql, { siteUuid, webhookUuid }))
  },
  async removeExpired() {
    const positions = await db.read((sql) =>
      listPositions(
        sql`SELECT /* every site */ p.site_uuid, p.webhook_uuid
          FROM webhook_positions AS p JOIN event_heads AS h USING (site_uuid)
          WHERE EXISTS (SELECT 1 FROM deliveries AS d WHERE d.site_uuid = p.site_uuid
            AND d.webhook_uuid = p.webhook_uuid AND d.number < h.first_number)`,
      ),
    )
    for (const position of positions) await db.write((sql) => removeExpiredAt(sql, position))
  },
  deliveries: (webhookUuid, { state, type, from }, after, limit) =>
    db.read(async (sql) => {
      const rows = await sql<ListedDelivery[]>`
        SELECT /* every site */ d.*, e.event_uuid
        FROM deliveries AS d JOIN events AS e ON e.site_uuid = d.site_uuid AND e.number = d.number
        WHERE d.webhook_uuid = ${webhookUuid}
          ${state === undefined ? sql`` : sql`AND d.state = ${state}`}
          ${type === undefined ? sql`` : sql`AND d.type = ${type}`}
          ${from === undefined ? sql`` : sql`AND d.created_at >= ${from}`}
          ${
            after
              ? sql`AND (d.created_at, d.site_uuid, d.number, d.round)
                  < (${after.createdAt}, ${after.siteUuid}::uuid, ${after.number}, ${after.round})`
              : sql``
          }
        ORDER BY d.created_at DESC, d.site_uuid DESC, d.number DESC, d.round DESC LIMIT ${limit}`
      return rows.map(deliveryFrom)
    }),
  findDeliveries: (webhookUuid, eventUuid) =>
    db.read(async (sql) => {
      const rows = await sql<ListedDelivery[]>`
        SELECT /* every site */ d.*, e.event_uuid FROM webhook_positions AS p
          JOIN events AS e ON e.site_uuid = p.site_uuid
          JOIN deliveries AS d ON d.site_uuid = e.site_uuid AND d.number = e.number AND d.webhook_uuid = p.webhook_uuid
        WHERE p.webhook_uuid = ${webhookUuid} AND e.event_uuid = ${eventUuid} ORDER BY d.round DESC`
      return Promise.all(
        rows
          .map(deliveryFrom)
          .map(async (delivery) => ({ delivery, attempts: await listAttempts(sql, delivery) })),
      )
    }),
  async replay(position, range, max, now) {
    let count = 0
    const { fromNumber, toNumber } = range
    for (let from = fromNumber; from <= toNumber && count < max; from += REPLAYED_PER_WRITE) {
      const part = { ...range, fromNumber: from, toNumber: Math.min(toNumber, from + REPLAYED_PER_WRITE - 1) }
      count += await db.write((sql) => replayPart(sql, position, part, max - count, now))
    }
    return count
  },
})

interface PendingRow {
  site_uuid: string
  webhook_uuid: string
  updated_at: number
}

const pendingFrom = (row: PendingRow): PendingPosition => ({
  siteUuid: row.site_uuid,
  webhookUuid: row.webhook_uuid,
  updatedAt: row.updated_at,
})

async function listPositions(rows: PromiseLike<readonly Record<string, unknown>[]>): Promise<PositionKey[]> {
  return (await rows).map((row) => ({
    siteUuid: String(row['site_uuid']),
    webhookUuid: String(row['webhook_uuid']),
  }))
}

async function addPositions(db: Database, webhookUuid: string, siteUuids: readonly string[]): Promise<void> {
  for (const siteUuid of siteUuids)
    await db.write(async (sql) => {
      const head = await findHead(sql, siteUuid)
      await sql`
        INSERT INTO webhook_positions (site_uuid, webhook_uuid, position, lost)
        VALUES (${siteUuid}, ${webhookUuid}, ${head?.lastNumber ?? 0}, 0) ON CONFLICT DO NOTHING`
    })
}

async function removePosition(sql: Sql, position: PositionKey): Promise<void> {
  await sql`DELETE FROM delivery_attempts WHERE ${ofPosition(sql, position)}`
  await sql`DELETE FROM deliveries WHERE ${ofPosition(sql, position)}`
  await sql`DELETE FROM webhook_positions WHERE ${ofPosition(sql, position)}`
}

async function skipSite(sql: Sql, position: PositionKey): Promise<void> {
  const head = await findHead(sql, position.siteUuid)
  await sql`DELETE FROM deliveries WHERE ${ofPosition(sql, position)} AND state = 'waiting'`
  if (head)
    await sql`UPDATE webhook_positions SET position = ${head.lastNumber} WHERE ${ofPosition(sql, position)}`
}

/** One query for each site, and their sum. */
async function loadProgress(db: Database, webhookUuid: string): Promise<WebhookProgress | undefined> {
  const sites = await db.read((sql) => listSites(sql, webhookUuid))
  if (sites.length === 0) return undefined
  const parts = await Promise.all(
    sites.map((siteUuid) => db.read((sql) => loadSiteProgress(sql, { siteUuid, webhookUuid }))),
  )
  const times = (pick: (part: WebhookProgress) => number | null): number[] =>
    parts.map(pick).filter((at) => at !== null)
  const [oldest, newest] = [times((part) => part.oldestWaitingAt), times((part) => part.lastDeliveredAt)]
  return {
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestWaitingAt: oldest.length === 0 ? null : Math.min(...oldest),
    lastDeliveredAt: newest.length === 0 ? null : Math.max(...newest),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
  }
}

async function loadSiteProgress(sql: Sql, position: PositionKey): Promise<WebhookProgress> {
  const { siteUuid } = position
  const [head, [row], [dealt]] = await Promise.all([
    findHead(sql, siteUuid),
    sql<{ position: number; lost: number; last_delivered_at: number | null }[]>`
      SELECT position, lost, last_delivered_at FROM webhook_positions WHERE ${ofPosition(sql, position)}`,
    sql<{ count: number; oldest: number | null }[]>`
      SELECT count(*) AS count, min(number) AS oldest FROM deliveries
      WHERE ${ofPosition(sql, position)} AND state = 'waiting'`,
  ])
  const next = Math.max(row?.position ?? 0, (head?.firstNumber ?? 1) - 1) + 1
  const unreached = Math.max((head?.lastNumber ?? 0) - next + 1, 0)
  const oldest = dealt?.oldest ?? (unreached > 0 ? next : null)
  const [event] =
    oldest === null
      ? []
      : await sql<{ recorded_at: number }[]>`
          SELECT recorded_at FROM events WHERE site_uuid = ${siteUuid} AND number = ${oldest}`
  return {
    waiting: (dealt?.count ?? 0) + unreached,
    oldestWaitingAt: event?.recorded_at ?? null,
    lastDeliveredAt: row?.last_delivered_at ?? null,
    lost: row?.lost ?? 0,
  }
}
