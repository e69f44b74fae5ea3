import type { EventRecord } from '../../../domain/event/event.ts'
import type { ClaimedDelivery, DeliveryKey, DeliveryOutcome } from '../../../domain/webhook/delivery.ts'
import type { DealOutOptions, PositionKey, ReplayRange } from '../../../domain/webhook/store.ts'
import { toEvent, type EventRow, findHead } from '../events/event-rows.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { type DeliveryRow, insertDeliveries, keyFrom, ofKey, ofPosition } from './delivery-rows.ts'

/** Only one of several instances deals out; the others skip the position. */
export async function dealOut(
  sql: Sql,
  position: PositionKey,
  { types, lastNumber, maxWaiting, batch }: DealOutOptions,
  now: number,
): Promise<number> {
  const { siteUuid } = position
  const [row] = await sql<{ position: number }[]>`
    SELECT position FROM webhook_positions WHERE ${ofPosition(sql, position)} FOR UPDATE SKIP LOCKED`
  const head = await findHead(sql, siteUuid)
  if (!row || !head || (await countWaiting(sql, position)) >= maxWaiting) return 0
  const start = Math.max(row.position, head.firstNumber - 1)
  const end = Math.min(head.lastNumber, Math.max(lastNumber, start), start + batch)
  const events = await listRange(sql, siteUuid, start + 1, end)
  const wanted = events.filter(({ type }) => types.includes(type)).map((event) => ({ event, round: 0 }))
  await insertDeliveries(sql, position, wanted, now)
  await sql`
    UPDATE webhook_positions SET position = ${end}, lost = lost + ${start - row.position}
    WHERE ${ofPosition(sql, position)}`
  return end - row.position
}

async function countWaiting(sql: Sql, position: PositionKey): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM deliveries WHERE ${ofPosition(sql, position)} AND state = 'waiting'`
  return row?.count ?? 0
}

async function listRange(sql: Sql, siteUuid: string, from: number, to: number): Promise<EventRecord[]> {
  const rows = await sql<EventRow[]>`
    SELECT * FROM events WHERE site_uuid = ${siteUuid} AND number BETWEEN ${from} AND ${to} ORDER BY number`
  return rows.map(toEvent)
}

const isFree = (sql: Sql, now: number) => sql`(leased_until IS NULL OR leased_until <= ${now})`

/**
 * The first waiting delivery of each lane, one index lookup for each, and those that give way. A delivery is leased by
 * one instance: the others find its lease when they get the lock of its row.
 */
export async function claim(
  db: Database,
  position: PositionKey,
  now: number,
  leaseUntil: number,
  limit: number,
): Promise<ClaimedDelivery[]> {
  const { siteUuid, webhookUuid } = position
  const heads = await db.read(
    (sql) => sql<{ number: number; round: number }[]>`
      WITH RECURSIVE lanes AS (
        (SELECT lane FROM deliveries WHERE ${ofPosition(sql, position)} AND state = 'waiting' AND NOT gives_way
          ORDER BY lane LIMIT 1)
        UNION ALL
        SELECT (SELECT d.lane FROM deliveries AS d WHERE d.site_uuid = ${siteUuid}
          AND d.webhook_uuid = ${webhookUuid} AND d.state = 'waiting' AND NOT d.gives_way AND d.lane > lanes.lane
          ORDER BY d.lane LIMIT 1)
        FROM lanes WHERE lanes.lane IS NOT NULL)
      SELECT h.number, h.round FROM lanes CROSS JOIN LATERAL (
        SELECT number, round, due_at, leased_until FROM deliveries
        WHERE ${ofPosition(sql, position)} AND lane = lanes.lane AND state = 'waiting' AND NOT gives_way
        ORDER BY number, round LIMIT 1) AS h
      WHERE h.due_at <= ${now} AND (h.leased_until IS NULL OR h.leased_until <= ${now})
      UNION ALL
      (SELECT number, round FROM deliveries WHERE ${ofPosition(sql, position)} AND state = 'waiting' AND gives_way
        AND due_at <= ${now} AND ${isFree(sql, now)})
      ORDER BY number, round LIMIT ${limit}`,
  )
  return lease(db, position, heads, now, leaseUntil)
}

export async function claimOne(
  db: Database,
  key: DeliveryKey,
  now: number,
  leaseUntil: number,
): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await lease(db, key, [key], now, leaseUntil)
  return claimed
}

async function lease(
  db: Database,
  position: PositionKey,
  keys: readonly { number: number; round: number }[],
  now: number,
  leasedUntil: number,
): Promise<ClaimedDelivery[]> {
  if (keys.length === 0) return []
  const { siteUuid } = position
  const rows = await db.change(
    (sql) => sql<DeliveryRow[]>`
      UPDATE deliveries SET leased_until = ${leasedUntil}
      WHERE ${ofPosition(sql, position)} AND state = 'waiting' AND ${isFree(sql, now)}
        AND (number, round) IN (SELECT unnest(${keys.map(({ number }) => number)}::bigint[]),
          unnest(${keys.map(({ round }) => round)}::integer[]))
      RETURNING *`,
  )
  if (rows.length === 0) return []
  const events = await db.read(
    (sql) => sql<EventRow[]>`
      SELECT * FROM events WHERE site_uuid = ${siteUuid} AND number = ANY(${rows.map(({ number }) => number)}::bigint[])`,
  )
  const byNumber = new Map(events.map((row) => [row.number, toEvent(row)]))
  if (rows.some(({ number }) => !byNumber.has(number)))
    await db.write((sql) => removeExpiredAt(sql, position))
  const claimed = await Promise.all(
    rows.map(async (row): Promise<ClaimedDelivery | undefined> => {
      const event = byNumber.get(row.number)
      if (!event) return undefined
      const mayBeLate = row.gives_way || row.round > 0
      const isLate = mayBeLate && (await db.read((sql) => hasLaterSent(sql, row)))
      return { ...keyFrom(row), event, tries: row.tries, givesWay: row.gives_way, isLate, leasedUntil }
    }),
  )
  return claimed
    .filter((one) => one !== undefined)
    .toSorted((a, b) => a.number - b.number || a.round - b.round)
}

/** A later one in flight may have arrived already. */
async function hasLaterSent(sql: Sql, row: DeliveryRow): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM deliveries WHERE site_uuid = ${row.site_uuid} AND webhook_uuid = ${row.webhook_uuid}
      AND number > ${row.number} AND lane = ${row.lane}
      AND (state = 'delivered' OR leased_until IS NOT NULL) LIMIT 1`
  return found.length > 0
}

