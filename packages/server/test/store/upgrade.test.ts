import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { firstDayOfMonth, toMonth } from '../../src/calendar/local-day.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { DAY_MS, utcDayNumber } from '../../src/domain/telemetry/reading/packed-day.ts'
import { unpackRow } from '../../src/domain/telemetry/rollup/cell-row.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { examineInstallation } from '../../src/operator/doctor.ts'
import { allMigrations as postgresMigrations, splitStatements } from '../../src/store/postgres/migrate.ts'
import { appendChecksum } from '../../src/store/postgres/rollups/checksummed-cells.ts'
import { openReader, openWriter } from '../../src/store/sqlite/connect.ts'
import { packBatch } from '../../src/store/sqlite/journal/journal-batch.ts'
import { allMigrations } from '../../src/store/sqlite/migrate.ts'
import { addMigrationFunctions } from '../../src/store/sqlite/migration-functions.ts'
import { restoreFile, whyNotABackup } from '../../src/store/sqlite/restore.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { DAY } from '../support/commands.ts'
import { addRhythms, findSeries, readWindows, type Rhythm, steps } from '../support/gaps.ts'
import { CITUS, emptyDatabase, migratedDatabase, POSTGRES } from '../support/postgres.ts'
import { DELTA, GAUGE, REGISTER } from '../support/small-site.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** The last schema with the former names of tables and columns. */
const BEFORE = { sqlite: 14, postgres: 9 }

const [SITE, DEVICE, COMMAND, PARTNER, MESSAGE] = Array.from({ length: 5 }, newUuid)
const SERIES = 1
const TARGET = { setpointCelsius: 19.5 }
const CELLS = Uint8Array.of(1, 2, 3)
const SCHEDULE = { type: 'oneOff' }

/** Rows of tables that have the same columns in both stores, with their former names. */
const insertFormer = (value: { true: string; false: string }): string[] => [
  `INSERT INTO players (site_uuid, device_uuid, next_at, target)
   VALUES ('${SITE}', '${DEVICE}', 100, '${JSON.stringify(TARGET)}')`,
  `INSERT INTO presences (site_uuid, unit_uuid, is_online, at) VALUES ('${SITE}', '${DEVICE}', ${value.true}, 42)`,
  `INSERT INTO commands (site_uuid, device_uuid, command_uuid, partner_uuid, type, state, created_at, updated_at, expires_at, schedule,
     clock_at)
   VALUES ('${SITE}', '${DEVICE}', '${COMMAND}', '${PARTNER}', 'oneOff', 'PENDING', 1, 1, 200, '${JSON.stringify(SCHEDULE)}', 200)`,
  `INSERT INTO outbox (message_uuid, site_uuid, device_uuid, kind, body, tries, failures, created_at, due_at, expires_at, is_done,
     leased_until, is_woken)
   VALUES ('${MESSAGE}', '${SITE}', '${DEVICE}', 'target', '{}', 0, 0, 1, 1, 900000, ${value.false}, 2, ${value.true})`,
]

async function assertReadable(store: Store): Promise<void> {
  const site = String(SITE)
  const device = String(DEVICE)
  assert.deepEqual(await store.serverSchedules.due(100, 10), [
    { siteUuid: site, deviceUuid: device, nextAt: 100, target: TARGET },
  ])
  assert.deepEqual(await store.serverSchedules.due(99, 10), [])
  assert.deepEqual(await store.serverSchedules.lastTarget(site, device), TARGET)
  assert.deepEqual([...(await store.presences.list(site))], [[device, { isOnline: true, at: 42 }]])
  const unfinished = await store.commands.unfinished(site, device)
  assert.deepEqual(
    unfinished.map(({ commandUuid }) => commandUuid),
    [COMMAND],
  )
  assert.deepEqual(await store.commands.expireOverdue(199), [])
  const [expired] = await store.commands.expireOverdue(200)
  assert.deepEqual([expired?.commandUuid, expired?.state], [COMMAND, 'EXPIRED'])
  const rows = await store.rollups.quarters(site, SERIES, 19_000, 19_000)
  assert.deepEqual(
    rows.map(({ number, cells }) => [number, [...cells]]),
    [[19_000, [...CELLS]]],
  )
}

