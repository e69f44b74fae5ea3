import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { DAY_MS, utcDayNumber } from '../../src/domain/telemetry/reading/packed-day.ts'
import type { MaintenanceEvent } from '../../src/store/maintenance.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { DAY } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'
import { addRhythms, findSeries, steps } from '../support/gaps.ts'
import { REGISTER } from '../support/small-site.ts'
import { CITUS, citusDatabase, migratedDatabase, type TestDatabase } from '../support/postgres.ts'

interface PlantedFailure {
  store: Store
  /** Makes the database reject new rows of a series in a table, as a defect of one rollup would. */
  plant(table: string, seriesId: number): Promise<void>
  remove(table: string): Promise<void>
}

const RETENTION_MS = 30 * DAY
const ANY_DAY = [-(2 ** 31) + 1, 2 ** 31 - 1] as const

async function plantedSqlite(t: TestContext): Promise<PlantedFailure> {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file, { rawRetentionMs: RETENTION_MS })
  t.after(() => store.close())
  await store.migrate()
  const run = async (sql: string): Promise<void> => {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
  }
  return {
    store,
    plant: (table, seriesId) =>
      run(`CREATE TRIGGER planted_${table} BEFORE INSERT ON ${table} WHEN NEW.series_id = ${seriesId}
           BEGIN SELECT RAISE(ABORT, 'planted failure'); END`),
    remove: (table) => run(`DROP TRIGGER planted_${table}`),
  }
}

const plantedPostgres =
  (create: (t: TestContext) => Promise<TestDatabase>) =>
  async (t: TestContext): Promise<PlantedFailure> => {
    const database = await create(t)
    const sql = database.connect()
    return {
      store: database.open({ rawRetentionMs: RETENTION_MS }),
      plant: async (table, seriesId) =>
        void (await sql.unsafe(
          `ALTER TABLE ${table} ADD CONSTRAINT planted CHECK (series_id <> ${seriesId}) NOT VALID`,
        )),
      remove: async (table) => void (await sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT planted`)),
    }
  }

const BACKENDS = [
  { name: 'sqlite', create: plantedSqlite },
  { name: 'postgres', create: plantedPostgres(migratedDatabase) },
  ...(CITUS.isNamed ? [{ name: 'citus', create: plantedPostgres(citusDatabase) }] : []),
]

const today = (): number => utcDayNumber(systemClock.now()) * DAY_MS

const countRollups = async (store: Store, { site }: SiteModel, seriesId: number): Promise<number> =>
  (await store.rollups.days(site.siteUuid, seriesId, ...ANY_DAY)).length

const recordEvents = (store: Store): MaintenanceEvent[] => {
  const events: MaintenanceEvent[] = []
  store.onMaintenance((event) => void events.push(event))
  return events
}

/** Two meters, read every hour from this many days ago until yesterday. */
const addMeters = (store: Store, days: number): Promise<SiteModel> => {
  const hours = steps(days * 24, 24, 1)
  return addRhythms(
    store,
    [
      { spec: REGISTER, hours },
      { spec: REGISTER, hours },
    ],
    today(),
  )
}

for (const { name, create } of BACKENDS) {
  describe(`background maintenance on ${name}`, () => {
    test('rolls up the other series when the rollup of one fails, and retries it with backoff', async (t) => {
      const { store, plant, remove } = await create(t)
      const model = await addMeters(store, 100)
      const [failing, sound] = [findSeries(model, 0), findSeries(model, 1)]
      const events = recordEvents(store)
      await plant('rollup_days', failing)

      await assert.rejects(store.runMaintenance(), /planted/)
      assert.equal(await countRollups(store, model, failing), 0)
      assert.ok((await countRollups(store, model, sound)) >= 98)
      const [failure = assert.fail(), ...others] = await store.maintenanceFailures()
      assert.deepEqual(others, [])
      assert.equal(failure.task, 'rollup')
      assert.match(failure.subject, new RegExp(`^series ${failing}\\b`))
      assert.match(failure.message, /planted/)
      assert.deepEqual([failure.attempts, failure.retryAt - failure.failedAt], [1, 60_000])
      // Not due before its retry: otherwise it would be attempted in every round.
      assert.equal((await store.statistics({ now: systemClock.now(), finishedSince: 0 })).queuedRollups, 0)

      await assert.rejects(store.runMaintenance(), /planted/)
      const [again = assert.fail()] = await store.maintenanceFailures()
      assert.deepEqual([again.attempts, again.retryAt - again.failedAt], [2, 120_000])

      await remove('rollup_days')
      await store.runMaintenance()
      assert.ok((await countRollups(store, model, failing)) >= 98)
      assert.deepEqual(await store.maintenanceFailures(), [])
      assert.deepEqual(
        events.map(({ kind, task }) => `${task} ${kind}`),
        ['rollup failed', 'rollup failed', 'rollup recovered'],
      )
    })

    test('deletes old readings of other sites when a rollup or the retention of one fails', async (t) => {
      const { store, plant, remove } = await create(t)
      const [first, second, third] = [
        await addMeters(store, 60),
        await addMeters(store, 60),
        await addMeters(store, 60),
      ]
      const unrolled = findSeries(first, 0)
      const undropped = findSeries(second, 0)
      await plant('rollup_days', unrolled)
      await plant('rollup_quarter_hours', undropped)
      await assert.rejects(store.runMaintenance(), /planted/)

      const oldReadings = async ({ site }: SiteModel, seriesId: number): Promise<number> => {
        const cut = today() - 40 * DAY
        return (await store.readings.within(site.siteUuid, seriesId, { from: 0, to: cut })).timestamps.length
      }
      assert.ok((await oldReadings(first, unrolled)) > 0)
      assert.ok((await oldReadings(second, undropped)) > 0)
      assert.equal(await oldReadings(third, findSeries(third, 0)), 0)
      const tasks = (await store.maintenanceFailures()).map(({ task }) => task)
      assert.deepEqual(tasks.toSorted(), ['retention', 'rollup'])

      await remove('rollup_days')
      await remove('rollup_quarter_hours')
      await store.runMaintenance()
      assert.deepEqual(await store.maintenanceFailures(), [])
      assert.equal(await oldReadings(first, unrolled), 0)
      assert.equal(await oldReadings(second, undropped), 0)
    })
  })
}

test('on SQLite, maintenance waits until the server has started', async (t) => {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file, { rawRetentionMs: undefined, runsMaintenance: true })
  t.after(() => store.close())
  await store.migrate()
  const model = await addMeters(store, 3)
  const series = findSeries(model, 0)
  const written = t.mock.method(process.stderr, 'write')
  // Once the server has started, it begins a second after the last write, and at most 5 s after the first one.
  await delay(5_500)
  assert.equal(await countRollups(store, model, series), 0)
  await store.startServing()
  while ((await countRollups(store, model, series)) === 0) await delay(20)
  const warnings = written.mock.calls.map(({ arguments: [text] }) => String(text))
  assert.deepEqual(warnings, [], 'Node warns of a negative delay')
})