/** Runs in one transaction. */
export async function recordOutcomes(
  sql: Sql,
  siteUuid: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  // In a fixed order, so that two instances cannot deadlock.
  const ordered = outcomes.toSorted(
    ({ key: a }, { key: b }) =>
      a.webhookUuid.localeCompare(b.webhookUuid) || a.number - b.number || a.round - b.round,
  )
  const lastDelivered = new Map<string, number>()
  for (const { key, attempt, state, tries, dueAt, givesWay } of ordered) {
    const { at, status, error, durationMs, response } = attempt
    const deliveredAt = state === 'delivered' ? at + durationMs : null
    const updated = await sql`
      UPDATE deliveries SET state = ${state}, tries = ${tries}, due_at = ${dueAt},
        gives_way = gives_way OR ${givesWay}, leased_until = NULL, delivered_at = ${deliveredAt},
        last_status = ${status}, last_error = ${error}
      WHERE ${ofKey(sql, key)} AND state = 'waiting'`
    if (updated.count === 0) continue
    const [last] = await sql<{ count: number }[]>`
      SELECT coalesce(max(try), 0) AS count FROM delivery_attempts WHERE ${ofKey(sql, key)}`
    await sql`
      INSERT INTO delivery_attempts (site_uuid, webhook_uuid, number, round, try, at, status, error, duration_ms,
        response)
      VALUES (${siteUuid}, ${key.webhookUuid}, ${key.number}, ${key.round}, ${(last?.count ?? 0) + 1}, ${at},
        ${status}, ${error}, ${durationMs}, ${response})`
    if (deliveredAt !== null)
      lastDelivered.set(key.webhookUuid, Math.max(deliveredAt, lastDelivered.get(key.webhookUuid) ?? 0))
  }
  for (const [webhookUuid, at] of lastDelivered)
    await sql`
      UPDATE webhook_positions SET last_delivered_at = greatest(last_delivered_at, ${at}::bigint)
      WHERE ${ofPosition(sql, { siteUuid, webhookUuid })}`
}

export async function removeExpiredAt(sql: Sql, position: PositionKey): Promise<void> {
  const head = await findHead(sql, position.siteUuid)
  if (!head) return
  const { firstNumber } = head
  const [row] = await sql<{ lost: number }[]>`
    SELECT count(*) AS lost FROM deliveries
    WHERE ${ofPosition(sql, position)} AND number < ${firstNumber} AND state = 'waiting'`
  await sql`
    UPDATE webhook_positions SET lost = lost + ${row?.lost ?? 0} WHERE ${ofPosition(sql, position)}`
  await sql`DELETE FROM delivery_attempts WHERE ${ofPosition(sql, position)} AND number < ${firstNumber}`
  await sql`DELETE FROM deliveries WHERE ${ofPosition(sql, position)} AND number < ${firstNumber}`
}

/** Replays the events of a part of the range. An event that still waits is not delivered twice. */
export async function replayPart(
  sql: Sql,
  position: PositionKey,
  { fromNumber, toNumber, types, onlyFailed }: ReplayRange,
  max: number,
  now: number,
): Promise<number> {
  const { siteUuid } = position
  // Events after the position are dealt out anyway.
  const [row] = await sql<{ position: number }[]>`
    SELECT position FROM webhook_positions WHERE ${ofPosition(sql, position)} FOR UPDATE`
  if (!row) return 0
  const end = Math.min(toNumber, row.position)
  const events = await listRange(sql, siteUuid, fromNumber, end)
  const latest = await sql<{ number: number; state: string; round: number }[]>`
    SELECT DISTINCT ON (number) number, state, round FROM deliveries
    WHERE ${ofPosition(sql, position)} AND number BETWEEN ${fromNumber} AND ${end}
    ORDER BY number, round DESC`
  const byNumber = new Map(latest.map((one) => [one.number, one]))
  const replayed = events
    .filter(({ type, number }) => {
      const state = byNumber.get(number)?.state
      return types.includes(type) && state !== 'waiting' && (!onlyFailed || state === 'failed')
    })
    .slice(0, max)
    .map((event) => ({ event, round: (byNumber.get(event.number)?.round ?? -1) + 1 }))
  await insertDeliveries(sql, position, replayed, now)
  return replayed.length
}