test('a backup of the previous schema, restored, keeps its rows under the present names', async (t) => {
  const folder = temporaryFolder(t)
  const [backup, file] = [join(folder, 'backup.db'), join(folder, 'portico.db')]
  const former = openWriter(backup)
  addMigrationFunctions(former)
  for (const { number, sql } of allMigrations()) if (number <= BEFORE.sqlite) former.exec(sql)
  former.exec(`PRAGMA user_version = ${BEFORE.sqlite}`)
  for (const sql of insertFormer({ true: '1', false: '0' })) former.exec(sql)
  former.exec(`
    INSERT INTO stale_days (series_id, from_day, to_day, marked_at, due_at) VALUES (1, 20000, 20003, 7, 9), (1, 20010, 20010, 8, 10);
    INSERT INTO sealed (site_uuid, before) VALUES ('${SITE}', 5);
    UPDATE journal_state SET packed_through = 1, dropped_before = 2000, checksum = numbers_checksum('journal_state', 1, 2000, 0)`)
  former
    .prepare(
      `INSERT INTO rollup_quarters (series_id, day, cells, checksum)
     VALUES (?1, 19000, ?2, row_checksum('rollup_quarters', ?1, 19000, ?2))`,
    )
    .run(SERIES, CELLS)
  // The first batch is compacted: its sequence must not be used again.
  const batch = packBatch(toReadingBatch([{ seriesId: SERIES, timestamps: [5_000], values: [3] }]))
  const insertBatch = former.prepare(
    `INSERT INTO journal (arrival, batch, first_at, last_at, span_checksum, checksum)
     VALUES (?1, ?2, 5000, 5000, numbers_checksum('journal_span', ?1, 5000, 5000), row_checksum('journal', 0, ?1, ?2))`,
  )
  for (const sequence of [1, 2]) insertBatch.run(sequence, batch)
  former.exec('DELETE FROM journal WHERE arrival = 1')
  former.close()
  assert.equal(whyNotABackup(backup), undefined)
  restoreFile(backup, file)

  const store = openSqliteStore(file)
  t.after(() => store.close())
  const done = await store.migrate()
  assert.equal(done[0]?.number, BEFORE.sqlite + 1)
  const db = openReader(file)
  t.after(() => db.close())
  await assertReadable(store)
  const rows = (sql: string): unknown[] =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row))
  assert.deepEqual(rows('SELECT * FROM rollup_queue'), [
    [1, 20_000, 20_004, 7, 9],
    [1, 20_010, 20_011, 8, 10],
  ])
  assert.deepEqual(rows('SELECT * FROM site_state'), [[SITE, 5, 0]])
  assert.deepEqual(rows('SELECT compacted_through, retention_watermark FROM journal_state'), [[1, 2_000]])
  assert.deepEqual(rows(`SELECT retry_requested FROM outbox WHERE message_uuid = '${MESSAGE}'`), [[1]])
  assert.deepEqual(await store.readings.within(String(SITE), SERIES, { from: 0, to: 10_000 }), {
    timestamps: [5_000],
    values: [3],
  })
  await store.readings.add(
    String(SITE),
    toReadingBatch([{ seriesId: SERIES, timestamps: [6_000], values: [4] }]),
  )
  assert.deepEqual(rows('SELECT sequence FROM journal'), [[2], [3]])
  assert.deepEqual(
    rows(`SELECT name FROM sqlite_schema WHERE sql LIKE '%players%' OR sql LIKE '%clock%'`),
    [],
  )
})

