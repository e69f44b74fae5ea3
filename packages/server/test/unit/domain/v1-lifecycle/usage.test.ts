import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { V1_CATALOGUE } from '../../../../src/domain/v1-lifecycle/catalogue.ts'
import { HOUR_MS, startV1HourRetention } from '../../../../src/domain/v1-lifecycle/hours.ts'
import { createV1Usage, type V1Usage } from '../../../../src/domain/v1-lifecycle/usage.ts'
import type { V1CallCount } from '../../../../src/domain/v1-lifecycle/usage-store.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts'
import type { Store } from '../../../../src/store/store.ts'
import { createClock } from '../../../support/clock.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { addPartner, NOON } from '../../../support/seed.ts'
import { override } from '../../../support/override.ts'

const DETAILS = '/spaces/details/{spaceId}'
const LOGO = '/tenant/logo'

/** Reads of a store without calls. */
const NO_USES = {
  listForPartner: async () => [],
  list: async () => [],
  listPeriods: async () => [],
  removeHoursBefore: async () => {},
}

const fail = (error: unknown): void => assert.fail(String(error))

/** A second connection to the same file, as another process would open. */
async function openOn(t: TestContext, file: string): Promise<Store> {
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await store.migrate()
  return store
}

async function seeded(t: TestContext): Promise<{ file: string; store: Store; partnerUuid: string }> {
  const file = join(temporaryFolder(t), 'portico.db')
  const store = await openOn(t, file)
  return { file, store, partnerUuid: (await addPartner(store)).partner.partnerUuid }
}

const listCalls = async (
  usage: Pick<V1Usage, 'listForPartner'>,
  partnerUuid: string,
): Promise<[string, number][]> =>
  (await usage.listForPartner(partnerUuid)).map(({ path, calls }) => [path, calls])

test('counting writes nothing; a flush writes one batch with one row for each kind of response', async (t) => {
  const batches: V1CallCount[][] = []
  const clock = createClock(NOON)
  const store = {
    add: async (tallies: readonly V1CallCount[]) => void batches.push([...tallies]),
    ...NO_USES,
  }
  const usage = createV1Usage(store, clock, fail)
  t.after(() => usage.close())
  for (let call = 0; call < 1_000; call += 1) usage.count('partner', DETAILS, 200)
  clock.at += 1
  usage.count('partner', DETAILS, 204)
  usage.count('partner', DETAILS, 410)
  assert.deepEqual(batches, [])
  await usage.flush()
  await usage.flush()
  assert.deepEqual(batches, [
    [
      { partnerUuid: 'partner', path: DETAILS, statusClass: 2, calls: 1_001, lastSeenAt: NOON + 1 },
      { partnerUuid: 'partner', path: DETAILS, statusClass: 4, calls: 1, lastSeenAt: NOON + 1 },
    ],
  ])
})

test('calls of two hours are kept apart, though they are stored in one batch', async (t) => {
  const { store, partnerUuid } = await seeded(t)
  const clock = createClock(NOON + HOUR_MS - 1)
  const usage = createV1Usage(store.v1Usage, clock, fail)
  t.after(() => usage.close())
  usage.count(partnerUuid, DETAILS, 200)
  usage.count(partnerUuid, LOGO, 404)
  clock.at += 1
  usage.count(partnerUuid, DETAILS, 200)
  assert.deepEqual(await usage.listPeriods({ from: NOON, periodMs: HOUR_MS, partnerUuid }), [
    { at: NOON, calls: 2, failed: 1, partners: 1 },
    { at: NOON + HOUR_MS, calls: 1, failed: 0, partners: 1 },
  ])
  assert.deepEqual(await listCalls(usage, partnerUuid), [
    [DETAILS, 2],
    [LOGO, 1],
  ])
})

test('a read includes what other processes have counted', async (t) => {
  const stored: string[] = []
  const store = {
    ...NO_USES,
    add: async () => {},
    listForPartner: async () => {
      stored.push('read')
      return []
    },
  }
  const usage = createV1Usage(store, createClock(NOON), fail, async () => void stored.push('others'))
  t.after(() => usage.close())
  await usage.listForPartner('partner')
  assert.deepEqual(stored, ['others', 'read'])
})

