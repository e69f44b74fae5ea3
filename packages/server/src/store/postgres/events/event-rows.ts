import type { EventRecord, EventType, NewEvent } from '../../../domain/event/event.ts'
import type { EventHead } from '../../../domain/event/store.ts'
import { at } from '../../../kernel/at.ts'
import type { Sql } from '../pool/connect.ts'

interface EventRow {
  site_uuid: string
  number: number
  event_uuid: string
  type: EventType
  at: number
  recorded_at: number
  device_uuid: string | null
  space_uuid: string | null
  data: string
}

export type { EventRow }

export const toEvent = (row: EventRow): EventRecord => ({
  siteUuid: row.site_uuid,
  number: row.number,
  eventUuid: row.event_uuid,
  type: row.type,
  at: row.at,
  recordedAt: row.recorded_at,
  deviceUuid: row.device_uuid,
  spaceUuid: row.space_uuid,
  data: row.data,
})

/**
 * Called by every transaction that causes events, as its last statement: it locks the head of the site, which
 * serialises the writers of the site until the commit, so the transaction must not wait for another lock afterwards.
 */
export async function appendEvents(sql: Sql, siteUuid: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const heads = await sql<{ last_number: number }[]>`
    INSERT INTO event_heads AS head (site_uuid, last_number, first_number) VALUES (${siteUuid}, ${events.length}, 1)
    ON CONFLICT (site_uuid) DO UPDATE SET last_number = head.last_number + excluded.last_number
    RETURNING last_number`
  const first = at(heads, 0).last_number - events.length + 1
  await sql`
    INSERT INTO events (site_uuid, number, event_uuid, type, at, recorded_at, device_uuid, space_uuid, data)
    VALUES (${siteUuid}, unnest(${events.map((_, index) => first + index)}::bigint[]),
      unnest(${events.map(({ eventUuid }) => eventUuid)}::uuid[]), unnest(${events.map(({ type }) => type)}::text[]),
      unnest(${events.map((event) => event.at)}::bigint[]),
      unnest(${events.map(({ recordedAt }) => recordedAt)}::bigint[]),
      unnest(${events.map(({ deviceUuid }) => deviceUuid)}::uuid[]),
      unnest(${events.map(({ spaceUuid }) => spaceUuid)}::uuid[]),
      unnest(${events.map(({ data }) => JSON.stringify(data))}::text[]))`
}

export async function findHead(sql: Sql, siteUuid: string): Promise<EventHead | undefined> {
  const [head] = await sql<EventHead[]>`
    SELECT last_number AS "lastNumber", first_number AS "firstNumber" FROM event_heads WHERE site_uuid = ${siteUuid}`
  return head
}
