import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { openWriter } from '../../src/store/sqlite/connect.ts'
import { lockForServer } from '../../src/store/sqlite/lock.ts'
import { allMigrations } from '../../src/store/sqlite/migrate.ts'
import { restoreFile, whyNotABackup } from '../../src/store/sqlite/restore.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { addPartner, addSite } from '../support/seed.ts'

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'

test('the file and its folder are for their owner only', async (t) => {
  const file = join(temporaryFolder(t), 'new', 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
})

test('every commit waits for the disk', (t) => {
  const db = openWriter(join(temporaryFolder(t), 'portico.db'))
  t.after(() => db.close())
  const FULL = 2
  assert.equal(db.prepare('PRAGMA synchronous').get()?.['synchronous'], FULL)
  assert.equal(db.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
})

test('a long read does not hold up a write', async (t) => {
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

test('two processes that migrate at once leave one schema', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const [one, other] = [openSqliteStore(file), openSqliteStore(file)]
  t.after(() => Promise.all([one.close(), other.close()]))
  const done = await Promise.all([one.migrate(), other.migrate()])
  assert.equal(done.flat().length, allMigrations().length)
})

test('a file from a newer release is refused', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 9999')
  db.close()
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await assert.rejects(store.migrate(), /newer release/)
})

test('a write that waits in vain for another process is unavailable, and the next one works', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  const db = new DatabaseSync(file)
  db.exec('BEGIN IMMEDIATE')
  await assert.rejects(addSite(store), isUnavailable)
  db.exec('ROLLBACK')
  db.close()
  await addSite(store)
})

test('reading before the store was ever migrated is unavailable, not a crash', async (t) => {
  const store = openSqliteStore(join(temporaryFolder(t), 'missing', 'portico.db'))
  t.after(() => store.close())
  await assert.rejects(store.ping(), isUnavailable)
})

test('one server at a time holds a file', (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const lock = lockForServer(file)
  assert.equal(lockForServer(file), undefined)
  lock?.release()
  lockForServer(file)?.release()
})

test('a backup taken while others write is restored whole, and the old data are kept', async (t) => {
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

  const kept = restoreFile(copy, file)
  assert.notEqual(restoreFile(copy, file), kept, 'what was kept is never overwritten')
  const restored = openSqliteStore(file)
  t.after(() => restored.close())
  assert.ok(await restored.partners.get(partner.partnerUuid))
  assert.equal(await restored.partners.get(later.partner.partnerUuid), undefined)
  const before = openSqliteStore(kept ?? assert.fail())
  t.after(() => before.close())
  assert.ok(await before.partners.get(later.partner.partnerUuid))
})

test('what is no backup is told apart', (t) => {
  const folder = temporaryFolder(t)
  const other = join(folder, 'other.db')
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE t (a)')
  db.close()
  assert.match(whyNotABackup(other) ?? '', /not a Portico backup/)
  assert.match(whyNotABackup(join(folder, 'missing')) ?? '', /does not exist/)
})
