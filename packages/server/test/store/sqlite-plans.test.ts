import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { newDeviceRef } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'
import { NOON } from '../support/seed.ts'

/** The plans of the SELECT statements that `read` prepares on an empty store, one line for each table. */
async function plansOf(t: TestContext, read: (store: Store) => Promise<unknown>): Promise<string[]> {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
  await read(store)
  const statements = prepare.mock.calls.map(({ arguments: [sql] }) => sql)
  prepare.mock.restore()
  const db = new DatabaseSync(file, { readOnly: true })
  t.after(() => db.close())
  return statements
    .filter((sql) => /^\s*SELECT/.test(sql))
    .flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => String(detail))
}

test('reads of a device’s commands read those of no other device, and no more than they return', async (t) => {
  const { siteUuid, deviceUuid } = newDeviceRef()
  const plans = await plansOf(t, async ({ commands }) => {
    await commands.lastOutcomes(siteUuid, [deviceUuid])
    await commands.unfinished(siteUuid, deviceUuid)
    await commands.confirmed(siteUuid, deviceUuid, NOON)
    await commands.list(siteUuid, deviceUuid, { before: undefined, limit: 10 })
  })
  const ofDevice = 'site_uuid=? AND device_uuid=?'
  assert.deepEqual(
    new Set(plans.filter((line) => line.includes(' commands '))),
    new Set([
      `SEARCH commands USING INDEX commands_by_time (${ofDevice})`,
      `SEARCH commands USING INDEX commands_unfinished (${ofDevice})`,
      `SEARCH commands USING INDEX commands_confirmed (${ofDevice} AND type=?)`,
      `SEARCH commands USING INDEX commands_one_off (${ofDevice} AND ends_at>?)`,
      `SEARCH commands USING INDEX commands_by_time (${ofDevice} AND (created_at,command_uuid)<(?,?))`,
    ]),
  )
})

test('retention of events looks at the oldest event of each site', async (t) => {
  const plans = await plansOf(t, ({ events }) => events.removeBefore(NOON))
  assert.deepEqual(plans, ['SCAN event_heads', 'SEARCH events USING PRIMARY KEY (site_uuid=? AND number=?)'])
})