test('a read includes counts that are not flushed yet, for one partner and for all', async (t) => {
  const { store, partnerUuid } = await seeded(t)
  const usage = createV1Usage(store.v1Usage, createClock(NOON), fail)
  t.after(() => usage.close())
  usage.count(partnerUuid, LOGO, 200)
  assert.deepEqual(await listCalls(usage, partnerUuid), [[LOGO, 1]])
  usage.count(partnerUuid, LOGO, 500)
  const [use] = await usage.list({ after: undefined, limit: 10 })
  assert.deepEqual([use?.calls, use?.failed, use?.lastSeenAt], [2, 1, NOON])
})

test('a read waits for a batch in flight', async (t) => {
  const { store, partnerUuid } = await seeded(t)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const slow = override(store.v1Usage, {
    add: async (tallies) => {
      await held
      await store.v1Usage.add(tallies)
    },
  })
  const usage = createV1Usage(slow, createClock(), fail)
  t.after(() => usage.close())
  usage.count(partnerUuid, LOGO, 200)
  const flushed = usage.flush()
  const read = listCalls(usage, partnerUuid)
  release()
  await flushed
  assert.deepEqual(await read, [[LOGO, 1]])
})

test('counts are stored every five seconds, without a read', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { store, partnerUuid } = await seeded(t)
  const { promise: stored, resolve } = Promise.withResolvers<readonly V1CallCount[]>()
  const usage = createV1Usage(override(store.v1Usage, { add: async (t) => resolve(t) }), createClock(), fail)
  usage.count(partnerUuid, LOGO, 200)
  t.mock.timers.tick(5_000)
  assert.equal((await stored).length, 1)
})

test('a stop and a start lose no counts', async (t) => {
  const { file, store, partnerUuid } = await seeded(t)
  const before = createV1Usage(store.v1Usage, createClock(), fail)
  before.count(partnerUuid, DETAILS, 200)
  await before.close()
  await store.close()
  const after = createV1Usage((await openOn(t, file)).v1Usage, createClock(), fail)
  t.after(() => after.close())
  after.count(partnerUuid, DETAILS, 200)
  assert.deepEqual(await listCalls(after, partnerUuid), [[DETAILS, 2]])
})

test('concurrent counts of several processes are summed', async (t) => {
  const { file, store, partnerUuid } = await seeded(t)
  const stores = [store, await openOn(t, file), await openOn(t, file)]
  const usages = stores.map(({ v1Usage }) => createV1Usage(v1Usage, createClock(), fail))
  t.after(() => Promise.all(usages.map((usage) => usage.close())))
  for (let round = 0; round < 20; round += 1) {
    for (const usage of usages) for (const { path } of V1_CATALOGUE) usage.count(partnerUuid, path, 200)
    await Promise.all(usages.flatMap((usage) => [usage.flush(), usage.flush()]))
  }
  const paths = V1_CATALOGUE.map(({ path }) => path).toSorted()
  assert.deepEqual(
    await listCalls(store.v1Usage, partnerUuid),
    paths.map((path) => [path, 60]),
  )
})

test('if the store cannot be written, counts stay in memory and the report is readable', async (t) => {
  const { store, partnerUuid } = await seeded(t)
  const errors: unknown[] = []
  const full = new Error('the disk is full')
  let isFull = true
  const moody = override(store.v1Usage, {
    add: (tallies) => (isFull ? Promise.reject(full) : store.v1Usage.add(tallies)),
  })
  const usage = createV1Usage(moody, createClock(), (error) => errors.push(error))
  t.after(() => usage.close())
  usage.count(partnerUuid, LOGO, 200)
  assert.deepEqual(await listCalls(usage, partnerUuid), [])
  assert.deepEqual(errors, [full])
  usage.count(partnerUuid, LOGO, 200)
  isFull = false
  assert.deepEqual(await listCalls(usage, partnerUuid), [[LOGO, 2]])
})

test('counting a path that is not in the catalogue throws', (t) => {
  const store = { ...NO_USES, add: async () => {} }
  const usage = createV1Usage(store, createClock(), fail)
  t.after(() => usage.close())
  assert.throws(() => usage.count('partner', '/spaces/details/17', 200), /is not an endpoint of version 1/)
})

test('hours are kept for 31 days, today included', async () => {
  const removed: number[] = []
  const { promise: hasRun, resolve } = Promise.withResolvers<void>()
  const store = {
    removeHoursBefore: async (before: number) => {
      removed.push(before)
      resolve()
    },
  }
  const retention = startV1HourRetention(store, createClock(Date.parse('2026-11-17T12:00:00Z')), fail)
  await hasRun
  await retention.stop()
  assert.deepEqual(removed, [Date.parse('2026-10-18T00:00:00Z')])
})
