import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { toWindows } from '../../src/calendar/window-edges.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'
import { toPoints } from '../../src/domain/telemetry/series/columns.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { openWriter } from '../../src/store/sqlite/connect.ts'
import { packBatch } from '../../src/store/sqlite/journal/journal-batch.ts'
import { storedReadings } from '../../src/store/sqlite/journal/stored-readings.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { sqliteRollups } from '../../src/store/sqlite/rollups/rollups.ts'
import { getSeriesIndex } from '../../src/store/sqlite/rollups/series-index.ts'
import { inventoryWrites } from '../../src/store/sqlite/thread/inventory.ts'
import { createMaintenance } from '../../src/store/sqlite/thread/maintenance.ts'
import { readingWrites } from '../../src/store/sqlite/thread/readings.ts'
import { beginImmediate } from '../../src/store/sqlite/write-lock.ts'
import { DAY, HOUR } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'
import { entry, NOON } from '../support/seed.ts'
import { createSeriesServiceFor } from '../support/series-fixtures.ts'
import { GAUGE, makeSmallSite } from '../support/small-site.ts'

/*
 * Retention keeps the values of days that have a rollup. These are days that are rolled up although no later reading
 * makes it necessary.
 */

const MINUTE = 60_000
const START = NOON - 12 * HOUR

/** A writer with a sensor, whose maintenance deletes readings after thirty days. */
function createFixture(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: START })
  const db = openWriter(join(temporaryFolder(t), 'portico.db'))
  t.after(() => db.close())
  migrate(db)
  const document = makeSmallSite('UTC', 1, [{ space: 0, metrics: { temperature: GAUGE } }])
  const { siteUuid } = document.site
  const write = async <T>(work: () => T | Promise<T>): Promise<T> => {
    beginImmediate(db)
    const result = await work()
    db.exec('COMMIT')
    return result
  }
  const onFailure = (error: unknown): never => {
    throw error
  }
  const maintenance = createMaintenance(db, systemClock, 30 * DAY, write, onFailure)
  return {
    async apply() {
      await write(() => inventoryWrites.apply(db, siteUuid, document, entry()))
    },
    /** Adds readings in one batch at a time, and runs all maintenance that is due then. */
    async addAt(now: number, timestamps: readonly number[]) {
      t.mock.timers.setTime(now)
      const [seriesId = 0] = getSeriesIndex(db, siteUuid)?.devices.keys() ?? []
      const batch = toReadingBatch([{ seriesId, timestamps, values: timestamps.map(() => 20) }])
      if (timestamps.length > 0)
        await write(() => readingWrites.add(db, siteUuid, packBatch(batch), 'replace'))
      while (await maintenance.step());
    },
    async readDay(day: number) {
      const model = getSeriesIndex(db, siteUuid)?.model
      const [device] = model?.devices.values() ?? []
      assert.ok(model && device)
      const service = createSeriesServiceFor(
        storedReadings(db),
        sqliteRollups(() => db),
      )
      const windows = toWindows(model.zone, 'P1D', START + day * DAY, START + (day + 1) * DAY)
      return toPoints((await service.device(model, device, 'temperature', windows)).columns)[0]
    },
    countReadings: () => db.prepare('SELECT count(*) AS count FROM reading_days').get()?.['count'],
  }
}

type Fixture = ReturnType<typeof createFixture>

/** A sensor that reports at noon each day, until the readings of the first days are deleted. */
async function passRetention({ addAt, countReadings }: Fixture): Promise<void> {
  const days = Array.from({ length: 40 }, (_, day) => START + (day + 4) * DAY + 12 * HOUR)
  for (const at of days) await addAt(at + MINUTE, [at])
  assert.ok(Number(countReadings()) < days.length, 'readings are deleted')
}

test('a day whose readings arrive together, before it ends, keeps its values', async (t) => {
  const fixture = createFixture(t)
  await fixture.apply()
  const readings = Array.from({ length: 287 }, (_, index) => START + index * 5 * MINUTE)
  await fixture.addAt(START + DAY - 2 * MINUTE, readings)
  await fixture.addAt(START + DAY + HOUR, [])
  const before = await fixture.readDay(0)
  assert.equal(before?.value, 20)
  await passRetention(fixture)
  assert.deepEqual(await fixture.readDay(0), before)
})

test('a day that only the last reading of the day before reaches keeps its values', async (t) => {
  const fixture = createFixture(t)
  await fixture.apply()
  for (let at = START + 20 * HOUR; at < START + DAY; at += 30 * MINUTE) await fixture.addAt(at + 1_000, [at])
  for (let hour = 0; hour < 48; hour += 1) await fixture.addAt(START + DAY + hour * HOUR, [])
  const before = await fixture.readDay(1)
  assert.equal(before?.value, 20)
  await passRetention(fixture)
  assert.deepEqual(await fixture.readDay(1), before)
})
