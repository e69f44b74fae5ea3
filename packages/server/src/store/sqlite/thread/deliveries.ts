import type { DatabaseSync } from 'node:sqlite'
import {
  type ClaimedDelivery,
  type DeliveryKey,
  type DeliveryOutcome,
  getLane,
} from '../../../domain/webhook/delivery.ts'
import type { DealOutOptions, PositionKey, ReplayRange } from '../../../domain/webhook/store.ts'
import { prepareOnce } from '../connect.ts'
import { toEvent, findHead } from '../events/event-rows.ts'
import { flag, integer, type Row, text } from '../row.ts'

const IS_FREE = '(leased_until IS NULL OR leased_until <= ?3)'
const KEY = 'site_uuid = ? AND webhook_uuid = ? AND number = ? AND round = ?'
const toValues = ({ siteUuid, webhookUuid, number, round }: DeliveryKey) =>
  [siteUuid, webhookUuid, number, round] as const

/** The first waiting delivery of each lane: one index lookup for each lane, however many wait behind it. */
const DUE_HEADS = `
  WITH RECURSIVE lanes (lane) AS (
    SELECT (SELECT lane FROM deliveries WHERE site_uuid = ?1 AND webhook_uuid = ?2 AND state = 'waiting' AND gives_way = 0
      ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT d.lane FROM deliveries AS d WHERE d.site_uuid = ?1 AND d.webhook_uuid = ?2 AND d.state = 'waiting'
      AND d.gives_way = 0 AND d.lane > lanes.lane ORDER BY d.lane LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL)
  SELECT d.* FROM lanes JOIN deliveries AS d ON d.site_uuid = ?1 AND d.webhook_uuid = ?2 AND d.lane = lanes.lane
    AND d.state = 'waiting' AND d.gives_way = 0
    AND (d.number, d.round) = (SELECT h.number, h.round FROM deliveries AS h WHERE h.site_uuid = ?1
      AND h.webhook_uuid = ?2 AND h.lane = lanes.lane AND h.state = 'waiting' AND h.gives_way = 0
      ORDER BY h.number, h.round LIMIT 1)
  WHERE d.due_at <= ?3 AND ${IS_FREE}
  UNION ALL
  SELECT * FROM deliveries WHERE site_uuid = ?1 AND webhook_uuid = ?2 AND state = 'waiting' AND gives_way = 1
    AND due_at <= ?3 AND ${IS_FREE}
  ORDER BY number, round LIMIT ?4`

