import type { DatabaseSync } from 'node:sqlite'
import type { V1Tally } from '../../../domain/v1-lifecycle/usage-store.ts'
import { prepareOnce } from '../connect.ts'

export const v1UsageWrites = {
  add(db: DatabaseSync, tallies: readonly V1Tally[]): void {
    const upsert = prepareOnce(
      db,
      `INSERT INTO v1_usage (partner_uuid, path, status_class, calls, last_seen_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
         last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
    )
    for (const { partnerUuid, path, statusClass, calls, lastSeenAt } of tallies) {
      upsert.run(partnerUuid, path, statusClass, calls, lastSeenAt)
    }
  },
}
