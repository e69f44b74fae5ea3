import { LONGEST_WAIT_MS, type OutboxMessage } from '../../../domain/control/command/store.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { messageFrom, type OutboxRow } from './outbox-rows.ts'

/**
 * One query over all sites finds the sites with due messages; then one statement per site claims them. Messages that
 * another dispatcher is claiming are skipped.
 */
export async function claimMessages(
  db: Database,
  now: number,
  leaseUntil: number,
  limit: number,
): Promise<OutboxMessage[]> {
  const [due, expired] = await db.read((sql) =>
    Promise.all([sitesWithDue(sql, now, limit), sitesWithExpired(sql, now)]),
  )
  const dropped = expired.map((siteUuid) => db.change((sql) => dropExpired(sql, siteUuid, now)))
  const claimed = [...due].map(([siteUuid, count]) =>
    db.change((sql) => claimOfSite(sql, siteUuid, now, leaseUntil, count)),
  )
  await Promise.all(dropped)
  return (await Promise.all(claimed))
    .flat()
    .toSorted((a, b) => a.due_at - b.due_at || a.created_at - b.created_at)
    .map(messageFrom)
}

/** The message has no lease, or an expired one. */
const isFree = (sql: Sql, now: number) => sql`
  NOT is_done AND expires_at > ${now}
    AND (leased_until IS NULL OR leased_until <= ${now} OR leased_until > ${now + LONGEST_WAIT_MS})`

/** Number of messages by site among those that have been due for longest. */
async function sitesWithDue(sql: Sql, now: number, limit: number): Promise<Map<string, number>> {
  const waiting = sql<{ site_uuid: string }[]>`
    SELECT /* every site */ site_uuid FROM outbox WHERE due_at <= ${now} AND ${isFree(sql, now)}
    ORDER BY due_at, created_at LIMIT ${limit}`
  const ofAnotherClock = sql<{ site_uuid: string }[]>`
    SELECT /* every site */ site_uuid FROM outbox WHERE due_at > ${now + LONGEST_WAIT_MS} AND ${isFree(sql, now)} LIMIT ${limit}`
  const rows = (await Promise.all([waiting, ofAnotherClock])).flat().slice(0, limit)
  const counts = new Map<string, number>()
  for (const { site_uuid } of rows) counts.set(site_uuid, (counts.get(site_uuid) ?? 0) + 1)
  return counts
}

async function sitesWithExpired(sql: Sql, now: number): Promise<string[]> {
  const rows = await sql<
    { site_uuid: string }[]
  >`SELECT /* every site */ DISTINCT site_uuid FROM outbox WHERE expires_at <= ${now}`
  return rows.map((row) => row.site_uuid)
}

async function dropExpired(sql: Sql, siteUuid: string, now: number): Promise<void> {
  await sql`DELETE FROM outbox WHERE site_uuid = ${siteUuid} AND expires_at <= ${now}`
}

/** The array is computed once: PostgreSQL may evaluate a subquery of IN for every row, and claim more than `limit`. */
async function claimOfSite(
  sql: Sql,
  siteUuid: string,
  now: number,
  leaseUntil: number,
  count: number,
): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    UPDATE outbox SET leased_until = ${leaseUntil}, retry_requested = false
    WHERE site_uuid = ${siteUuid} AND message_uuid = ANY(ARRAY(
      SELECT message_uuid FROM outbox
      WHERE site_uuid = ${siteUuid} AND (due_at <= ${now} OR due_at > ${now + LONGEST_WAIT_MS})
        AND ${isFree(sql, now)}
      ORDER BY due_at, created_at LIMIT ${count} FOR UPDATE SKIP LOCKED))
    RETURNING *`
}
