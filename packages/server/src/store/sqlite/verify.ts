import type { DatabaseSync } from 'node:sqlite'
import type { CellSource } from '../../domain/telemetry/rollup/cells.ts'
import { firstRetainedDay } from '../../domain/telemetry/rollup/invalidation.ts'
import type { DayRange } from '../../domain/telemetry/rollup/roll-up.ts'
import { findWrongRollups, type WrongRollup } from '../../domain/telemetry/rollup/verify-rollups.ts'
import { type ChecksummedRow, rowChecksum } from '../../kernel/row-checksum.ts'
import { DAY_MS } from '../../domain/telemetry/reading/packed-day.ts'
import type { DamagedRow, VerifyProgress } from '../store.ts'
import { prepareArraysOnce } from './connect.ts'
import { DamagedData, describeDamage } from '../damage.ts'
import { listenForDamage } from './damage.ts'
import { daysWithin } from './journal/day-runs.ts'
import { verifySite } from './inventory/inventory-checksum.ts'
import { readJournalState } from './journal/journal-rows.ts'
import { getJournal } from './journal/journal.ts'
import { acceptedLosses, lostReadings } from './quarantine.ts'
import { loadRollupVersion, sqliteRollups } from './rollups/rollups.ts'
import { text } from './row.ts'
import { getSeriesIndex } from './rollups/series-index.ts'
import { loadSeriesDays } from './journal/series-days.ts'
import { inOneAsyncSnapshot, inOneSnapshot } from './snapshot.ts'
import { latestReadings, readingRange, storedReadings } from './journal/stored-readings.ts'

/** Tables whose rows are a series, a number and bytes. */
const TABLES: readonly [table: ChecksummedRow, number: string, bytes: string][] = [
  ['reading_days', 'day', 'readings'],
  ['rollup_days', 'day', 'cells'],
  ['rollup_months', 'month', 'cells'],
  ['rollup_quarter_hours', 'day', 'cells'],
]

export interface Verification {
  /** Rows that fail their checksum or do not match the readings. */
  damaged: DamagedRow[]
  /** All other problems. */
  faults: string[]
}

/** Requests that days of a series are rolled up again, unless its rollups have changed since this version. */
type RebuildRollups = (seriesId: number, days: readonly number[], version: number) => Promise<void>

/** Uses a separate connection, so that damage is returned as a finding and not reported as an event. */
export async function verifyStore(
  db: DatabaseSync,
  progress: VerifyProgress,
  rebuild: RebuildRollups,
): Promise<Verification> {
  const found = new Map<string, DamagedRow>()
  const faults: string[] = []
  const note = (row: DamagedRow): void => void found.set(describeDamage(row), row)
  listenForDamage(db, note)

  /** A part that cannot be read does not prevent the others from being verified. */
  const attempt = async (part: () => void | Promise<void>): Promise<void> => {
    try {
      await part()
    } catch (error) {
      if (error instanceof DamagedData) {
        if (error.row) note(error.row)
      } else faults.push(error instanceof Error ? error.message : String(error))
    }
  }

  for (const [place, [table, number, bytes]] of TABLES.entries()) {
    progress('checksums', place / TABLES.length)
    await attempt(() => verifyRows(db, table, number, bytes, note))
  }
  await attempt(() => void getJournal(db).hot())
  await attempt(() => verifyReferences(db, faults))
  const sites = prepareArraysOnce<[siteUuid: string]>(db, 'SELECT site_uuid FROM sites').all()
  for (const [siteUuid] of sites) {
    await attempt(() => void verifySite(db, siteUuid))
    await attempt(() => void latestReadings(db, siteUuid))
    await attempt(() => verifyDays(db, siteUuid, note))
    await attempt(() => verifyRollups(db, siteUuid, note, attempt, progress, rebuild))
  }
  for (const { seriesId, from, to } of lostReadings(db)) faults.push(describeLost({ seriesId, from, to }))
  return { damaged: [...found.values()], faults }
}

/** A span may be `ANY_TIME`, whose ends cannot be formatted as dates. */
export function describeLost(lost: { seriesId: number | undefined; from: number; to: number }): string {
  const of = lost.seriesId === undefined ? 'any series' : `series ${lost.seriesId}`
  const isAnyTime = lost.from < 0 && lost.to === Number.MAX_SAFE_INTEGER
  const when = isAnyTime
    ? 'at an unknown time'
    : `from ${new Date(lost.from).toISOString()} to ${new Date(lost.to).toISOString()}`
  return `readings of ${of} ${when} are lost`
}

