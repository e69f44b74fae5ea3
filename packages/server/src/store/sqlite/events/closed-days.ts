import type { DatabaseSync } from 'node:sqlite'
import type { ClosedDayStore } from '../../../domain/telemetry/closed-days/store.ts'
import { translateErrors } from '../failure.ts'
import { loadSiteState } from '../rollups/site-state.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteClosedDays = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'closedDays'>,
): ClosedDayStore =>
  withWrites<ClosedDayStore, 'closedDays'>(writes, {
    closedBefore: async (siteUuid) => translateErrors(() => loadSiteState(reader(), siteUuid).closedBefore),
  })
