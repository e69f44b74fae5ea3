import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AppError } from '../../src/kernel/errors.ts'
import { packDay, type Readings } from '../../src/domain/telemetry/reading/packed-day.ts'
import { openWriter } from '../../src/store/sqlite/connect.ts'
import { packBatch } from '../../src/store/sqlite/journal/journal-batch.ts'
import { lockForServer } from '../../src/store/sqlite/lock.ts'
import { allMigrations } from '../../src/store/sqlite/migrate.ts'
import { restoreFile, whyNotABackup } from '../../src/store/sqlite/restore.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { addPartner, addSite } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'

test('the file and its folder are accessible to their owner only', async (t) => {
  const file = join(temporaryFolder(t), 'new', 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
})

test('every commit waits for fsync', (t) => {
  const db = openWriter(join(temporaryFolder(t), 'portico.db'))
  t.after(() => db.close())
  const FULL = 2
  assert.equal(db.prepare('PRAGMA synchronous').get()?.['synchronous'], FULL)
  assert.equal(db.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
})

test('a long read does not block a write', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  const db = new DatabaseSync(file)
  t.after(() => db.close())
  db.exec('BEGIN')
  db.prepare('SELECT count(*) FROM sites').get()
  const site = await addSite(store)
  assert.equal((await store.sites.list([site.siteUuid])).length, 1)
})

test('two concurrent migrations leave one schema', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const [one, other] = [openSqliteStore(file), openSqliteStore(file)]
  t.after(() => Promise.all([one.close(), other.close()]))
  const done = await Promise.all([one.migrate(), other.migrate()])
  assert.equal(done.flat().length, allMigrations().length)
})

test('a file of a newer release is rejected', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 9999')
  db.close()
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await assert.rejects(store.migrate(), /newer release/)
})

test('a write that times out waiting for another process is unavailable, and the next one succeeds', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  await store.startServing()
  const db = new DatabaseSync(file)
  db.exec('BEGIN IMMEDIATE')
  await assert.rejects(addSite(store), isUnavailable)
  db.exec('ROLLBACK')
  db.close()
  await addSite(store)
})

test('reading before the first migration is unavailable, not a crash', async (t) => {
  const store = openSqliteStore(join(temporaryFolder(t), 'missing', 'portico.db'))
  t.after(() => store.close())
  await assert.rejects(store.ping(), isUnavailable)
})

test('only one server can hold a file', (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const lock = lockForServer(file)
  assert.equal(lockForServer(file), undefined)
  lock?.release()
  lockForServer(file)?.release()
})

test('a backup taken during writes is restored completely, and the old data are kept', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'portico.db')
  const copy = join(folder, 'copy.db')
  const store = openSqliteStore(file)
  await store.migrate()
  const { partner } = await addPartner(store)
  await Promise.all([store.backup(copy), addSite(store), addSite(store)])
  const later = await addPartner(store)
  await store.close()
  assert.equal(whyNotABackup(copy), undefined)
  assert.equal(statSync(copy).mode & 0o777, 0o600)

  const replaced = restoreFile(copy, file)
  assert.notEqual(restoreFile(copy, file), replaced, 'what was kept is never overwritten')
  const restored = openSqliteStore(file)
  t.after(() => restored.close())
  assert.ok(await restored.partners.get(partner.partnerUuid))
  assert.equal(await restored.partners.get(later.partner.partnerUuid), undefined)
  const before = openSqliteStore(replaced ?? assert.fail())
  t.after(() => before.close())
  assert.ok(await before.partners.get(later.partner.partnerUuid))
})

test('a file that is not a backup is detected', (t) => {
  const folder = temporaryFolder(t)
  const other = join(folder, 'other.db')
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE t (a)')
  db.close()
  assert.match(whyNotABackup(other) ?? '', /not a Portico backup/)
  assert.match(whyNotABackup(join(folder, 'missing')) ?? '', /does not exist/)
})

