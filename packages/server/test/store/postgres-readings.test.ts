import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { toWindows } from '../../src/calendar/window-edges.ts'
import { openDatabase, type Sql } from '../../src/store/postgres/pool/connect.ts'
import { closeDays } from '../../src/store/postgres/rollups/close-days.ts'
import { rollUpDue } from '../../src/store/postgres/rollups/roll-up-due.ts'
import { createSeriesIndexLoader } from '../../src/store/postgres/rollups/series-index.ts'
import type { PostgresOptions } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { addAll, createSeriesServiceFor, readAllSeries, NO_ROLLUPS } from '../support/series-fixtures.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { migratedDatabase, type TestDatabase } from '../support/postgres.ts'
import { toReadingBatch, type SeriesReadings } from '../../src/domain/telemetry/reading/batch.ts'

const SITE = '00000000-0000-4000-8000-000000000001'
const MINUTE = 60_000
const DAY = 86_400_000
const START = Date.parse('2026-03-02T00:00Z')
const SPAN = { from: START - 400 * DAY, to: START + 400 * DAY }

/** This many readings of a series, a minute apart. */
const minutely = (seriesId: number, count: number, value: (index: number) => number): SeriesReadings => ({
  seriesId,
  timestamps: Array.from({ length: count }, (_, index) => START + index * MINUTE),
  values: Array.from({ length: count }, (_, index) => value(index)),
})

interface Instances {
  one: Store
  two: Store
  database: TestDatabase
  document: InventoryDocument
  model: SiteModel
}

