import { type OutboxStore, RESPONSE_TIME_MS } from '../../../domain/control/command/store.ts'
import type { Database } from '../pool/connect.ts'
import { claimMessages } from './outbox-claim.ts'
import { recordAttempts } from './outbox-record.ts'

export const postgresOutbox = (db: Database): OutboxStore => ({
  claim: (now, leaseUntil, limit) => claimMessages(db, now, leaseUntil, limit),
  async recordAttempts(attempts, now) {
    const bySite = Map.groupBy(attempts, ({ siteUuid }) => siteUuid)
    await Promise.all(
      [...bySite].map(([siteUuid, own]) => db.write((sql) => recordAttempts(sql, siteUuid, own, now))),
    )
  },
  retryNow: (siteUuid, deviceUuids, now) =>
    db.change(async (sql) => {
      const ofDevices = deviceUuids === 'all' ? sql`` : sql`AND device_uuid = ANY(${deviceUuids}::uuid[])`
      await sql`
        UPDATE outbox SET
          due_at = least(due_at, greatest(${now}::bigint, sent_at + ${RESPONSE_TIME_MS}::bigint)),
          retry_requested = leased_until IS NOT NULL
        WHERE site_uuid = ${siteUuid} AND NOT is_done ${ofDevices}`
    }),
  acknowledge: (siteUuid, deviceUuid, messageUuid) =>
    db.change(async (sql) => {
      const ended = await sql`
        UPDATE outbox SET is_done = true
        WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND message_uuid = ${messageUuid}
          AND kind <> 'command'`
      return ended.count > 0
    }),
})