test('migrating a file without checksums adds them and keeps all readings', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const db = openWriter(file)
  const before = allMigrations()
    .filter(({ name }) => name !== 'checksums')
    .slice(0, 12)
  for (const { sql } of before) db.exec(sql)
  db.exec(`PRAGMA user_version = ${before.at(-1)?.number}`)
  const DAY_MS = 86_400_000
  const day = (number: number): Readings => ({
    timestamps: [number * DAY_MS + 1_000, number * DAY_MS + 61_000],
    values: [number / 7, -0],
  })
  const packed = [20_000, 20_001, 20_005]
  for (const number of packed)
    db.prepare('INSERT INTO reading_days (series_id, day, readings) VALUES (1, ?, ?)').run(
      number,
      packDay(number, day(number)),
    )
  db.prepare('INSERT INTO latest_readings (series_id, ts, value) VALUES (1, ?, -0.0)').run(
    20_005 * DAY_MS + 61_000,
  )
  db.prepare('INSERT INTO journal (batch) VALUES (?)').run(
    packBatch(toReadingBatch([{ seriesId: 1, ...day(20_006) }])),
  )
  const cells = Uint8Array.of(1, 2, 3)
  db.prepare('INSERT INTO rollup_quarters (series_id, day, cells) VALUES (1, 19999, ?)').run(cells)
  db.close()

  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  const all = [...packed, 20_006].map(day)
  assert.deepEqual(await store.readings.within('', 1, { from: 0, to: 30_000 * DAY_MS }), {
    timestamps: all.flatMap(({ timestamps }) => timestamps),
    values: all.flatMap(({ values }) => values),
  })
  const [quarterHours] = await store.rollups.quarters('', 1, 19_999, 19_999)
  assert.deepEqual(quarterHours && [...quarterHours.cells], [...cells])
  assert.deepEqual(await store.verify(() => {}), [])
})

test('a damaged day is quarantined when readings are added to it: the new ones are stored, and its time is unavailable', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  const DAY_MS = 86_400_000
  const add = (from: number, count: number) =>
    store.readings.add(
      '',
      toReadingBatch([
        {
          seriesId: 1,
          timestamps: Array.from({ length: count }, (_, index) => from + index * 60_000),
          values: Array.from({ length: count }, (_, index) => index),
        },
      ]),
    )
  await add(20_000 * DAY_MS, 2_880)
  const db = new DatabaseSync(file)
  db.exec('UPDATE reading_days SET checksum = checksum + 1 WHERE day = 20000')
  db.close()
  const span = { from: 20_000 * DAY_MS, to: 20_001 * DAY_MS }
  await assert.rejects(store.readings.within('', 1, span), isUnavailable)
  assert.equal((await add(20_000 * DAY_MS + 30_000, 1)).accepted, 1)
  await store.runMaintenance()
  await assert.rejects(store.readings.within('', 1, span), isUnavailable)
  // Values interpolated across it are unavailable too; the next day alone is not.
  await assert.rejects(
    store.readings.around('', 1, { from: span.to - 60_000, to: span.to + 60_000 }),
    isUnavailable,
  )
  const next = await store.readings.within('', 1, { from: span.to, to: span.to + DAY_MS })
  assert.equal(next.timestamps.length, 1_440)
  assert.equal(await store.acceptLoss(), 1)
  assert.deepEqual((await store.readings.within('', 1, span)).timestamps, [span.from + 30_000])
})

test('a damaged journal batch makes its time unavailable, before and after it is packed', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const first = openSqliteStore(file)
  await first.migrate()
  const HOUR = 3_600_000
  for (const hour of [1, 2, 3])
    await first.readings.add('', toReadingBatch([{ seriesId: 1, timestamps: [hour * HOUR], values: [hour] }]))
  await first.close()
  const db = new DatabaseSync(file)
  db.exec('UPDATE journal SET checksum = checksum + 1 WHERE sequence = 2')
  db.close()
  const store = openSqliteStore(file)
  t.after(() => store.close())
  for (let round = 0; round < 2; round += 1) {
    await assert.rejects(store.readings.within('', 1, { from: 0, to: 4 * HOUR }), isUnavailable)
    await assert.rejects(store.readings.around('', 1, { from: 2 * HOUR, to: 2.5 * HOUR }), isUnavailable)
    assert.deepEqual((await store.readings.within('', 1, { from: 3 * HOUR, to: 4 * HOUR })).values, [3])
    await store.runMaintenance()
  }
})
