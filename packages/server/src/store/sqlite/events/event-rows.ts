import type { DatabaseSync } from 'node:sqlite'
import type { EventRecord, EventType, NewEvent } from '../../../domain/event/event.ts'
import type { EventFilter, EventHead } from '../../../domain/event/store.ts'
import { prepareOnce } from '../connect.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'

export const toEvent = (row: Row): EventRecord => ({
  siteUuid: text(row, 'site_uuid'),
  number: integer(row, 'number'),
  eventUuid: text(row, 'event_uuid'),
  // The writer only stores types of the table.
  type: text(row, 'type') as EventType,
  at: integer(row, 'at'),
  recordedAt: integer(row, 'recorded_at'),
  deviceUuid: textOrNull(row, 'device_uuid'),
  spaceUuid: textOrNull(row, 'space_uuid'),
  data: text(row, 'data'),
})

/** Called by every write that causes events, inside its transaction. */
export function appendEvents(db: DatabaseSync, siteUuid: string, events: readonly NewEvent[]): void {
  if (events.length === 0) return
  const head = prepareOnce(
    db,
    `INSERT INTO event_heads (site_uuid, last_number, first_number) VALUES (?, ?, 1)
     ON CONFLICT (site_uuid) DO UPDATE SET last_number = last_number + excluded.last_number RETURNING last_number`,
  ).get(siteUuid, events.length)
  let number = integer(head ?? {}, 'last_number') - events.length
  for (const { eventUuid, type, at, recordedAt, deviceUuid, spaceUuid, data } of events)
    prepareOnce(
      db,
      `INSERT INTO events (site_uuid, number, event_uuid, type, at, recorded_at, device_uuid, space_uuid, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      siteUuid,
      (number += 1),
      eventUuid,
      type,
      at,
      recordedAt,
      deviceUuid,
      spaceUuid,
      JSON.stringify(data),
    )
}

export function findHead(db: DatabaseSync, siteUuid: string): EventHead | undefined {
  const row = prepareOnce(db, 'SELECT last_number, first_number FROM event_heads WHERE site_uuid = ?').get(
    siteUuid,
  )
  return row && { lastNumber: integer(row, 'last_number'), firstNumber: integer(row, 'first_number') }
}

export function listEvents(
  db: DatabaseSync,
  siteUuid: string,
  after: number,
  limit: number,
  { types, deviceUuid, spaceUuid }: EventFilter = {},
): EventRecord[] {
  const conditions = [
    'site_uuid = ? AND number > ?',
    ...(types ? [`type IN (${types.map(() => '?').join()})`] : []),
    ...(deviceUuid === undefined ? [] : ['device_uuid = ?']),
    ...(spaceUuid === undefined ? [] : ['space_uuid = ?']),
  ]
  return prepareOnce(db, `SELECT * FROM events WHERE ${conditions.join(' AND ')} ORDER BY number LIMIT ?`)
    .all(
      siteUuid,
      after,
      ...(types ?? []),
      ...(deviceUuid === undefined ? [] : [deviceUuid]),
      ...(spaceUuid === undefined ? [] : [spaceUuid]),
      limit,
    )
    .map(toEvent)
}
