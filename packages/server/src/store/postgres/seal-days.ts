import type { CellSource } from '../../aggregate/cells.ts'
import { rollUp } from '../../aggregate/roll-up.ts'
import type { SeriesIndex } from '../../aggregate/series-index.ts'
import type { Database, Sql } from './connect.ts'
import { readingQuestions } from './reading-questions.ts'
import { postgresRollups } from './rollups.ts'
import { putRollups } from './sealed-days.ts'
import type { SeriesIndexes } from './series-index.ts'
import { type DueSeries, dueSeries, takeStale, unmark } from './stale-days.ts'

/** What is rolled up in one transaction: late readings of these series wait that long, and the readings are in memory. */
const SERIES_DAYS_IN_A_SLICE = 512
const DAYS_IN_A_SLICE = 32

/** `busy`: all there is, another instance is just doing. */
export type Sealed = 'some' | 'busy' | 'nothing'

/** Rolls up days of a site that are due by then, in one transaction after the other until it is to stop. */
export async function sealDue(
  db: Database,
  indexes: SeriesIndexes,
  siteUuid: string,
  by: number,
  signal?: AbortSignal,
): Promise<Sealed> {
  const found = await db.read(async (sql) => ({
    due: await dueSeries(sql, siteUuid, by),
    index: await indexes(sql, siteUuid),
  }))
  if (found.due.length === 0 || !found.index) return 'nothing'
  let sealed: Sealed = 'busy'
  for (const seriesIds of slicesOf(devicesFirst(found.index, found.due))) {
    if (signal?.aborted) break
    const hasSealed = await db.write(async (sql) => {
      const index = await indexes(sql, siteUuid)
      return index ? sealSlice(sql, siteUuid, index, seriesIds, by) : false
    })
    if (hasSealed) sealed = 'some'
  }
  return sealed
}

/** A space is made of the rollups of its devices where these are there. */
const devicesFirst = (index: SeriesIndex, due: readonly DueSeries[]): readonly DueSeries[] => {
  const devices = due.filter(({ seriesId }) => index.devices.has(seriesId))
  return devices.length > 0 ? devices : due
}

function* slicesOf(due: readonly DueSeries[]): Generator<number[]> {
  let slice: number[] = []
  let days = 0
  for (const { seriesId, dayCount } of due) {
    slice.push(seriesId)
    days += Math.min(dayCount, DAYS_IN_A_SLICE)
    if (days < SERIES_DAYS_IN_A_SLICE) continue
    yield slice
    slice = []
    days = 0
  }
  if (slice.length > 0) yield slice
}

/** Answers whether there was something left for this instance to do. */
async function sealSlice(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  seriesIds: readonly number[],
  by: number,
): Promise<boolean> {
  const taken = await takeStale(sql, siteUuid, seriesIds, by)
  if (taken.length === 0) return false
  const slices = taken.map((days) => ({ ...days, to: Math.min(days.to, days.from + DAYS_IN_A_SLICE - 1) }))
  const source = cellSource(sql, siteUuid, index)
  const rolledUp = await Promise.all(
    slices.map(async ({ seriesId, from, to }) => ({
      ...(await rollUp(source, index, seriesId, { from, to })),
      seriesId,
    })),
  )
  await putRollups(sql, siteUuid, rolledUp)
  await unmark(sql, siteUuid, slices)
  return true
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
