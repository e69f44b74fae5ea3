import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { openWriter } from '../../src/store/sqlite/connect.ts'
import { packBatch } from '../../src/store/sqlite/journal/journal-batch.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { closedDayWrites } from '../../src/store/sqlite/thread/closed-days.ts'
import { reportCorrections } from '../../src/store/sqlite/thread/corrections.ts'
import { inventoryWrites } from '../../src/store/sqlite/thread/inventory.ts'
import { readingWrites } from '../../src/store/sqlite/thread/readings.ts'
import { forgetStoredChanges, getStoredChanges } from '../../src/store/sqlite/thread/stored-changes.ts'
import { rollUpDue } from '../../src/store/sqlite/thread/roll-up-due.ts'
import { nextDue } from '../../src/store/sqlite/thread/rollup-queue.ts'
import { beginImmediate } from '../../src/store/sqlite/write-lock.ts'
import { DAY, HOUR } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'
import { entry, NOON } from '../support/seed.ts'
import { GAUGE, makeSmallSite } from '../support/small-site.ts'

/*
 * The writer remembers which days of a series are enqueued and corrected. These are changes that it must not take for
 * remembered ones.
 */

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** A day of the site below that is closed. */
const DAY_START = NOON - 12 * HOUR - DAY

/** A writer with a site whose days before the one of NOON are closed, and a sensor without readings. */
function createFixture(t: TestContext) {
  const db = openWriter(join(temporaryFolder(t), 'portico.db'))
  t.after(() => db.close())
  migrate(db)
  const document = makeSmallSite('UTC', 1, [{ space: 0, metrics: { temperature: GAUGE } }])
  const { siteUuid } = document.site
  write(db, () => inventoryWrites.apply(db, siteUuid, document, entry()))
  const closing = { expected: 0, closedBefore: DAY_START + DAY, event: undefined }
  write(db, () => closedDayWrites.close(db, siteUuid, closing))
  const [device] = document.devices
  const row = db.prepare('SELECT series_id FROM series WHERE subject_uuid = ?').get(device?.deviceUuid ?? '')
  const seriesId = Number(row?.['series_id'])
  const add = (at: number): void => {
    const batch = toReadingBatch([{ seriesId, timestamps: [at], values: [20] }])
    write(db, () => readingWrites.add(db, siteUuid, packBatch(batch), 'replace'))
  }
  const read = (sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0]
  return { db, add, read }
}

function write(db: DatabaseSync, work: () => unknown): void {
  beginImmediate(db)
  work()
  db.exec('COMMIT')
}

test('a reported correction is stored again by the next reading of the same day', (t) => {
  const { db, add, read } = createFixture(t)
  add(DAY_START + HOUR)
  add(DAY_START + 2 * HOUR)
  assert.equal(read('SELECT count(*) FROM corrections'), 1)
  write(db, () => reportCorrections(db, Number.MAX_SAFE_INTEGER, systemClock.now()))
  assert.equal(read('SELECT count(*) FROM corrections'), 0)
  add(DAY_START + 3 * HOUR)
  assert.equal(read('SELECT count(*) FROM corrections'), 1)
})

test('a reading that is valid past midnight enqueues the next day', (t) => {
  const { add, read } = createFixture(t)
  add(DAY_START + 12 * HOUR)
  add(DAY_START + 12.5 * HOUR)
  assert.equal(read('SELECT max(end_day) FROM rollup_queue'), DAY_START / DAY + 1)
  add(DAY_START + 23.5 * HOUR)
  assert.equal(read('SELECT max(end_day) FROM rollup_queue'), DAY_START / DAY + 2)
})

test('the last day of a series is rolled up ten minutes after its last reading, not after its first', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: NOON })
  const { db, add, read } = createFixture(t)
  const rollUp = async (): Promise<unknown> => {
    const now = systemClock.now()
    for (let due = nextDue(db, now); due; due = nextDue(db, now)) await rollUpDue(db, due, now)
    return read('SELECT count(*) FROM rollup_days')
  }
  // Faster, and then slower than corrections are postponed.
  const times = [
    ...Array.from({ length: 350 }, (_, step) => step * 2 * SECOND),
    ...[12, 18, 24].map((at) => at * MINUTE),
  ]
  for (const at of times) {
    t.mock.timers.setTime(NOON + at)
    add(DAY_START + at)
    assert.equal(await rollUp(), 0, `after ${at / SECOND} seconds`)
  }
  t.mock.timers.setTime(NOON + 40 * MINUTE)
  assert.notEqual(await rollUp(), 0)
})

test('stored changes are forgotten without reading the file', (t) => {
  const { db, add } = createFixture(t)
  add(DAY_START + HOUR)
  const unreadable = openWriter(join(temporaryFolder(t), 'portico.db'))
  migrate(unreadable)
  getStoredChanges(unreadable)
  unreadable.close()
  forgetStoredChanges(unreadable)
  assert.equal(getStoredChanges(db).size, 1)
  forgetStoredChanges(db)
  assert.equal(getStoredChanges(db).size, 0)
})