export const deliveryWrites = {
  dealOut(
    db: DatabaseSync,
    { siteUuid, webhookUuid }: PositionKey,
    { types, lastNumber, maxWaiting, batch }: DealOutOptions,
    now: number,
  ): number {
    const row = prepareOnce(
      db,
      `SELECT position, (SELECT count(*) FROM deliveries AS d WHERE d.site_uuid = p.site_uuid
         AND d.webhook_uuid = p.webhook_uuid AND d.state = 'waiting') AS waiting
       FROM webhook_positions AS p WHERE site_uuid = ? AND webhook_uuid = ?`,
    ).get(siteUuid, webhookUuid)
    const head = findHead(db, siteUuid)
    if (!row || !head || integer(row, 'waiting') >= maxWaiting) return 0
    const position = integer(row, 'position')
    const start = Math.max(position, head.firstNumber - 1)
    const end = Math.min(head.lastNumber, Math.max(lastNumber, start), start + batch)
    const events = prepareOnce(db, 'SELECT * FROM events WHERE site_uuid = ? AND number > ? AND number <= ?')
      .all(siteUuid, start, end)
      .map(toEvent)
    const insert = prepareOnce(
      db,
      `INSERT INTO deliveries (site_uuid, webhook_uuid, number, round, lane, type, state, tries, gives_way,
         created_at, due_at) VALUES (?, ?, ?, 0, ?, ?, 'waiting', 0, 0, ?, ?) ON CONFLICT DO NOTHING`,
    )
    for (const event of events)
      if (types.includes(event.type))
        insert.run(siteUuid, webhookUuid, event.number, getLane(event), event.type, now, now)
    prepareOnce(
      db,
      'UPDATE webhook_positions SET position = ?, lost = lost + ? WHERE site_uuid = ? AND webhook_uuid = ?',
    ).run(end, start - position, siteUuid, webhookUuid)
    return end - position
  },

  claim(
    db: DatabaseSync,
    { siteUuid, webhookUuid }: PositionKey,
    now: number,
    leaseUntil: number,
    limit: number,
  ): ClaimedDelivery[] {
    return prepareOnce(db, DUE_HEADS)
      .all(siteUuid, webhookUuid, now, limit)
      .flatMap((row) => lease(db, row, leaseUntil) ?? [])
  },

  claimOne(
    db: DatabaseSync,
    { siteUuid, webhookUuid, number, round }: DeliveryKey,
    now: number,
    leaseUntil: number,
  ): ClaimedDelivery | undefined {
    const row = prepareOnce(
      db,
      `SELECT * FROM deliveries WHERE site_uuid = ?1 AND webhook_uuid = ?2 AND number = ?4 AND round = ?5
         AND state = 'waiting' AND ${IS_FREE}`,
    ).get(siteUuid, webhookUuid, now, number, round)
    return row && lease(db, row, leaseUntil)
  },

  record(db: DatabaseSync, siteUuid: string, outcomes: readonly DeliveryOutcome[]): void {
    for (const outcome of outcomes) recordOutcome(db, siteUuid, outcome)
  },

  releaseLeases(db: DatabaseSync): void {
    prepareOnce(
      db,
      `UPDATE deliveries SET leased_until = NULL WHERE state = 'waiting' AND leased_until IS NOT NULL`,
    ).run()
  },

  giveWay(db: DatabaseSync, key: DeliveryKey): void {
    prepareOnce(db, `UPDATE deliveries SET gives_way = 1 WHERE ${KEY} AND state = 'waiting'`).run(
      ...toValues(key),
    )
  },

  drop(db: DatabaseSync, _siteUuid: string, keys: readonly DeliveryKey[]): void {
    for (const key of keys)
      prepareOnce(db, `DELETE FROM deliveries WHERE ${KEY} AND state = 'waiting'`).run(...toValues(key))
  },

  makeDue(db: DatabaseSync, webhookUuid: string, now: number): void {
    prepareOnce(
      db,
      `UPDATE deliveries SET due_at = ?2 WHERE webhook_uuid = ?1 AND state = 'waiting' AND due_at > ?2
         AND site_uuid IN (SELECT site_uuid FROM webhook_positions WHERE webhook_uuid = ?1)`,
    ).run(webhookUuid, now)
  },

  skipToEnd(db: DatabaseSync, webhookUuid: string): void {
    prepareOnce(
      db,
      `DELETE FROM deliveries WHERE webhook_uuid = ?1 AND state = 'waiting'
         AND site_uuid IN (SELECT site_uuid FROM webhook_positions WHERE webhook_uuid = ?1)`,
    ).run(webhookUuid)
    prepareOnce(
      db,
      `UPDATE webhook_positions SET position = coalesce(
         (SELECT last_number FROM event_heads WHERE event_heads.site_uuid = webhook_positions.site_uuid), position)
       WHERE webhook_uuid = ?`,
    ).run(webhookUuid)
  },

  /** Removes the deliveries of one position whose events are no longer in the log. */
  removeExpiredAt(db: DatabaseSync, { siteUuid, webhookUuid }: PositionKey): void {
    const { firstNumber } = findHead(db, siteUuid) ?? { firstNumber: 0 }
    const row = prepareOnce(
      db,
      `SELECT count(*) AS lost FROM deliveries
       WHERE site_uuid = ? AND webhook_uuid = ? AND number < ? AND state = 'waiting'`,
    ).get(siteUuid, webhookUuid, firstNumber)
    prepareOnce(
      db,
      'UPDATE webhook_positions SET lost = lost + ? WHERE site_uuid = ? AND webhook_uuid = ?',
    ).run(integer(row ?? {}, 'lost'), siteUuid, webhookUuid)
    for (const table of ['delivery_attempts', 'deliveries'])
      prepareOnce(db, `DELETE FROM ${table} WHERE site_uuid = ? AND webhook_uuid = ? AND number < ?`).run(
        siteUuid,
        webhookUuid,
        firstNumber,
      )
  },

  /** Replays the events of a part of the range. An event that still waits is not delivered twice. */
  replayPart(
    db: DatabaseSync,
    { siteUuid, webhookUuid }: PositionKey,
    { fromNumber, toNumber, types, onlyFailed }: ReplayRange,
    max: number,
    now: number,
  ): number {
    const latest = prepareOnce(
      db,
      `SELECT state, round FROM deliveries WHERE site_uuid = ? AND webhook_uuid = ? AND number = ?
       ORDER BY round DESC LIMIT 1`,
    )
    const insert = prepareOnce(
      db,
      `INSERT INTO deliveries (site_uuid, webhook_uuid, number, round, lane, type, state, tries, gives_way,
         created_at, due_at) VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0, 0, ?, ?)`,
    )
    // Events after the position are dealt out anyway.
    const events = prepareOnce(
      db,
      `SELECT * FROM events WHERE site_uuid = ?1 AND number BETWEEN ?2 AND min(?3,
         (SELECT position FROM webhook_positions WHERE site_uuid = ?1 AND webhook_uuid = ?4)) ORDER BY number`,
    )
      .all(siteUuid, fromNumber, toNumber, webhookUuid)
      .map(toEvent)
    let count = 0
    for (const event of events) {
      if (count === max) break
      if (!types.includes(event.type)) continue
      const last = latest.get(siteUuid, webhookUuid, event.number)
      const state = last && text(last, 'state')
      if (state === 'waiting' || (onlyFailed && state !== 'failed')) continue
      const round = last ? integer(last, 'round') + 1 : 0
      insert.run(siteUuid, webhookUuid, event.number, round, getLane(event), event.type, now, now)
      count += 1
    }
    return count
  },
}

