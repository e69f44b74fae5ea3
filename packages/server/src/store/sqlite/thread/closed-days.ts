import type { DatabaseSync } from 'node:sqlite'
import type { DayClosing } from '../../../domain/telemetry/closed-days/store.ts'
import { appendEvents } from '../events/event-rows.ts'
import { loadSiteState } from '../rollups/site-state.ts'
import { setClosedBefore } from './rollup-rows.ts'

export const closedDayWrites = {
  close(db: DatabaseSync, siteUuid: string, { expected, closedBefore, event }: DayClosing): boolean {
    if (loadSiteState(db, siteUuid).closedBefore !== expected) return false
    setClosedBefore(db, siteUuid, closedBefore)
    if (event) appendEvents(db, siteUuid, [event])
    return true
  },
}
