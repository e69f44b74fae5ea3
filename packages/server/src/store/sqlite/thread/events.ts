import type { DatabaseSync } from 'node:sqlite'
import type { NewEvent } from '../../../domain/event/event.ts'
import { countOlder, EVENTS_PER_DELETE } from '../../../domain/event/retention.ts'
import { prepareOnce } from '../connect.ts'
import { appendEvents, findHead } from '../events/event-rows.ts'
import { integer } from '../row.ts'

export const eventWrites = {
  append(db: DatabaseSync, siteUuid: string, events: readonly NewEvent[]): void {
    appendEvents(db, siteUuid, events)
  },

  /** Deletes a batch of events recorded before an instant, oldest first. Returns how many. */
  removeOldest(db: DatabaseSync, siteUuid: string, at: number): number {
    const head = findHead(db, siteUuid)
    if (!head) return 0
    const oldest = prepareOnce(
      db,
      'SELECT recorded_at FROM events WHERE site_uuid = ? ORDER BY number LIMIT ?',
    )
      .all(siteUuid, EVENTS_PER_DELETE)
      .map((row) => integer(row, 'recorded_at'))
    const count = countOlder(oldest, at)
    if (count === 0) return 0
    const firstNumber = head.firstNumber + count
    prepareOnce(db, 'DELETE FROM events WHERE site_uuid = ? AND number < ?').run(siteUuid, firstNumber)
    prepareOnce(db, 'UPDATE event_heads SET first_number = ? WHERE site_uuid = ?').run(firstNumber, siteUuid)
    return count
  },
}
