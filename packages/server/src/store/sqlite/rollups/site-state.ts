import type { DatabaseSync } from 'node:sqlite'
import { prepareOnce } from '../connect.ts'
import { integer } from '../row.ts'

export interface SiteState {
  /** No rollup of the site reaches beyond this instant: newer readings invalidate none. */
  rollupWatermark: number
  /** End of the days that events have reported as closed; 0 for none. */
  closedBefore: number
}

export function loadSiteState(db: DatabaseSync, siteUuid: string): SiteState {
  const row = prepareOnce(
    db,
    'SELECT rollup_watermark, closed_before FROM site_state WHERE site_uuid = ?',
  ).get(siteUuid)
  return row
    ? { rollupWatermark: integer(row, 'rollup_watermark'), closedBefore: integer(row, 'closed_before') }
    : { rollupWatermark: Number.NEGATIVE_INFINITY, closedBefore: 0 }
}
