import { firstDayOf } from '../../metric/local-day.ts'
import { dayOf } from '../../reading/packed-day.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Database } from './connect.ts'
import type { DamagedRollup } from './rollups.ts'
import { reopenDays } from './sealed-days.ts'
import { lockSite } from './site-state.ts'

const DAYS_OF_A_MONTH = 31

/** Deletes a damaged row and queues its days: until they are rolled up again, they are computed from the readings. */
export const rebuildRollup = (db: Database, siteUuid: string, row: DamagedRollup): Promise<void> =>
  db.write(async (sql) => {
    const { table, seriesId, number } = row
    // While the site is locked, days are neither closed nor dropped.
    const state = await lockSite(sql, siteUuid)
    // A day whose readings have been dropped cannot be rebuilt: the damaged row is all that is left of it.
    const first = table === 'rollup_months' ? firstDayOf(number) : number
    const isFinal = state !== undefined && state.finalBefore > 0 && first <= dayOf(state.finalBefore) + 2
    if (!state || isFinal || table === 'rollup_quarters') return
    const isMonth = table === 'rollup_months'
    const from = isMonth ? firstDayOf(number) : number
    const to = isMonth ? from + DAYS_OF_A_MONTH - 1 : number
    if (isMonth)
      await sql`
        DELETE FROM rollup_months
        WHERE site_uuid = ${siteUuid} AND series_id = ${seriesId} AND month = ${number}`
    await reopenDays(sql, siteUuid, [{ seriesId, from, to, untrueFrom: from }], systemClock.now())
  })