/** Leases a row and loads its event; a delivery whose event was removed ends here. */
function lease(db: DatabaseSync, row: Row, leasedUntil: number): ClaimedDelivery | undefined {
  const key = {
    siteUuid: text(row, 'site_uuid'),
    webhookUuid: text(row, 'webhook_uuid'),
    number: integer(row, 'number'),
    round: integer(row, 'round'),
  }
  const event = prepareOnce(db, 'SELECT * FROM events WHERE site_uuid = ? AND number = ?').get(
    key.siteUuid,
    key.number,
  )
  if (!event) {
    deliveryWrites.removeExpiredAt(db, key)
    return undefined
  }
  prepareOnce(db, `UPDATE deliveries SET leased_until = ? WHERE ${KEY}`).run(leasedUntil, ...toValues(key))
  const givesWay = flag(row, 'gives_way')
  const mayBeLate = givesWay || key.round > 0
  const later =
    mayBeLate &&
    prepareOnce(
      db,
      `SELECT 1 FROM deliveries WHERE site_uuid = ? AND webhook_uuid = ? AND number > ? AND lane = ?
         AND (state = 'delivered' OR leased_until IS NOT NULL) LIMIT 1`,
    ).get(key.siteUuid, key.webhookUuid, key.number, text(row, 'lane'))
  return {
    ...key,
    event: toEvent(event),
    tries: integer(row, 'tries'),
    givesWay,
    isLate: Boolean(later),
    leasedUntil,
  }
}

function recordOutcome(
  db: DatabaseSync,
  siteUuid: string,
  { key, attempt, state, tries, dueAt, givesWay }: DeliveryOutcome,
): void {
  const { at, status, error, durationMs, response } = attempt
  const deliveredAt = state === 'delivered' ? at + durationMs : null
  const { changes } = prepareOnce(
    db,
    `UPDATE deliveries SET state = ?, tries = ?, due_at = ?, gives_way = max(gives_way, ?), leased_until = NULL,
       delivered_at = ?, last_status = ?, last_error = ? WHERE ${KEY} AND state = 'waiting'`,
  ).run(state, tries, dueAt, givesWay ? 1 : 0, deliveredAt, status, error, ...toValues(key))
  if (changes === 0) return
  prepareOnce(
    db,
    `INSERT INTO delivery_attempts (site_uuid, webhook_uuid, number, round, try, at, status, error, duration_ms, response)
     SELECT ?1, ?2, ?3, ?4, coalesce(max(try), 0) + 1, ?5, ?6, ?7, ?8, ?9 FROM delivery_attempts
     WHERE site_uuid = ?1 AND webhook_uuid = ?2 AND number = ?3 AND round = ?4`,
  ).run(...toValues(key), at, status, error, durationMs, response)
  if (deliveredAt !== null)
    prepareOnce(
      db,
      `UPDATE webhook_positions SET last_delivered_at = max(coalesce(last_delivered_at, 0), ?)
       WHERE site_uuid = ? AND webhook_uuid = ?`,
    ).run(deliveredAt, siteUuid, key.webhookUuid)
}
