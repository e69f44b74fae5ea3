import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { unpackRow } from '../../src/domain/telemetry/rollup/cell-row.ts'
import { removeDaysFromMonth } from '../../src/domain/telemetry/rollup/month-row.ts'
import type { RollupRow } from '../../src/domain/telemetry/rollup/store.ts'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { toMonth } from '../../src/calendar/local-day.ts'
import { DamagedData } from '../../src/store/damage.ts'
import type { DamagedRow } from '../../src/store/store.ts'
import { makeSmallSite, REGISTER } from '../support/small-site.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const DAY = 86_400_000
const HALF_HOUR = DAY / 48
const START = Date.parse('2026-03-02T00:00Z')
const ANY = [-(2 ** 31) + 1, 2 ** 31 - 1] as const
/** The marker and the CRC-32 after the cells of a row. */
const TRAILER_BYTES = 12

const inOrder = (rows: readonly RollupRow[]): RollupRow[] => rows.toSorted((a, b) => a.number - b.number)

/** Two meters with four days of readings, rolled up. */
async function measuredHouse(t: TestContext) {
  const statements: string[] = []
  const database = await migratedDatabase(t)
  const store = database.open({ onStatement: (text) => void statements.push(text) })
  const meter = { space: 0, metrics: { electricity: REGISTER } }
  const document = makeSmallSite('Etc/UTC', 1, [meter, meter])
  const { siteUuid } = document.site
  await createInventoryService({ store: store.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
  const model = await createSiteDirectory(store.inventory).find(siteUuid)
  const [first = assert.fail(), second = assert.fail()] = [...(model?.devices.values() ?? [])].map(
    ({ series }) => series.electricity ?? assert.fail(),
  )
  const addDays = async (from: number, days: number): Promise<void> => {
    const timestamps = Array.from({ length: days * 48 }, (_, index) => START + from * DAY + index * HALF_HOUR)
    const values = timestamps.map((at) => (at - START) / HALF_HOUR)
    await store.readings.add(
      siteUuid,
      toReadingBatch([first, second].map((seriesId) => ({ seriesId, timestamps, values }))),
    )
    await store.runMaintenance()
  }
  await addDays(0, 4)
  const reported: DamagedRow[] = []
  store.onDamage((row) => void reported.push(row))
  const sql = database.connect()
  return {
    store,
    sql,
    siteUuid,
    first,
    second,
    addDays,
    statements,
    reported,
    days: async (seriesId: number) => inOrder(await store.rollups.days(siteUuid, seriesId, ...ANY)),
    months: async (seriesId: number) => inOrder(await store.rollups.months(siteUuid, seriesId, ...ANY)),
    /** Flips a bit of a row, this many bytes before its end. */
    damage: (table: 'rollup_days' | 'rollup_months', seriesId: number, number: number, fromEnd: number) => {
      const column = sql(table === 'rollup_days' ? 'day' : 'month')
      return sql`
        UPDATE ${sql(table)}
        SET cells = set_byte(cells, length(cells) - ${fromEnd}::int, get_byte(cells, length(cells) - ${fromEnd}::int) # 1)
        WHERE site_uuid = ${siteUuid} AND series_id = ${seriesId} AND ${column} = ${number}`
    },
    /** As if retention had dropped the readings of the first days. */
    makeFinal: () =>
      sql`UPDATE site_state SET immutable_before = ${START + DAY} WHERE site_uuid = ${siteUuid}`,
  }
}

test('a damaged rollup in PostgreSQL is omitted, reported once and rebuilt', async (t) => {
  const { store, first, days, damage, reported } = await measuredHouse(t)
  const intact = await days(first)
  assert.ok(intact.length >= 4)
  assert.deepEqual(await store.verify(() => {}), [])

  const day = intact[1]?.number ?? 0
  // In the checksum, in the marker before it, in the cells.
  for (const fromEnd of [1, 8, TRAILER_BYTES + 1]) {
    await damage('rollup_days', first, day, fromEnd)
    for (let round = 0; round < 2; round += 1)
      assert.ok(!(await days(first)).some(({ number }) => number === day))
    await store.verify(() => {})
    await store.runMaintenance()
    assert.deepEqual(await days(first), intact)
  }
  assert.deepEqual(reported, [
    { table: 'rollup_days', seriesId: first, number: day, reason: 'the checksum is wrong' },
  ])
})

test('rows of an earlier release are accepted and get their checksums, also while one of them is locked', async (t) => {
  const { store, sql, siteUuid, first, days, months, reported } = await measuredHouse(t)
  const before = { days: await days(first), months: await months(first) }
  const stored = () => sql`
    SELECT series_id, day AS number, cells FROM rollup_days UNION ALL SELECT series_id, month, cells FROM rollup_months
    ORDER BY series_id, number`
  const checked = [...(await stored())]
  for (const table of ['rollup_days', 'rollup_months'])
    await sql`UPDATE ${sql(table)} SET cells = substring(cells FROM 1 FOR length(cells) - ${TRAILER_BYTES}::int)`
  await sql`UPDATE site_state SET has_checksums = false`
  assert.deepEqual({ days: await days(first), months: await months(first) }, before)

  const other = await sql.reserve()
  await other`BEGIN`
  await other`SELECT 1 FROM rollup_days WHERE site_uuid = ${siteUuid} FOR UPDATE`
  const settling = store.runMaintenance()
  await delay(300)
  await other`ROLLBACK`
  other.release()
  await settling
  assert.deepEqual([...(await stored())], checked)
  assert.deepEqual({ days: await days(first), months: await months(first) }, before)
  assert.deepEqual(reported, [])
})

test('a row that the previous release rewrites after it got its checksum does not count as damaged', async (t) => {
  const { store, sql, siteUuid, first, months, makeFinal, addDays, reported } = await measuredHouse(t)
  await makeFinal()
  const [month = assert.fail()] = await months(first)
  const firstDay = Math.floor(START / DAY)
  const rewritten = removeDaysFromMonth(month, firstDay + 3, firstDay + 3) ?? assert.fail()
  // The statement of the last release without checksums.
  await sql`
    INSERT INTO rollup_months (site_uuid, series_id, month, cells)
    VALUES (${siteUuid}, ${first}, ${month.number}, ${rewritten})
    ON CONFLICT (site_uuid, series_id, month) DO UPDATE SET cells = excluded.cells`
  assert.deepEqual(
    (await months(first)).map(({ cells }) => [...cells]),
    [[...rewritten]],
  )
  await addDays(4, 2)
  assert.equal((await months(first)).length, 1)
  assert.deepEqual(await store.verify(() => {}), [])
  assert.deepEqual(reported, [])
})

test('reads of a damaged row start one rebuild', async (t) => {
  const { sql, siteUuid, first, days, damage, statements } = await measuredHouse(t)
  const day = (await days(first))[1]?.number ?? 0
  await damage('rollup_days', first, day, 20)
  const other = await sql.reserve()
  await other`BEGIN`
  await other`SELECT 1 FROM site_state WHERE site_uuid = ${siteUuid} FOR UPDATE`
  statements.length = 0
  for (let round = 0; round < 5; round += 1) await days(first)
  const countRebuilds = (): number =>
    statements.filter((text) => /FROM site_state .*FOR UPDATE/s.test(text)).length
  while (countRebuilds() === 0) await delay(20)
  await delay(200)
  assert.equal(countRebuilds(), 1)
  await other`ROLLBACK`
  other.release()
  const isThere = async (): Promise<boolean> =>
    (await sql`SELECT 1 FROM rollup_days WHERE series_id = ${first} AND day = ${day}`).length > 0
  while (await isThere()) await delay(50)
})

test('a damaged row that cannot be rebuilt fails the reads that need it, and no other series', async (t) => {
  const { store, siteUuid, first, second, days, months, damage, makeFinal, addDays, statements } =
    await measuredHouse(t)
  await makeFinal()
  const before = await days(second)
  const [month = assert.fail()] = await months(first)
  await damage('rollup_months', first, month.number, 20)
  statements.length = 0
  // Queried in one event-loop tick: one statement.
  const [damaged, intact] = await Promise.allSettled([first, second].map((seriesId) => months(seriesId)))
  assert.equal(statements.filter((text) => text.includes('"rollup_months"')).length, 1)
  assert.ok(damaged?.status === 'rejected' && damaged.reason instanceof DamagedData)
  assert.equal(intact?.status, 'fulfilled')
  assert.deepEqual(
    statements.filter((text) => text.includes('FOR UPDATE')),
    [],
  )

  // Rollups of the other series continue too.
  await addDays(4, 2)
  assert.ok((await days(second)).length > before.length)
  await assert.rejects(async () => store.rollups.months(siteUuid, first, ...ANY), DamagedData)
})

test('a damaged month to which new days are added is rebuilt as a whole', async (t) => {
  const { store, first, days, months, damage, addDays } = await measuredHouse(t)
  const [month = assert.fail()] = await months(first)
  const known = await days(first)
  await damage('rollup_months', first, month.number, 20)
  // Nothing has read the month before its next days are rolled up.
  await addDays(4, 2)
  await store.runMaintenance()
  const [rebuilt = assert.fail()] = await months(first)
  const cells = unpackRow(Uint8Array.from(rebuilt.cells))
  for (const { number } of known) assert.ok(cells[toMonth(number).index], `day ${number}`)
  assert.deepEqual(await store.verify(() => {}), [])
})

test('a rebuilt month contains no rollup of an open day', async (t) => {
  const { store, first, days, months, damage, addDays } = await measuredHouse(t)
  const today = Math.floor(systemClock.now() / DAY)
  await addDays(today - Math.floor(START / DAY) - 1, 2)
  const current = (await months(first)).at(-1) ?? assert.fail()
  await damage('rollup_months', first, current.number, 20)
  await months(first)
  await store.verify(() => {})
  await store.runMaintenance()
  assert.deepEqual((await days(first)).at(-1)?.number, today - 1)
})
