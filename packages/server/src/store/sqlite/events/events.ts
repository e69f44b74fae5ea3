import type { DatabaseSync } from 'node:sqlite'
import type { EventHead, EventStore } from '../../../domain/event/store.ts'
import { NO_EVENTS } from '../../../domain/event/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'
import { toEvent, findHead, listEvents } from './event-rows.ts'

export const sqliteEvents = (reader: () => DatabaseSync, writes: BoundWrites<'events'>): EventStore =>
  withWrites<EventStore, 'events'>(writes, {
    heads: async (siteUuids) =>
      translateErrors(() => {
        const heads = new Map<string, EventHead>()
        for (const siteUuid of siteUuids) {
          const head = findHead(reader(), siteUuid)
          if (head) heads.set(siteUuid, head)
        }
        return heads
      }),
    list: async (siteUuid, after, limit, filter) =>
      translateErrors(() => listEvents(reader(), siteUuid, after, limit, filter)),
    find: async (siteUuid, eventUuid) =>
      translateErrors(() => {
        const row = prepareOnce(reader(), 'SELECT * FROM events WHERE site_uuid = ? AND event_uuid = ?').get(
          siteUuid,
          eventUuid,
        )
        return row && toEvent(row)
      }),
    lastBefore: async (siteUuid, at) =>
      translateErrors(() => {
        const row = prepareOnce(
          reader(),
          'SELECT number FROM events WHERE site_uuid = ? AND recorded_at < ? ORDER BY number DESC LIMIT 1',
        ).get(siteUuid, at)
        return row ? integer(row, 'number') : (findHead(reader(), siteUuid) ?? NO_EVENTS).firstNumber - 1
      }),
    // The writer is used only if there is something to delete.
    async removeBefore(at) {
      let removed = 0
      for (const siteUuid of translateErrors(() => sitesWithOlder(reader(), at))) {
        let count: number
        do removed += count = await writes.removeOldest(siteUuid, at)
        while (count > 0)
      }
      return removed
    },
  })

/** Sites whose oldest event was recorded before an instant. */
const sitesWithOlder = (db: DatabaseSync, at: number): string[] =>
  prepareOnce(
    db,
    `SELECT site_uuid FROM event_heads CROSS JOIN events USING (site_uuid)
     WHERE number = first_number AND recorded_at < ?`,
  )
    .all(at)
    .map((row) => String(row['site_uuid']))