/** Two instances on one database, with a site of meters and gauges. */
async function instances(test: TestContext, options: PostgresOptions = {}): Promise<Instances> {
  const database = await migratedDatabase(test)
  const [one, two] = [database.open(options), database.open(options)]
  const document = makeSmallSite('Europe/London', 2, [
    { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
    { space: 0, metrics: { electricity: REGISTER, water: DELTA } },
    { space: 1, metrics: { electricity: DELTA, occupancy: GAUGE } },
  ])
  await createInventoryService({ store: one.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
  const model = await createSiteDirectory(one.inventory).find(document.site.siteUuid)
  assert.ok(model)
  return { one, two, database, document, model }
}

/** Readings over four days, at least one per device and quarter hour; `round` distinguishes deliveries. */
const quarterly = (round: number) =>
  Array.from({ length: 4 * 96 }, (_, index) => ({
    device: (index + round) % 3,
    minutes: index * 15 + round,
    value: ((index * 37 + round * 11) % 900) / 8,
  }))

const watch = (work: Promise<unknown>): { isDone: () => boolean } => {
  let isDone = false
  void work
    .catch(() => {})
    .finally(() => {
      isDone = true
    })
  return { isDone: () => isDone }
}

/** Waits until this many of the stores' transactions wait for a lock, or the work finishes without. */
async function untilWaiting({ database }: Instances, count: number, work: Promise<unknown>): Promise<void> {
  const { isDone } = watch(work)
  for (let waiting = 0; waiting < count && !isDone(); await delay(10)) {
    const rows = await database.connect()`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'portico' AND wait_event_type = 'Lock'`
    waiting = rows.length
  }
}

async function assertConsistent({ one, model }: Instances): Promise<void> {
  assert.deepEqual(
    await readAllSeries(one, one.rollups, model, START + 2 * DAY),
    await readAllSeries(one, NO_ROLLUPS, model, START + 2 * DAY),
  )
}

describe('readings through two instances on one PostgreSQL', () => {
  test('the same readings sent concurrently are stored once, and each is counted once as new', async (t) => {
    const database = await migratedDatabase(t)
    const stores = [database.open(), database.open(), database.open()]
    const batch = [minutely(2, 300, (index) => index), minutely(1, 300, (index) => -index)]
    const added = await Promise.all(stores.map((store) => store.readings.add(SITE, toReadingBatch(batch))))
    assert.equal(
      added.reduce((sum, { accepted }) => sum + accepted, 0),
      600,
    )
    assert.equal(
      added.reduce((sum, { unchanged }) => sum + unchanged, 0),
      1_200,
    )
  })

  test('of different concurrent values one wins, for every query', async (t) => {
    const database = await migratedDatabase(t)
    const stores = [database.open(), database.open()]
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        stores.map((store, own) =>
          store.readings.add(
            SITE,
            toReadingBatch([minutely(1, 200, () => 10 * round + own), minutely(2, 200, () => own)]),
          ),
        ),
      )
      const [one, two] = await Promise.all(
        stores.map(async ({ readings }) => ({
          within: await readings.within(SITE, 1, SPAN),
          latest: await readings.latest(SITE),
        })),
      )
      assert.deepEqual(one, two)
      assert.equal(one?.latest.get(1)?.value, one?.within.values.at(-1))
    }
  })

  test('partitions of new months can be created concurrently', async (t) => {
    const database = await migratedDatabase(t)
    const stores = Array.from({ length: 5 }, () => database.open())
    const months = Array.from({ length: 6 }, (_, month) => Date.UTC(2019, 5 * month, 7))
    const timestamps = [Date.UTC(1970, 0, 1), ...months]
    await Promise.all(
      stores.map((store, index) =>
        store.readings.add(
          SITE,
          toReadingBatch([{ seriesId: index, timestamps, values: timestamps.map(() => index) }]),
        ),
      ),
    )
    const span = { from: 0, to: START }
    for (const [index, { readings }] of stores.entries())
      assert.equal((await readings.within(SITE, index, span)).timestamps.length, timestamps.length)
  })

  test('values are stored bit by bit', async (t) => {
    const store = (await migratedDatabase(t)).open()
    const values = [-0, 0, 1 / 3, 1e-300, Number.MAX_VALUE, -Number.MIN_VALUE, 0.1 + 0.2, 1e12]
    const batch = [minutely(1, values.length, (index) => values[index] ?? 0)]
    await store.readings.add(SITE, toReadingBatch(batch))
    assert.deepEqual((await store.readings.within(SITE, 1, SPAN)).values, values)
    assert.deepEqual((await store.readings.around(SITE, 1, SPAN)).values, values)
    assert.deepEqual(await store.readings.add(SITE, toReadingBatch(batch)), {
      accepted: 0,
      replaced: 0,
      unchanged: values.length,
    })
  })

  test('readings of a site are stored again after its state was lost', async (t) => {
    const both = await instances(t)
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    // As after a failover that loses the first readings of the site.
    await both.database.connect()`DELETE FROM site_state`
    await addAll(both.one, both.model, both.document, START, quarterly(1))
    await both.two.runMaintenance()
    await assertConsistent(both)
  })

  test('a correction through one instance is visible to the next query of the other', async (t) => {
    const both = await instances(t)
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await both.one.runMaintenance()
    for (let round = 1; round < 4; round += 1) {
      const [from, to] = round % 2 === 0 ? [both.one, both.two] : [both.two, both.one]
      await addAll(from, both.model, both.document, START, [
        { device: 0, minutes: 45 * round, value: 7 * round },
      ])
      assert.deepEqual(
        await readAllSeries(to, to.rollups, both.model, START + DAY),
        await readAllSeries(from, NO_ROLLUPS, both.model, START + DAY),
      )
      if (round === 2) await to.runMaintenance()
    }
  })

  test('closing days waits for transactions that add readings to them', async (t) => {
    const both = await instances(t)
    const [first] = quarterly(0)
    assert.ok(first)
    await addAll(both.one, both.model, both.document, START, [first])
    // A lock on the row that the next delivery writes last: its readings are stored but not yet committed.
    const other = await both.database.connect().reserve()
    await other`BEGIN`
    await other`SELECT 1 FROM latest_readings FOR UPDATE`
    const adding = addAll(both.one, both.model, both.document, START, quarterly(0))
    await untilWaiting(both, 1, adding)
    const settling = both.two.runMaintenance()
    await untilWaiting(both, 2, settling)
    await other`COMMIT`
    other.release()
    await Promise.all([adding, settling])
    await assertConsistent(both)
  })

  test('a late reading waits for a rollup of its day in progress, and deletes its result', async (t) => {
    const both = await instances(t)
    const { siteUuid } = both.document.site
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await both.one.runMaintenance()
    await addAll(both.one, both.model, both.document, START, quarterly(1))
    // A lock on the rows that are written last: all readings have been read by then.
    const other = await both.database.connect().reserve()
    await other`BEGIN`
    const month = 56 * 12 + 2
    for (const { series } of both.model.devices.values())
      for (const seriesId of Object.values(series))
        await other`
          INSERT INTO rollup_months (site_uuid, series_id, month, cells) VALUES (${siteUuid}, ${seriesId}, ${month}, '')
          ON CONFLICT (site_uuid, series_id, month) DO UPDATE SET cells = rollup_months.cells`
    const settling = both.two.runMaintenance()
    await untilWaiting(both, 1, settling)
    const adding = addAll(both.one, both.model, both.document, START, quarterly(2))
    await untilWaiting(both, 2, adding)
    await other`ROLLBACK`
    other.release()
    await Promise.all([adding, settling])
    await assertConsistent(both)
  })

  test('a change of the inventory waits for a rollup that has begun, and deletes its result', async (t) => {
    const both = await instances(t)
    const { siteUuid } = both.document.site
    const inventory = createInventoryService({ store: both.one.inventory, clock: systemClock })
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    const db = openDatabase(both.database.url)
    t.after(() => db.close())
    const indexes = createSeriesIndexLoader()
    const now = systemClock.now()
    await closeDays(db, indexes, siteUuid, now)
    const metrics = { ...both.document.devices[0]?.metrics, electricity: { ...REGISTER, maxPerHour: 1 } }
    const devices = both.document.devices.with(0, { ...(both.document.devices[0] ?? assert.fail()), metrics })
    let changing: Promise<unknown> | undefined
    /** Changes the inventory as soon as a transaction has loaded it. */
    const loadAndChange = async (sql: Sql, site: string) => {
      const index = await indexes(sql, site)
      if (isRollingUp) {
        changing ??= inventory.apply({ ...both.document, devices }, COMMAND_LINE)
        await untilWaiting(both, 1, changing)
      }
      return index
    }
    let isRollingUp = false
    const rollUp: typeof db.write = (run, options) => {
      isRollingUp = true
      return db.write(run, options)
    }
    const onFailure = async (_seriesId: number, error: unknown): Promise<void> => {
      throw error
    }
    const options = { onDamage: () => {}, failed: new Set<number>(), onFailure }
    await rollUpDue({ ...db, write: rollUp }, loadAndChange, siteUuid, now + DAY, options)
    await changing
    const model = await createSiteDirectory(both.one.inventory).find(siteUuid)
    assert.ok(model)
    await assertConsistent({ ...both, model })
  })

  test('late readings during a rollup of the other instance leave no outdated rollup', async (t) => {
    const both = await instances(t)
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    for (let round = 1; round < 6; round += 1) {
      await Promise.all([
        both.two.runMaintenance(),
        addAll(both.one, both.model, both.document, START, quarterly(round)),
        addAll(both.two, both.model, both.document, START, quarterly(round + 20)),
      ])
      await assertConsistent(both)
    }
  })

  test('concurrent rollups of both instances are complete and correct', async (t) => {
    const both = await instances(t)
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await Promise.all([both.one.runMaintenance(), both.two.runMaintenance(), both.one.runMaintenance()])
    const { queuedRollups } = await both.two.statistics({ now: systemClock.now(), finishedSince: 0 })
    assert.equal(queuedRollups, 0)
    const [device] = both.model.devices.values()
    const meter = device?.series.electricity ?? 0
    assert.ok((await both.two.rollups.days(both.document.site.siteUuid, meter, 0, 30_000)).length >= 4)
    await assertConsistent(both)
  })

  test('the rollups of a device that moves while readings arrive are moved with it', async (t) => {
    const both = await instances(t)
    const inventory = createInventoryService({ store: both.two.inventory, clock: systemClock })
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await both.one.runMaintenance()
    const [first, ...rest] = both.document.devices
    assert.ok(first)
    for (let round = 1; round < 4; round += 1) {
      const spaceUuid = both.document.spaces[round % 2]?.spaceUuid ?? ''
      const moved = { ...first, spaceUuid, since: START + round * 600 * MINUTE }
      await Promise.all([
        inventory.apply({ ...both.document, devices: [moved, ...rest] }, COMMAND_LINE),
        addAll(both.one, both.model, both.document, START, quarterly(round)),
        both.one.runMaintenance(),
      ])
      const model = await createSiteDirectory(both.one.inventory).find(both.document.site.siteUuid)
      assert.ok(model)
      await assertConsistent({ ...both, model })
    }
  })

  test('old readings are deleted while others arrive', async (t) => {
    const both = await instances(t, { rawRetentionMs: 30 * DAY })
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    const now = systemClock.now()
    await addAll(both.one, both.model, both.document, now - 2 * DAY, quarterly(0).slice(0, 3))
    const expected = await readAllSeries(both.one, NO_ROLLUPS, both.model, START + 2 * DAY)
    await Promise.all([
      both.one.runMaintenance(),
      both.two.runMaintenance(),
      addAll(both.two, both.model, both.document, now - DAY, quarterly(1).slice(0, 60)),
    ])
    await both.one.runMaintenance()
    const [device] = both.model.devices.values()
    const meter = device?.series.electricity ?? 0
    const { siteUuid } = both.document.site
    const old = { from: START, to: START + 10 * DAY }
    const { timestamps: left } = await both.two.readings.within(siteUuid, meter, old)
    assert.equal(left.length, 1)
    assert.deepEqual(await readAllSeries(both.two, both.two.rollups, both.model, START + 2 * DAY), expected)
    const recent = await both.two.readings.around(siteUuid, meter, { from: now - DAY, to: now + DAY })
    assert.equal(recent.values.length, 20 + 1)
    // The last expired reading stays: it is the predecessor of the first retained one.
    const gap = await both.two.readings.around(siteUuid, meter, { from: now - 20 * DAY, to: now - 19 * DAY })
    assert.equal(gap.values.length, 2)
    assert.equal(gap.timestamps[0], left[0])
    // The partition is dropped; an instance that has cached it creates it again.
    const late = { seriesId: meter, timestamps: [START], values: [1] }
    assert.equal((await both.two.readings.add(siteUuid, toReadingBatch([late]))).accepted, 1)
  })

  test('a partition that is locked is dropped later', async (t) => {
    const both = await instances(t, { rawRetentionMs: 30 * DAY })
    const partitions = () => both.database.connect()`
      SELECT 1 FROM pg_inherits WHERE inhparent = 'readings'::regclass`
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    const reader = await both.database.connect().reserve()
    await reader`BEGIN`
    await reader`SELECT count(*) FROM readings`
    await both.one.runMaintenance()
    assert.equal((await partitions()).length, 1)
    await reader`COMMIT`
    reader.release()
    await both.one.runMaintenance()
    assert.equal((await partitions()).length, 0)
  })

  test('connections that end at any point leave consistent data', async (t) => {
    const both = await instances(t)
    const end = () => both.database.connect()`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'portico' AND state <> 'idle'`
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await both.one.runMaintenance()
    let ended = 0
    for (let round = 1; round < 6; round += 1) {
      const work = Promise.allSettled([
        addAll(both.one, both.model, both.document, START, quarterly(round)),
        both.two.runMaintenance(),
      ])
      const { isDone } = watch(work)
      while (!isDone()) {
        ended += (await end()).length
        await delay(round)
      }
      for (const result of await work)
        if (result.status === 'rejected') assert.ok(result.reason instanceof AppError, String(result.reason))
      await assertConsistent(both)
    }
    assert.ok(ended > 0, 'something was ended')
    await both.one.runMaintenance()
    await assertConsistent(both)
  })

  /** Statements for a space with this many meters that were read the day before yesterday. */
  async function statementsFor(
    t: TestContext,
    devices: number,
    work: (store: Store, model: SiteModel, since: number) => Promise<unknown>,
  ): Promise<string[]> {
    const database = await migratedDatabase(t)
    const statements: string[] = []
    const store = database.open({ onStatement: (text) => statements.push(text) })
    const document = makeSmallSite(
      'Europe/London',
      1,
      Array.from({ length: devices }, () => ({ space: 0, metrics: { electricity: REGISTER } })),
    )
    await createInventoryService({ store: store.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
    const model = await createSiteDirectory(store.inventory).find(document.site.siteUuid)
    assert.ok(model)
    const series = [...model.devices.values()].flatMap((device) => Object.values(device.series))
    const since = systemClock.now() - 2 * DAY
    const [timestamps, values] = [
      [since, since + MINUTE],
      [1, 2],
    ]
    await store.readings.add(
      document.site.siteUuid,
      toReadingBatch(series.map((seriesId) => ({ seriesId, timestamps, values }))),
    )
    statements.length = 0
    await work(store, model, since)
    return statements
  }

  test('a space of twenty devices is read with as few statements as one of two', async (t) => {
    const ask = (store: Store, model: SiteModel, since: number) =>
      createSeriesServiceFor(store.readings, store.rollups).spaces(
        model,
        [...model.spaces.values()],
        'electricity',
        toWindows(model.zone, 'PT1H', since - DAY, since + DAY),
      )
    assert.equal((await statementsFor(t, 20, ask)).length, (await statementsFor(t, 2, ask)).length)
  })

  test('a day of twenty devices is rolled up in as few statements as one of two', async (t) => {
    const settle = (store: Store) => store.runMaintenance()
    assert.equal((await statementsFor(t, 20, settle)).length, (await statementsFor(t, 2, settle)).length)
  })

  test('a space with one device has no rollup besides that of the device', async (t) => {
    const settle = (store: Store) => store.runMaintenance()
    const transactions = async (devices: number): Promise<number> =>
      (await statementsFor(t, devices, settle)).filter((text) => text.startsWith('BEGIN')).length
    assert.equal(await transactions(1), (await transactions(2)) - 1)
  })

  test('queries of a site in one event-loop tick are one statement, and each gets its own rows', async (t) => {
    const both = await instances(t)
    const { siteUuid } = both.document.site
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    await both.one.runMaintenance()
    const statements: string[] = []
    const store = both.database.open({ onStatement: (text) => statements.push(text) })
    const [first, second] = [...both.model.devices.values()].map(({ series }) => series.electricity ?? 0)
    const day = START / DAY
    const requests: [seriesId: number, from: number, to: number][] = [
      [first ?? 0, day, day + 1],
      [second ?? 0, day + 1, day + 1],
      [first ?? 0, day + 1, day + 2],
      [first ?? 0, day, day + 1],
      [first ?? 0, 0, 1],
    ]
    const alone = []
    for (const [seriesId, from, to] of requests)
      alone.push(await store.rollups.days(siteUuid, seriesId, from, to))
    assert.deepEqual(
      alone.map((rows) => rows.map(({ number }) => number - day).toSorted((a, b) => a - b)),
      [[0, 1], [1], [1, 2], [0, 1], []],
    )
    statements.length = 0
    const together = await Promise.all(
      requests.map(async ([seriesId, from, to]) => store.rollups.days(siteUuid, seriesId, from, to)),
    )
    assert.deepEqual(together, alone)
    assert.equal(statements.length, 1)
  })

  test('requests in one tick share the query for the version of their site, and no later one does', async (t) => {
    const { database, one, document } = await instances(t)
    const { siteUuid } = document.site
    const statements: string[] = []
    const { inventory } = database.open({ onStatement: (text) => statements.push(text) })
    const versions = await Promise.all(
      [siteUuid, siteUuid, SITE].map(async (uuid) => inventory.version(uuid)),
    )
    assert.deepEqual(versions, [1, 1, undefined])
    assert.equal(statements.length, 2)
    const renamed = { ...document, site: { ...document.site, siteName: 'Another' } }
    await createInventoryService({ store: one.inventory, clock: systemClock }).apply(renamed, COMMAND_LINE)
    assert.equal(await inventory.version(siteUuid), 2)
  })

  test('maintenance of one instance rolls up what the other stored', async (t) => {
    const both = await instances(t)
    await addAll(both.one, both.model, both.document, START, quarterly(0))
    const [device] = both.model.devices.values()
    const keeper = both.database.open({ runsMaintenance: true })
    await keeper.migrate()
    const isRolledUp = async (): Promise<boolean> =>
      (await both.two.rollups.days(both.document.site.siteUuid, device?.series.temperature ?? 0, 0, 30_000))
        .length >= 4
    while (!(await isRolledUp())) await delay(50)
    await keeper.close()
    await assertConsistent(both)
  })
})
