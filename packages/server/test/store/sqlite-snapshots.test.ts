import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { serialize } from 'node:v8'
import { newUuid } from '../../src/kernel/ids.ts'
import { runSteps } from '../../src/kernel/steps.ts'
import type { Readings } from '../../src/domain/telemetry/reading/packed-day.ts'
import { DamagedData } from '../../src/store/damage.ts'
import { listenForDamage } from '../../src/store/sqlite/damage.ts'
import { removeDay } from '../../src/store/sqlite/journal/day-runs.ts'
import {
  inventoryChecksum,
  storeInventoryChecksum,
  readSiteRows,
  verifySteps,
} from '../../src/store/sqlite/inventory/inventory-checksum.ts'
import { packReadings } from '../../src/store/sqlite/journal/reading-days.ts'
import { loadSeriesDays, putSeriesDays } from '../../src/store/sqlite/journal/series-days.ts'
import { inOneSnapshot } from '../../src/store/sqlite/snapshot.ts'
import { openSqliteStore, createSqliteStore } from '../../src/store/sqlite/store.ts'
import {
  latestReadings,
  readingsAround,
  readingsWithin,
} from '../../src/store/sqlite/journal/stored-readings.ts'
import { verifyStore } from '../../src/store/sqlite/verify.ts'
import { createWriter, startWriterThread, type Writer } from '../../src/store/sqlite/writer.ts'
import type { DamagedRow, Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { addMeter, addSite, entry, newInventory } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const FIRST_DAY = 20_000
/** Long enough for hundreds of commits between the statements of a read. */
const CONCURRENT_MS = 1_500

interface OpenedStore {
  file: string
  store: Store
  writer: Writer
  /** Every damage report of the store. */
  reports: DamagedRow[]
  /** A connection for looking at, and damaging, the file. */
  db: DatabaseSync
}

async function openStore(t: TestContext): Promise<OpenedStore> {
  const file = join(temporaryFolder(t), 'portico.db')
  const way = startWriterThread(file, { runsMaintenance: false, rawRetentionMs: undefined })
  const store = createSqliteStore(file, way)
  t.after(() => store.close())
  await store.migrate()
  const reports: DamagedRow[] = []
  store.onDamage((row) => reports.push(row))
  const db = new DatabaseSync(file)
  t.after(() => db.close())
  return { file, store, writer: createWriter(way), reports, db }
}

/** One reading per minute of a day: dense enough to be packed immediately. */
function denseDay(day: number, step = 1): Readings {
  const timestamps = Array.from({ length: 1_440 }, (_, minute) => day * DAY_MS + minute * MINUTE_MS)
  return { timestamps, values: timestamps.map((_, minute) => minute * step) }
}

const addDay = (store: Store, siteUuid: string, seriesId: number, day: number) =>
  store.readings.add(siteUuid, toReadingBatch([{ seriesId, ...denseDay(day) }]))

const count = (db: DatabaseSync, table: string): number =>
  Number(db.prepare(`SELECT count(*) AS number FROM ${table}`).get()?.['number'])

/** Runs reads until the writes are done; each read lets the event loop turn. */
async function readUntil(writes: Promise<void>, read: () => Promise<unknown>): Promise<void> {
  const writing = { isDone: false }
  const done = writes.finally(() => (writing.isDone = true))
  while (!writing.isDone) {
    await read()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await done
}

/** A reader during which another connection commits after each statement. */
class InterruptedReader extends DatabaseSync {
  interrupt: () => void = () => {}

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    const [all, get] = [statement.all.bind(statement), statement.get.bind(statement)]
    const interrupted = <T>(result: T): T => {
      this.interrupt()
      return result
    }
    return Object.assign(statement, {
      all: (...values: SQLInputValue[]) => interrupted(all(...values)),
      get: (...values: SQLInputValue[]) => interrupted(get(...values)),
    })
  }
}

function openInterruptedReader(t: TestContext, file: string): InterruptedReader {
  const reader = new InterruptedReader(file, { readOnly: true })
  t.after(() => reader.close())
  return reader
}

test('a commit between any two statements of a read does not count as damage', async (t) => {
  const { file, store, db } = await openStore(t)
  const { siteUuid, seriesId } = await addMeter(store)
  for (const day of [FIRST_DAY - 5, FIRST_DAY + 5]) await addDay(store, siteUuid, seriesId, day)
  const reader = openInterruptedReader(t, file)
  const reports: DamagedRow[] = []
  listenForDamage(reader, (row) => reports.push(row))
  let day = FIRST_DAY
  let isThere = false
  // A day is added and removed, as by an import and by retention.
  reader.interrupt = () => {
    db.exec('BEGIN IMMEDIATE')
    if (isThere) {
      db.prepare('DELETE FROM reading_days WHERE day = ?').run(day)
      putSeriesDays(db, seriesId, removeDay(loadSeriesDays(db, seriesId), day))
      day = day === FIRST_DAY + 2 ? FIRST_DAY - 2 : day + 1
    } else {
      packReadings(db, seriesId, denseDay(day))
    }
    isThere = !isThere
    db.exec('COMMIT')
  }
  const span = { from: FIRST_DAY * DAY_MS + 1, to: (FIRST_DAY + 1) * DAY_MS - 1 }
  for (let round = 0; round < 10; round += 1) {
    readingsAround(reader, seriesId, span)
    readingsWithin(reader, seriesId, span)
    latestReadings(reader, siteUuid)
    const { damaged } = await verifyStore(
      reader,
      () => {},
      async () => assert.fail(),
    )
    assert.deepEqual(damaged, [])
    listenForDamage(reader, (row) => reports.push(row))
  }
  assert.deepEqual(reports, [])
})

test('readings newer than every packed day are read without one', async (t) => {
  const { store, db } = await openStore(t)
  const { siteUuid, seriesId } = await addMeter(store)
  await addDay(store, siteUuid, seriesId, FIRST_DAY)
  const start = (FIRST_DAY + 1) * DAY_MS
  const sparse = { timestamps: [start, start + MINUTE_MS, start + 2 * MINUTE_MS], values: [1, 2, 3] }
  await store.readings.add(siteUuid, toReadingBatch([{ seriesId, ...sparse }]))
  db.exec('UPDATE reading_days SET checksum = checksum + 1')
  const recent = { from: start + MINUTE_MS / 2, to: start + 5 * MINUTE_MS }
  assert.deepEqual(readingsAround(db, seriesId, recent), sparse)
  assert.deepEqual(readingsWithin(db, seriesId, { ...recent, from: start }), sparse)
  // Its reading before the span, and a packed reading in the span, are in the damaged day.
  assert.throws(() => readingsAround(db, seriesId, { ...recent, from: start }), DamagedData)
  assert.throws(() => readingsWithin(db, seriesId, { ...recent, from: start - MINUTE_MS }), DamagedData)
})

test('an inventory is loaded as of one moment, whatever is committed between its tables', async (t) => {
  const { file, store, db } = await openStore(t)
  const { siteUuid } = await addMeter(store)
  const reader = openInterruptedReader(t, file)
  let round = 0
  reader.interrupt = () => {
    round += 1
    db.exec('BEGIN IMMEDIATE')
    for (const table of ['sites', 'buildings', 'spaces'])
      db.exec(`UPDATE ${table} SET record = json_set(record, '$.round', ${round})`)
    storeInventoryChecksum(db, siteUuid)
    db.exec('COMMIT')
  }
  for (let load = 0; load < 5; load += 1) {
    const rows = readSiteRows(reader, siteUuid)
    if (rows) runSteps(verifySteps(reader, rows))
    const rounds = [rows?.site, ...(rows?.buildings ?? []), ...(rows?.spaces ?? [])].map(
      (row) => JSON.parse(String(row?.['record'])).round,
    )
    assert.equal(new Set(rounds).size, 1)
  }
})

test('packing days during a read does not count as damage', async (t) => {
  const { store, reports, db } = await openStore(t)
  const siteUuid = newUuid()
  const until = Date.now() + CONCURRENT_MS
  let day = FIRST_DAY
  const write = async (): Promise<void> => {
    // From newest to oldest and back: days are added at both ends of the stored range.
    for (; Date.now() < until; day += 1) {
      await addDay(store, siteUuid, 1, day)
      await addDay(store, siteUuid, 1, 2 * FIRST_DAY - day - 1)
    }
  }
  await readUntil(write(), async () => {
    for (const at of [day, 2 * FIRST_DAY - day])
      await store.readings.around(siteUuid, 1, { from: at * DAY_MS + 1, to: at * DAY_MS + 2 })
  })
  assert.deepEqual(reports, [])
  assert.equal(count(db, 'damaged_readings'), 0)
  assert.equal(count(db, 'reading_days'), 2 * (day - FIRST_DAY))
})

test('a store can be verified while days are packed', async (t) => {
  const { store, db } = await openStore(t)
  const { siteUuid, seriesId } = await addMeter(store)
  const until = Date.now() + CONCURRENT_MS
  let day = FIRST_DAY
  const write = async (): Promise<void> => {
    for (; Date.now() < until; day += 1) await addDay(store, siteUuid, seriesId, day)
  }
  await readUntil(write(), async () => assert.deepEqual(await store.verify(() => {}), []))
  assert.equal(count(db, 'damaged_readings'), 0)
  assert.equal(count(db, 'reading_days'), day - FIRST_DAY)
})

test('rollups written during a verification are compared with the readings of the same moment', async (t) => {
  const { store } = await openStore(t)
  const { siteUuid, seriesId } = await addMeter(store)
  for (let day = FIRST_DAY; day < FIRST_DAY + 20; day += 1) await addDay(store, siteUuid, seriesId, day)
  await store.runMaintenance()
  const until = Date.now() + CONCURRENT_MS
  const write = async (): Promise<void> => {
    for (let step = 2; Date.now() < until; step += 1) {
      const day = FIRST_DAY + (step % 20)
      await store.readings.add(siteUuid, toReadingBatch([{ seriesId, ...denseDay(day, step) }]))
      await store.runMaintenance()
    }
  }
  await readUntil(write(), async () => assert.deepEqual(await store.verify(() => {}), []))
})

test('replacing an inventory while it is loaded does not count as damage', async (t) => {
  const { store, reports } = await openStore(t)
  const document = newInventory()
  const { siteUuid } = document.site
  const until = Date.now() + CONCURRENT_MS
  const write = async (): Promise<void> => {
    for (let round = 0; Date.now() < until; round += 1) {
      document.site.siteName = `Round ${round}`
      document.buildings = [{ buildingUuid: newUuid(), buildingName: `Round ${round}`, legacyId: null }]
      await store.inventory.apply(siteUuid, document, entry())
    }
  }
  await readUntil(write(), async () => {
    const loaded = await store.inventory.load(siteUuid)
    if (!loaded) return
    const current = loaded.buildings.find(({ isArchived }) => !isArchived)
    assert.equal(current?.record.buildingName, loaded.site.siteName)
  })
  assert.deepEqual(reports, [])
})

test('a requested repair changes nothing that is undamaged', async (t) => {
  const { store, writer, db } = await openStore(t)
  const { siteUuid, seriesId } = await addMeter(store)
  for (let day = FIRST_DAY; day < FIRST_DAY + 40; day += 1) await addDay(store, siteUuid, seriesId, day)
  await store.runMaintenance()
  const tables = [
    'reading_days',
    'series_days',
    'latest_readings',
    'rollup_days',
    'rollup_months',
    'rollup_versions',
    'rollup_queue',
    'damaged_readings',
  ]
  const content = () =>
    tables.map((table) => [table, hash('sha256', serialize(db.prepare(`SELECT * FROM ${table}`).all()))])
  const before = content()
  const numbers = (table: string, column: string): number[] =>
    db
      .prepare(`SELECT ${column} AS number FROM ${table} WHERE series_id = ?`)
      .all(seriesId)
      .map((row) => Number(row['number']))
  const rows: DamagedRow[] = [
    { table: 'series_days', seriesId, reason: 'it lacks a day that is there' },
    { table: 'latest_readings', seriesId, reason: 'the checksum is wrong' },
    ...['the row is missing', 'the checksum is wrong'].flatMap((reason) => [
      { table: 'reading_days', seriesId, number: FIRST_DAY + 1, reason },
      // Neither stored nor expected.
      { table: 'reading_days', seriesId, number: FIRST_DAY + 1_000, reason },
    ]),
    ...numbers('rollup_days', 'day').map((number) => ({
      table: 'rollup_days',
      seriesId,
      number,
      reason: 'the checksum is wrong',
    })),
    ...numbers('rollup_months', 'month').map((number) => ({
      table: 'rollup_months',
      seriesId,
      number,
      reason: 'the checksum is wrong',
    })),
  ]
  for (const row of rows) {
    await writer.writes.repair.repairDamage(row)
    assert.deepEqual(content(), before, JSON.stringify(row))
  }
})

test('a day filled again after its readings were quarantined survives another repair', async (t) => {
  const { store, writer, db } = await openStore(t)
  const siteUuid = newUuid()
  for (const day of [FIRST_DAY, FIRST_DAY + 1]) await addDay(store, siteUuid, 1, day)
  db.exec(`UPDATE reading_days SET checksum = checksum + 1 WHERE day = ${FIRST_DAY}`)
  const damaged = { table: 'reading_days', seriesId: 1, number: FIRST_DAY, reason: 'the checksum is wrong' }
  await writer.writes.repair.repairDamage(damaged)
  assert.equal(count(db, 'damaged_readings'), 1)
  await addDay(store, siteUuid, 1, FIRST_DAY)
  // Reported by another process that found the damage too.
  await writer.writes.repair.repairDamage(damaged)
  assert.equal(count(db, 'damaged_readings'), 1)
  await store.acceptLoss()
  const span = { from: FIRST_DAY * DAY_MS, to: (FIRST_DAY + 1) * DAY_MS }
  assert.deepEqual(await store.readings.within(siteUuid, 1, span), denseDay(FIRST_DAY))
})

test('a day missing in the list of days is added to it, and other days stay', async (t) => {
  const { store, db } = await openStore(t)
  const siteUuid = newUuid()
  await addDay(store, siteUuid, 1, FIRST_DAY)
  const list = db.prepare('SELECT days, checksum FROM series_days WHERE series_id = 1').get()
  await addDay(store, siteUuid, 1, FIRST_DAY + 1)
  db.prepare('UPDATE series_days SET days = ?, checksum = ? WHERE series_id = 1').run(
    list?.['days'] ?? null,
    list?.['checksum'] ?? null,
  )
  const after = { from: (FIRST_DAY + 5) * DAY_MS, to: (FIRST_DAY + 6) * DAY_MS }
  await assert.rejects(store.readings.around(siteUuid, 1, after), /damaged/)
  // The reader has requested the repair before this write.
  await addSite(store)
  assert.equal((await store.readings.around(siteUuid, 1, after)).values.at(-1), 1_439)
  assert.equal(count(db, 'reading_days'), 2)
  assert.equal(count(db, 'damaged_readings'), 0)
})

test('the checksum of the inventory does not depend on columns that are added later', async (t) => {
  const { file, store, db } = await openStore(t)
  const { siteUuid } = await addMeter(store)
  const before = inventoryChecksum(db, siteUuid)
  for (const table of ['sites', 'buildings', 'spaces', 'devices', 'series'])
    db.exec(`ALTER TABLE ${table} ADD COLUMN added_later INTEGER NOT NULL DEFAULT 7`)
  assert.equal(inventoryChecksum(db, siteUuid), before)
  const later = openSqliteStore(file)
  t.after(() => later.close())
  assert.equal((await later.inventory.load(siteUuid))?.devices.length, 1)
})

test('an error that ended the transaction of a read is the one that is thrown', async (t) => {
  const { db } = await openStore(t)
  const failure = new Error('The disk failed.')
  for (const end of ['ROLLBACK', 'SELECT 1']) {
    assert.throws(
      () =>
        inOneSnapshot(db, () => {
          db.exec(end)
          throw failure
        }),
      failure,
    )
    assert.equal(db.isTransaction, false)
  }
})
