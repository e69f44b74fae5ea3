import { type EventFilter, type EventHead, type EventStore, NO_EVENTS } from '../../../domain/event/store.ts'
import { countOlder, EVENTS_PER_DELETE } from '../../../domain/event/retention.ts'
import type { EventRecord } from '../../../domain/event/event.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { appendEvents, toEvent, type EventRow, findHead } from './event-rows.ts'

export const postgresEvents = (db: Database): EventStore => ({
  append: (siteUuid, events) => db.write((sql) => appendEvents(sql, siteUuid, events)),
  heads: (siteUuids) => db.read((sql) => loadHeads(sql, siteUuids)),
  list: (siteUuid, after, limit, filter) => db.read((sql) => listEvents(sql, siteUuid, after, limit, filter)),
  find: (siteUuid, eventUuid) =>
    db.read(async (sql) => {
      const [row] = await sql<EventRow[]>`
        SELECT * FROM events WHERE site_uuid = ${siteUuid} AND event_uuid = ${eventUuid}`
      return row && toEvent(row)
    }),
  lastBefore: (siteUuid, at) =>
    db.read(async (sql) => {
      const [row] = await sql<{ number: number }[]>`
        SELECT number FROM events WHERE site_uuid = ${siteUuid} AND recorded_at < ${at}
        ORDER BY number DESC LIMIT 1`
      return row?.number ?? ((await findHead(sql, siteUuid)) ?? NO_EVENTS).firstNumber - 1
    }),
  async removeBefore(at) {
    const sites = await db.read(
      (sql) => sql<{ site_uuid: string }[]>`
        SELECT /* every site */ site_uuid FROM event_heads JOIN events USING (site_uuid)
        WHERE number = first_number AND recorded_at < ${at}`,
    )
    let removed = 0
    for (const { site_uuid } of sites) {
      let count: number
      do removed += count = await db.write((sql) => removeOldest(sql, site_uuid, at))
      while (count > 0)
    }
    return removed
  },
})

/** One shard for each site on Citus. */
async function loadHeads(sql: Sql, siteUuids: readonly string[]): Promise<Map<string, EventHead>> {
  const rows = await sql<(EventHead & { siteUuid: string })[]>`
    SELECT site_uuid AS "siteUuid", last_number AS "lastNumber", first_number AS "firstNumber"
    FROM event_heads /* every site */ WHERE site_uuid = ANY(${siteUuids}::uuid[])`
  return new Map(rows.map(({ siteUuid, lastNumber, firstNumber }) => [siteUuid, { lastNumber, firstNumber }]))
}

async function listEvents(
  sql: Sql,
  siteUuid: string,
  after: number,
  limit: number,
  { types, deviceUuid, spaceUuid }: EventFilter = {},
): Promise<EventRecord[]> {
  const rows = await sql<EventRow[]>`
    SELECT * FROM events WHERE site_uuid = ${siteUuid} AND number > ${after}
      ${types ? sql`AND type = ANY(${types}::text[])` : sql``}
      ${deviceUuid === undefined ? sql`` : sql`AND device_uuid = ${deviceUuid}`}
      ${spaceUuid === undefined ? sql`` : sql`AND space_uuid = ${spaceUuid}`}
    ORDER BY number LIMIT ${limit}`
  return rows.map(toEvent)
}

/** Deletes a batch of events recorded before an instant, oldest first, under the lock of the site's head. */
async function removeOldest(sql: Sql, siteUuid: string, before: number): Promise<number> {
  const [head] = await sql<{ first_number: number }[]>`
    SELECT first_number FROM event_heads WHERE site_uuid = ${siteUuid} FOR UPDATE`
  if (!head) return 0
  const oldest = await sql<{ recorded_at: number }[]>`
    SELECT recorded_at FROM events WHERE site_uuid = ${siteUuid} ORDER BY number LIMIT ${EVENTS_PER_DELETE}`
  const count = countOlder(
    oldest.map(({ recorded_at }) => recorded_at),
    before,
  )
  if (count === 0) return 0
  const firstNumber = head.first_number + count
  await sql`DELETE FROM events WHERE site_uuid = ${siteUuid} AND number < ${firstNumber}`
  await sql`UPDATE event_heads SET first_number = ${firstNumber} WHERE site_uuid = ${siteUuid}`
  return count
}
