import type { DatabaseSync } from 'node:sqlite'
import { sumByHour } from '../../../domain/v1-lifecycle/hours.ts'
import type { V1CallCount } from '../../../domain/v1-lifecycle/usage-store.ts'
import { prepareOnce } from '../connect.ts'

export const v1UsageWrites = {
  add(db: DatabaseSync, tallies: readonly V1CallCount[]): void {
    const upsert = prepareOnce(
      db,
      `INSERT INTO v1_usage (partner_uuid, path, status_class, calls, last_seen_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
         last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
    )
    for (const { partnerUuid, path, statusClass, calls, lastSeenAt } of tallies) {
      upsert.run(partnerUuid, path, statusClass, calls, lastSeenAt)
    }
    const addHour = prepareOnce(
      db,
      `INSERT INTO v1_hourly_calls (hour, partner_uuid, calls, failed) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, failed = failed + excluded.failed`,
    )
    for (const { hour, partnerUuid, calls, failed } of sumByHour(tallies))
      addHour.run(hour, partnerUuid, calls, failed)
  },

  removeHoursBefore(db: DatabaseSync, before: number): void {
    prepareOnce(db, 'DELETE FROM v1_hourly_calls WHERE hour < ?').run(before)
  },
}
