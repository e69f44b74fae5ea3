import type { Sql } from './connect.ts'

/** Those of the series that have readings; of all of the site when none are named. */
export async function seriesWithReadings(
  _sql: Sql,
  _siteUuid: string,
  _seriesIds?: readonly number[],
): Promise<number[]> {
  return []
}