for (const server of [undefined, ...(CITUS.isNamed ? [CITUS] : [])])
  test(`a ${server ? 'Citus' : 'PostgreSQL'} database of the previous schema keeps its rows under the present names`, async (t) => {
    const database = await emptyDatabase(t, server)
    const sql = database.connect()
    await sql`CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL)`
    for (const { number, name, sql: text } of postgresMigrations(server !== undefined)) {
      if (number > BEFORE.postgres) continue
      for (const statement of splitStatements(text)) await sql.unsafe(statement)
      await sql`INSERT INTO schema_migrations VALUES (${number}, ${name})`
    }
    for (const statement of insertFormer({ true: 'true', false: 'false' })) await sql.unsafe(statement)
    const cells = appendChecksum('rollup_quarter_hours', { seriesId: SERIES, number: 19_000, cells: CELLS })
    await sql`INSERT INTO stale_days VALUES (${String(SITE)}, ${SERIES}, '{[20000,20003]}', 9)`
    await sql`INSERT INTO site_state VALUES (${String(SITE)}, 3000, 2000, 1000, true)`
    await sql`INSERT INTO rollup_quarters VALUES (${String(SITE)}, ${SERIES}, 19000, ${cells})`
    await sql`INSERT INTO edge_readings VALUES (${String(SITE)}, ${SERIES}, 900, 1.5)`
    await sql`INSERT INTO simulations VALUES (${String(SITE)}, ${String(DEVICE)}, 'offline', NULL, 2, 1)`
    await sql`INSERT INTO limit_counts VALUES ('key', '{1,2,3,4,5}', 7)`

    const store = database.open()
    const done = await store.migrate()
    assert.equal(done[0]?.number, BEFORE.postgres + 1)
    await assertReadable(store)
    assert.deepEqual(await store.readings.within(String(SITE), SERIES, { from: 0, to: 2_000 }), {
      timestamps: [900],
      values: [1.5],
    })
    assert.deepEqual(await store.shared?.simulations.listPending(String(SITE)), [
      { deviceUuid: DEVICE, number: 2, simulation: { mode: 'offline', delaySeconds: null } },
    ])
    const rows = async (text: string) => [...(await sql.unsafe(text).values())]
    assert.deepEqual(await rows('SELECT days::text, due_at::integer FROM rollup_queue'), [
      ['{[20000,20004)}', 9],
    ])
    assert.deepEqual(
      await rows(
        'SELECT rollup_watermark::integer, immutable_before::integer, retention_watermark::integer FROM site_state',
      ),
      [[3_000, 2_000, 1_000]],
    )
    assert.deepEqual(await rows(`SELECT retry_requested FROM outbox WHERE message_uuid = '${MESSAGE}'`), [
      [true],
    ])
    assert.deepEqual(await rows('SELECT key FROM rate_limit_counters'), [['key']])
    const former = await rows(
      `SELECT relname FROM pg_class WHERE relname ~ '^(players|stale_days|limit_counts|edge_readings|rollup_quarters|commands_by_clock)(_pkey|_by|$)'`,
    )
    assert.deepEqual(former, [])
  })

/** The last schema whose rollups were computed by the former rules. */
const BEFORE_RULES = { sqlite: 15, postgres: 10 }

/** Undoes the migrations after the new rules, which run again. */
const UNDO_LATER = [
  'DROP INDEX commands_one_off',
  'ALTER TABLE outbox DROP COLUMN sent_at',
  'DROP TABLE v1_hourly_calls',
  'DROP TABLE console_sessions',
  'DROP TABLE console_codes',
  'DROP INDEX commands_of_all_sites',
  'DROP TABLE corrections',
  'ALTER TABLE site_state DROP COLUMN closed_before',
  'DROP TABLE webhooks',
  'DROP TABLE webhook_positions',
  'DROP TABLE deliveries',
  'DROP TABLE delivery_attempts',
  'DROP TABLE event_heads',
  'DROP TABLE events',
  'DROP TABLE device_statuses',
  'DROP TABLE import_counts',
  'DROP INDEX commands_by_completion',
  'DROP INDEX commands_of_site',
  'ALTER TABLE installation DROP COLUMN server_addresses',
]
const UNDO_LATER_IN_POSTGRES = [
  'DROP TABLE rollup_versions',
  'ALTER TABLE latest_readings DROP COLUMN version, DROP COLUMN late_version, DROP COLUMN changed_from',
]
const RETENTION_MS = 30 * DAY

/** Meters and sensors, read until today: rollups of the last 32 days can be computed from readings. */
const RHYTHMS: readonly Rhythm[] = [REGISTER, DELTA, GAUGE].map((spec) => ({
  spec,
  hours: steps(70 * 24, 6, 0.5),
}))

