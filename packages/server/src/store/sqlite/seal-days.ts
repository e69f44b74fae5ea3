import type { DatabaseSync } from 'node:sqlite'
import type { CellKind } from '../../aggregate/cell-kind.ts'
import type { CellSource } from '../../aggregate/cells.ts'
import { covers, inOrder, touches } from '../../aggregate/contribution.ts'
import { sealSeries, sealSpace } from '../../aggregate/seal.ts'
import type { PlacedSeries } from '../../inventory/site-model.ts'
import { prepared } from './connect.ts'
import { journalOf } from './journal.ts'
import { sqliteRollups } from './rollups.ts'
import { markedOf } from './reopen.ts'
import { noteSealedBefore, openDays, putSealedDays } from './sealed-days.ts'
import { type SeriesIndex, seriesIndexOf, siteOfSeries, withKind } from './series-index.ts'
import { markStale, nextDue, type StaleDays, unmark } from './stale-days.ts'
import { storedReadings } from './stored-readings.ts'
import { latestPacked } from './touched-days.ts'

/** Days of one series rolled up in one go. */
const DAYS_IN_A_SLICE = 64
/** The last day of a series with nothing after it is left for a while: the reading that completes it may be on its way. */
const PATIENCE_MS = 10 * 60_000

/** Rolls up some days that are due; answers whether there were any. Runs inside a transaction. */
export async function sealSome(db: DatabaseSync, now: number): Promise<boolean> {
  const mark = nextDue(db, now)
  if (!mark) return false
  markedOf(db).delete(mark.seriesId)
  unmark(db, mark)
  const siteUuid = siteOfSeries(db, mark.seriesId)
  const index = siteUuid === undefined ? undefined : seriesIndexOf(db, siteUuid)
  if (!index || siteUuid === undefined) return true
  const closed = index.days.numberAt(now) - 1
  const patientUntil = mark.markedAt + PATIENCE_MS
  const complete = patientUntil > now ? completeThrough(db, index, mark.seriesId) : closed
  const last = Math.min(mark.to, closed, complete)
  const upTo = Math.min(last, mark.from + DAYS_IN_A_SLICE - 1)
  if (upTo >= mark.from) await sealRange(db, siteUuid, index, mark, upTo, now)
  const rest = Math.max(mark.from, upTo + 1)
  if (rest > mark.to) return true
  const dueAt = rest <= last ? now : rest <= closed ? patientUntil : index.days.startOf(rest + 1)
  markStale(db, { ...mark, from: rest, dueAt })
  return true
}

/** Makes every mark due and ends all patience: for whoever cannot wait. */
export const hurryMarks = (db: DatabaseSync, now: number): void =>
  void prepared(db, 'UPDATE stale_days SET due_at = min(due_at, ?), marked_at = 0').run(now)

/** The last day of a device's series that later readings follow; a space is as complete as it is. */
function completeThrough(db: DatabaseSync, index: SeriesIndex, seriesId: number): number {
  if (!index.devices.has(seriesId)) return Number.POSITIVE_INFINITY
  const hot = journalOf(db).hot().of(seriesId)?.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY
  const latest = Math.max(hot, latestPacked(db, seriesId))
  return Number.isFinite(latest) ? index.days.numberAt(latest) - 1 : Number.POSITIVE_INFINITY
}

async function sealRange(
  db: DatabaseSync,
  siteUuid: string,
  index: SeriesIndex,
  mark: StaleDays,
  upTo: number,
  now: number,
): Promise<void> {
  const source: CellSource = {
    siteUuid,
    days: index.days,
    readings: storedReadings(db),
    rollups: sqliteRollups(() => db),
  }
  const device = index.devices.get(mark.seriesId)
  const space = index.spaces.get(mark.seriesId)
  if (device) {
    const seal = <C>(kind: CellKind<C>): Promise<boolean> =>
      sealOpen(db, kind, mark, upTo, 1, (days) => sealSeries(source, kind, device, days))
    const isChanged = await withKind(device.metric, { meter: seal, gauge: seal })
    if (isChanged) {
      for (const seriesId of device.spaceSeries)
        markStale(db, { seriesId, from: mark.from, to: upTo, markedAt: now, dueAt: now })
    }
  } else if (space && space.metric !== 'occupancy') {
    // People are added over devices: their figures are made from the devices' own rollups.
    const placed = index.model.placedSeries([space.spaceUuid], space.metric)
    for (const { members, from, to } of steadyRuns(index, placed, mark.from, upTo)) {
      const seal = <C>(kind: CellKind<C>): Promise<boolean> =>
        sealOpen(db, kind, { ...mark, from }, to, members.length, (days) =>
          sealSpace(source, kind, members, days),
        )
      await withKind(space.metric, { meter: seal, gauge: seal })
    }
  }
  noteSealedBefore(db, siteUuid, index.days.startOf(upTo + 1))
}

/** Rolls up the days of the range that have no rollup, run by run; answers whether there were any. */
async function sealOpen<C>(
  db: DatabaseSync,
  kind: CellKind<C>,
  { seriesId, from }: StaleDays,
  upTo: number,
  members: number,
  seal: (days: { from: number; to: number }) => ReturnType<typeof sealSeries<C>>,
): Promise<boolean> {
  const runs: { from: number; to: number }[] = []
  for (const day of openDays(db, kind, seriesId, members, from, upTo)) {
    const run = runs.at(-1)
    if (run?.to === day) run.to = day + 1
    else runs.push({ from: day, to: day + 1 })
  }
  for (const run of runs) putSealedDays(db, kind, seriesId, members, await seal(run))
  return runs.length > 0
}

/** Runs of whole days over which the same two or more devices were in the space. */
function steadyRuns(
  { days }: SeriesIndex,
  placed: readonly PlacedSeries[],
  from: number,
  to: number,
): { members: PlacedSeries[]; from: number; to: number }[] {
  const runs: { members: PlacedSeries[]; from: number; to: number }[] = []
  for (let day = from; day <= to; day += 1) {
    const span = { from: days.startOf(day), to: days.startOf(day + 1) }
    const there = placed.filter(({ placement }) => touches(placement, span))
    if (there.length < 2 || !there.every(({ placement }) => covers(placement, span))) continue
    const members = inOrder(there)
    const run = runs.at(-1)
    if (run?.to === day - 1 && isSame(run.members, members)) run.to = day
    else runs.push({ members, from: day, to: day })
  }
  return runs
}

const isSame = (a: readonly PlacedSeries[], b: readonly PlacedSeries[]): boolean =>
  a.length === b.length && a.every((one, index) => one.seriesId === b[index]?.seriesId)
