import type { ClosedDayStore } from '../../../domain/telemetry/closed-days/store.ts'
import type { Database } from '../pool/connect.ts'
import { lockSiteExclusive, siteState } from '../rollups/site-state.ts'
import { appendEvents } from './event-rows.ts'

export const postgresClosedDays = (db: Database): ClosedDayStore => ({
  closedBefore: (siteUuid) => db.read(async (sql) => (await siteState(sql, siteUuid))?.closedBefore ?? 0),
  close: (siteUuid, { expected, closedBefore, event }) =>
    db.write(async (sql) => {
      // Waits for transactions that add readings; later ones see that the days of their readings are closed.
      const state = await lockSiteExclusive(sql, siteUuid)
      if (state?.closedBefore !== expected) return false
      await sql`UPDATE site_state SET closed_before = ${closedBefore} WHERE site_uuid = ${siteUuid}`
      if (event) await appendEvents(sql, siteUuid, [event])
      return true
    }),
})
