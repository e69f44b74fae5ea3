import type { CellSource } from '../../aggregate/cells.ts'
import { rollUp } from '../../aggregate/roll-up.ts'
import type { SeriesIndex } from '../../aggregate/series-index.ts'
import type { Database, Sql } from './connect.ts'
import { readingQuestions } from './reading-questions.ts'
import { postgresRollups } from './rollups.ts'
import { putRollups } from './sealed-days.ts'
import type { SeriesIndexes } from './series-index.ts'
import { dueSeries, takeStale, unmark } from './stale-days.ts'

/** What is rolled up in one transaction: late readings of these series wait that long, and the readings are in memory. */
const SERIES_IN_A_SLICE = 16
const DAYS_IN_A_SLICE = 32

/** `busy`: all there is, another instance is just doing. */
export type Sealed = 'some' | 'busy' | 'nothing'

/** Rolls up some days of a site that are due by then. */
export async function sealSome(
  db: Database,
  indexes: SeriesIndexes,
  siteUuid: string,
  by: number,
): Promise<Sealed> {
  const due = await db.read((sql) => dueSeries(sql, siteUuid, by))
  if (due.length === 0) return 'nothing'
  return db.write(async (sql) => {
    const index = await indexes(sql, siteUuid)
    return index ? sealSlice(sql, siteUuid, index, devicesFirst(index, due)) : 'nothing'
  })
}

/** A space is made of the rollups of its devices where these are there. */
const devicesFirst = (index: SeriesIndex, due: readonly number[]): number[] => {
  const devices = due.filter((seriesId) => index.devices.has(seriesId))
  return devices.length > 0 ? devices : [...due]
}

async function sealSlice(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  seriesIds: readonly number[],
): Promise<Sealed> {
  const stale = await takeStale(sql, siteUuid, seriesIds, SERIES_IN_A_SLICE)
  if (stale.length === 0) return 'busy'
  const slices = stale.map((days) => ({ ...days, to: Math.min(days.to, days.from + DAYS_IN_A_SLICE - 1) }))
  const source = cellSource(sql, siteUuid, index)
  const rolledUp = await Promise.all(
    slices.map(async ({ seriesId, ...range }) => ({
      ...(await rollUp(source, index, seriesId, range)),
      seriesId,
    })),
  )
  await putRollups(sql, siteUuid, rolledUp)
  await unmark(sql, siteUuid, slices)
  return 'some'
}

/** What figures are made of, as a transaction sees it. */
export function cellSource(sql: Sql, siteUuid: string, { days }: SeriesIndex): CellSource {
  return {
    siteUuid,
    days,
    readings: readingQuestions((run) => run(sql)),
    rollups: postgresRollups((run) => run(sql)),
  }
}
