import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRow } from '../../src/aggregate/store.ts'
import { COMMAND_LINE } from '../../src/audit/audit.ts'
import { createInventoryService } from '../../src/inventory/service.ts'
import { createSiteDirectory } from '../../src/inventory/site-directory.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { DamagedRow } from '../../src/store/store.ts'
import { house, REGISTER } from '../support/house.ts'
import { migratedDatabase } from '../support/postgres.ts'

const DAY = 86_400_000
const HALF_HOUR = DAY / 48
const START = Date.parse('2026-03-02T00:00Z')
const ANY = [-(2 ** 31) + 1, 2 ** 31 - 1] as const

const inOrder = (rows: readonly StoredRow[]): StoredRow[] => rows.toSorted((a, b) => a.number - b.number)

test('a damaged rollup in PostgreSQL is skipped, reported once and rebuilt; a rollup without a checksum gets one', async (t) => {
  const database = await migratedDatabase(t)
  const store = database.open()
  const document = house('Europe/London', 1, [{ space: 0, metrics: { electricity: REGISTER } }])
  const { siteUuid } = document.site
  await createInventoryService({ store: store.inventory, clock: systemClock }).apply(document, COMMAND_LINE)
  const model = await createSiteDirectory(store.inventory).find(siteUuid)
  const seriesId = [...(model?.devices.values() ?? [])][0]?.series.electricity ?? assert.fail()
  const timestamps = Array.from({ length: 4 * 48 }, (_, index) => START + index * HALF_HOUR)
  await store.readings.add(siteUuid, [{ seriesId, timestamps, values: timestamps.map((_, index) => index) }])
  await store.settle()
  const sql = database.connect()
  const intact = await store.rollups.days(siteUuid, seriesId, ...ANY)
  assert.ok(intact.length >= 4)
  assert.deepEqual(await store.verify(() => {}), [])

  const reported: DamagedRow[] = []
  store.onDamage((row) => void reported.push(row))
  const day = intact[1]?.number ?? 0
  await sql`
    UPDATE rollup_days SET cells = set_byte(cells, length(cells) - 1, get_byte(cells, length(cells) - 1) # 1)
    WHERE site_uuid = ${siteUuid} AND series_id = ${seriesId} AND day = ${day}`
  for (let round = 0; round < 2; round += 1) {
    const left = await store.rollups.days(siteUuid, seriesId, ...ANY)
    assert.ok(!left.some(({ number }) => number === day))
  }
  assert.deepEqual(reported, [
    { table: 'rollup_days', seriesId, number: day, reason: 'the checksum is wrong' },
  ])
  await store.verify(() => {})
  await store.settle()
  assert.deepEqual(inOrder(await store.rollups.days(siteUuid, seriesId, ...ANY)), inOrder(intact))

  // As earlier releases stored them.
  await sql`UPDATE rollup_months SET checksum = NULL`
  assert.equal((await store.rollups.months(siteUuid, seriesId, ...ANY)).length, 1)
  await store.settle()
  const [row] = await sql<
    { missing: number }[]
  >`SELECT count(*)::int AS missing FROM rollup_months WHERE checksum IS NULL`
  assert.equal(row?.missing, 0)
})