function verifyRows(
  db: DatabaseSync,
  table: ChecksummedRow,
  number: string,
  bytes: string,
  note: (row: DamagedRow) => void,
): void {
  const statement = db.prepare(`SELECT series_id, ${number}, ${bytes}, checksum FROM ${table}`)
  statement.setReturnArrays(true)
  for (const row of statement.iterate() as unknown as Iterable<[number, number, Uint8Array, number]>) {
    const [seriesId, own, content, checksum] = row
    if (rowChecksum(table, seriesId, own, content) !== checksum)
      note({ table, seriesId, number: own, reason: 'the checksum is wrong' })
  }
}

function verifyReferences(db: DatabaseSync, faults: string[]): void {
  for (const row of db.prepare('PRAGMA foreign_key_check').all())
    faults.push(
      `a row of ${text(row, 'table')} refers to a row of ${text(row, 'parent')} that does not exist`,
    )
}

/** Verifies that exactly the days listed in series_days have a row. */
function verifyDays(db: DatabaseSync, siteUuid: string, note: (row: DamagedRow) => void): void {
  for (const seriesId of getSeriesIndex(db, siteUuid)?.devices.keys() ?? []) {
    const [rows, listed] = inOneSnapshot(db, () => [
      prepareArraysOnce<[day: number]>(
        db,
        'SELECT day FROM reading_days WHERE series_id = ? ORDER BY day',
      ).all(seriesId),
      loadSeriesDays(db, seriesId),
    ])
    const there = new Set(rows.map(([day]) => day))
    const expected = daysWithin(listed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    for (const day of expected) {
      if (!there.delete(day))
        note({ table: 'reading_days', seriesId, number: day, reason: 'the row is missing' })
    }
    if (there.size > 0)
      note({ table: 'series_days', seriesId, reason: 'it does not list a day that has a row' })
  }
}

async function verifyRollups(
  db: DatabaseSync,
  siteUuid: string,
  note: (row: DamagedRow) => void,
  attempt: (part: () => Promise<void>) => Promise<void>,
  progress: VerifyProgress,
  rebuild: RebuildRollups,
): Promise<void> {
  const index = getSeriesIndex(db, siteUuid)
  const spans = [...(index?.devices.keys() ?? [])].flatMap((seriesId) => readingRange(db, seriesId) ?? [])
  if (!index || spans.length === 0) return
  const from = index.days.dayAt(Math.min(...spans.map((span) => span.from)))
  const to = index.days.dayAt(Math.max(...spans.map((span) => span.to)) + DAY_MS)
  const all = [...index.devices.keys(), ...index.spaces.keys()]
  for (const [place, seriesId] of all.entries()) {
    progress('rollups', place / all.length)
    await attempt(async () => {
      const { wrong, version } = await inOneAsyncSnapshot(db, () =>
        findWrong(db, siteUuid, seriesId, { from, to }),
      )
      if (wrong.length === 0) return
      for (const { day, reason } of wrong) note({ table: 'rollup_days', seriesId, number: day, reason })
      const days = wrong.map(({ day }) => day)
      await rebuild(seriesId, days, version)
    })
  }
}

/** All inputs of the comparison, and the version of the rollups, are read in the caller's transaction. */
async function findWrong(
  db: DatabaseSync,
  siteUuid: string,
  seriesId: number,
  { from, to }: DayRange,
): Promise<{ wrong: WrongRollup[]; version: number }> {
  const version = loadRollupVersion(db, seriesId)
  const index = getSeriesIndex(db, siteUuid)
  if (!index) return { wrong: [], version }
  const { days } = index
  const source: CellSource = {
    siteUuid,
    days,
    readings: storedReadings(db),
    rollups: sqliteRollups(() => db),
  }
  const accepted = acceptedLosses(db)
  const isAccepted = (day: number): boolean =>
    accepted.some(
      (lost) => days.startOfDay(day) < lost.to + DAY_MS && days.startOfDay(day + 1) > lost.from - DAY_MS,
    )
  const firstRetained = firstRetainedDay(days, readJournalState(db).retentionWatermark)
  const found = await findWrongRollups(source, index, seriesId, { from: Math.max(from, firstRetained), to })
  return { wrong: found.filter(({ day }) => !isAccepted(day)), version }
}
