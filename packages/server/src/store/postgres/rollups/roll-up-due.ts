import type { CellSource } from '../../../domain/telemetry/rollup/cells.ts'
import { rollUp } from '../../../domain/telemetry/rollup/roll-up.ts'
import type { SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { DamagedData } from '../../damage.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { createReadingReader } from '../readings/read-readings.ts'
import { rebuildMonths } from './rebuild-rollup.ts'
import type { DamagedRollup } from './checksummed-cells.ts'
import { type OnDamage, postgresRollups } from './rollups.ts'
import { putRollups } from './rollup-rows.ts'
import type { LoadSeriesIndex } from './series-index.ts'
import { type ClaimedDays, claimDue, dequeue, type DueSeries, dueSeries, postpone } from './rollup-queue.ts'

/** Days per transaction, over all series: late readings of these series wait for it, and its readings are in memory. */
const SERIES_DAYS_IN_A_SLICE = 512
const DAYS_IN_A_SLICE = 32
/** Delay until days that need a damaged row are retried. Meanwhile they do not delay the other days of their site. */
const RETRY_DAMAGED_MS = 3_600_000

/** `busy`: another instance is rolling up all that is due. `nothing`: nothing is due, or it needs a damaged row. */
export type RollupResult = 'some' | 'busy' | 'nothing'

export interface RollUpOptions {
  onDamage: OnDamage
  /** Series whose rollup has failed; they are left out, and each new one is added. */
  failed: Set<number>
  /** Called after the transaction of a failed series was rolled back. If it throws, the rest is not attempted. */
  onFailure(seriesId: number, error: unknown): Promise<void>
  signal?: AbortSignal
}

/** Rolls up the due days of a site, one transaction after another, until the signal aborts. */
export async function rollUpDue(
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  by: number,
  { onDamage, failed, onFailure, signal }: RollUpOptions,
): Promise<RollupResult> {
  const { due, index } = await db.read(async (sql) => ({
    due: (await dueSeries(sql, siteUuid, by)).filter(({ seriesId }) => !failed.has(seriesId)),
    index: await indexes(sql, siteUuid),
  }))
  if (due.length === 0 || !index) return 'nothing'
  let result: RollupResult = 'busy'
  const addResult = (slice: RollupResult): void => {
    if (result !== 'some' && slice !== 'busy') result = slice
  }
  const rollUpTogether = (seriesIds: readonly number[]): Promise<RollupResult> =>
    db.write(async (sql): Promise<RollupResult> => {
      const claimed = await claimDue(sql, siteUuid, seriesIds, by)
      // After the claim: a change of the inventory that reopens days of these series now waits for this transaction.
      const current = claimed.length > 0 ? await indexes(sql, siteUuid) : undefined
      return current ? rollUpSlice(sql, siteUuid, current, claimed, onDamage) : 'busy'
    })
  /** A failure undoes the whole slice, so each series is then tried alone. */
  const rollUpEach = async (seriesIds: readonly number[]): Promise<void> => {
    for (const seriesId of seriesIds) {
      if (signal?.aborted) return
      try {
        addResult(await rollUpTogether([seriesId]))
      } catch (error) {
        failed.add(seriesId)
        // The series of spaces may still be due.
        addResult('some')
        await onFailure(seriesId, error)
      }
    }
  }
  for (const seriesIds of splitIntoSlices(devicesFirst(index, due))) {
    if (signal?.aborted) break
    try {
      addResult(await rollUpTogether(seriesIds))
    } catch {
      await rollUpEach(seriesIds)
    }
  }
  return result
}

/** Devices before spaces, which are computed from the rollups of their devices if these exist. */
const devicesFirst = (index: SeriesIndex, due: readonly DueSeries[]): readonly DueSeries[] => {
  const devices = due.filter(({ seriesId }) => index.devices.has(seriesId))
  return devices.length > 0 ? devices : due
}

function* splitIntoSlices(due: readonly DueSeries[]): Generator<number[]> {
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

async function rollUpSlice(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  claimed: readonly ClaimedDays[],
  onDamage: OnDamage,
): Promise<RollupResult> {
  const slices = claimed.map((days) => ({ ...days, to: Math.min(days.to, days.from + DAYS_IN_A_SLICE - 1) }))
  const own = new Set(claimed.map(({ seriesId }) => seriesId))
  const damagedMonths: DamagedRollup[] = []
  const source = cellSource(sql, siteUuid, index, (_siteUuid, row, isRebuildable) => {
    const isReplaced = isRebuildable && row.table === 'rollup_months' && own.has(row.seriesId)
    if (isReplaced) damagedMonths.push(row)
    onDamage(siteUuid, row, isRebuildable && !isReplaced)
  })
  const outcomes = await allOrFirstError(
    slices.map(async (days) => ({
      days,
      rolledUp: await rollUp(source, index, days.seriesId, days).catch(undefinedIfDamaged),
    })),
  )
  const done = outcomes.flatMap(({ days, rolledUp }) => (rolledUp ? [{ days, rolledUp }] : []))
  await putRollups(
    sql,
    siteUuid,
    done.map(({ days: { seriesId }, rolledUp }) => ({ ...rolledUp, seriesId })),
  )
  await dequeue(
    sql,
    siteUuid,
    done.map(({ days }) => days),
  )
  await rebuildMonths(sql, siteUuid, index, damagedMonths)
  const damaged = outcomes.flatMap(({ days, rolledUp }) => (rolledUp ? [] : [days.seriesId]))
  await postpone(sql, siteUuid, damaged, systemClock.now() + RETRY_DAMAGED_MS)
  return done.length > 0 ? 'some' : 'nothing'
}

/** Waits for all promises even if one rejects: no statement may still be running when the transaction ends. */
async function allOrFirstError<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedData)) throw error
}

/** The source of cells within a transaction. */
export function cellSource(
  sql: Sql,
  siteUuid: string,
  { days }: SeriesIndex,
  onDamage?: OnDamage,
): CellSource {
  return {
    siteUuid,
    days,
    readings: createReadingReader((run) => run(sql)),
    rollups: postgresRollups((run) => run(sql), onDamage),
  }
}