/** The days of a meter that have a rollup: a row of their own, and a cell in the row of their month. */
async function listRolledUp(store: Store, model: SiteModel, device: number): Promise<[number[], number[]]> {
  const { siteUuid } = model.site
  const seriesId = findSeries(model, device)
  const today = utcDayNumber(systemClock.now())
  const days = await store.rollups.days(siteUuid, seriesId, today - 100, today)
  const months = await store.rollups.months(
    siteUuid,
    seriesId,
    toMonth(today - 100).month,
    toMonth(today).month,
  )
  const inMonths = months.flatMap(({ number, cells }) =>
    unpackRow(cells).flatMap((cell, index) => (cell === undefined ? [] : firstDayOfMonth(number) + index)),
  )
  return [days.map(({ number }) => number), inMonths]
}

async function assertRebuilt(open: () => Promise<Store>, downgrade: () => Promise<void>): Promise<void> {
  const store = await open()
  const today = utcDayNumber(systemClock.now())
  const model = await addRhythms(store, RHYTHMS, today * DAY_MS)
  const read = (of: Store) => readWindows(of, of.rollups, model, today * DAY_MS, [60, 45, 33, 29, 20, 6, 2])
  await store.runMaintenance()
  const [before, rolledUp] = [await read(store), await listRolledUp(store, model, 0)]
  assert.ok(rolledUp[0].length > 68)
  await store.close()
  await downgrade()

  const upgraded = await open()
  for (const [device] of RHYTHMS.entries()) {
    const [days, inMonths] = await listRolledUp(upgraded, model, device)
    assert.deepEqual(inMonths, days)
    assert.equal(days.at(-1), today - RETENTION_MS / DAY, 'days with readings have no rollup')
    assert.ok(days.length > 30, 'days without readings have one')
  }
  assert.deepEqual(await read(upgraded), before, 'from the readings')
  await upgraded.runMaintenance()
  assert.deepEqual(await read(upgraded), before, 'from the new rollups')
  assert.deepEqual(await listRolledUp(upgraded, model, 0), rolledUp)
}

test('rollups of the former rules are made again, except for days whose readings are deleted', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  await assertRebuilt(
    async () => {
      const store = openSqliteStore(file, { rawRetentionMs: RETENTION_MS })
      t.after(() => store.close())
      await store.migrate()
      return store
    },
    async () => {
      const db = openWriter(file)
      for (const statement of UNDO_LATER) db.exec(statement)
      db.exec(`PRAGMA user_version = ${BEFORE_RULES.sqlite}`)
      db.close()
    },
  )
})

for (const server of CITUS.isNamed ? [POSTGRES, CITUS] : [POSTGRES])
  test(`rollups of the former rules are made again on ${server === CITUS ? 'Citus' : 'PostgreSQL'}`, async (t) => {
    const database = await migratedDatabase(t, server)
    await assertRebuilt(
      async () => {
        const store = database.open({ rawRetentionMs: RETENTION_MS })
        await store.migrate()
        return store
      },
      async () => {
        for (const statement of [...UNDO_LATER, ...UNDO_LATER_IN_POSTGRES])
          await database.connect().unsafe(statement)
        await database.connect()`DELETE FROM schema_migrations WHERE number > ${BEFORE_RULES.postgres}`
      },
    )
  })

const FORMER_POSITION = JSON.stringify({ table: 'players', key: [SITE, DEVICE] })
const REFUSAL = { message: /^this store is an unfinished copy by another release, .* copy again$/ }

test('a copy that another release began is not resumed', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  await store.transfer.begin('source')
  assert.deepEqual(await store.transfer.unfinished(), { source: 'source', position: undefined })
  const db = openWriter(file)
  t.after(() => db.close())
  db.prepare('UPDATE unfinished_copy SET position = ?').run(FORMER_POSITION)
  await assert.rejects(store.transfer.unfinished(), REFUSAL)
  const findings = await examineInstallation(loadConfig({ data: dirname(file) }, {}))
  assert.match(findings.find(({ check }) => check === 'store')?.detail ?? '', REFUSAL.message)
  assert.ok(findings.length > 1, 'the other checks have run')

  const database = await emptyDatabase(t)
  const postgresStore = database.open()
  await postgresStore.migrate()
  await postgresStore.transfer.begin('source')
  await database.connect()`UPDATE unfinished_copy SET position = ${FORMER_POSITION}`
  await assert.rejects(postgresStore.transfer.unfinished(), REFUSAL)
})
