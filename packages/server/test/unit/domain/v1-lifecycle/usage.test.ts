import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { V1_CATALOGUE } from '../../../../src/domain/v1-lifecycle/catalogue.ts'
import { createV1Usage, type V1Usage } from '../../../../src/domain/v1-lifecycle/usage.ts'
import type { V1Tally } from '../../../../src/domain/v1-lifecycle/usage-store.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts'
import type { Store } from '../../../../src/store/store.ts'
import { createClock } from '../../../support/clock.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { addPartner, NOON } from '../../../support/seed.ts'
import { override } from '../../../support/override.ts'

const DETAILS = '/spaces/details/{spaceId}'
const LOGO = '/tenant/logo'

const fail = (error: unknown): void => assert.fail(String(error))

/** What a process of its own would open on the same file. */
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

test('counting writes nothing; a flush writes one batch with one line for each kind of answer', async (t) => {
  const batches: V1Tally[][] = []
  const clock = createClock(NOON)
  const store = {
    add: async (tallies: readonly V1Tally[]) => void batches.push([...tallies]),
    listForPartner: async () => [],
    list: async () => [],
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

test('a read waits for what other processes have counted', async (t) => {
  const stored: string[] = []
  const store = {
    add: async () => {},
    listForPartner: async () => {
      stored.push('read')
      return []
    },
    list: async () => [],
  }
  const usage = createV1Usage(store, createClock(NOON), fail, async () => void stored.push('others'))
  t.after(() => usage.close())
  await usage.listForPartner('partner')
  assert.deepEqual(stored, ['others', 'read'])
})

test('a read holds what is not flushed yet, for one partner and for all', async (t) => {
  const { store, partnerUuid } = await seeded(t)
  const usage = createV1Usage(store.v1Usage, createClock(NOON), fail)
  t.after(() => usage.close())
  usage.count(partnerUuid, LOGO, 200)
  assert.deepEqual(await listCalls(usage, partnerUuid), [[LOGO, 1]])
  usage.count(partnerUuid, LOGO, 500)
  const [use] = await usage.list({ after: undefined, limit: 10 })
  assert.deepEqual([use?.calls, use?.failed, use?.lastSeenAt], [2, 1, NOON])
})

test('a read waits for the batch that is on its way', async (t) => {
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

test('every five seconds what was counted is stored, without anybody asking', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { store, partnerUuid } = await seeded(t)
  const { promise: stored, resolve } = Promise.withResolvers<readonly V1Tally[]>()
  const usage = createV1Usage(override(store.v1Usage, { add: async (t) => resolve(t) }), createClock(), fail)
  usage.count(partnerUuid, LOGO, 200)
  t.mock.timers.tick(5_000)
  assert.equal((await stored).length, 1)
})

test('a stop and a start lose nothing', async (t) => {
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

test('several processes that count at once add up', async (t) => {
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

test('a store that cannot be written keeps the counts in memory and the report readable', async (t) => {
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

test('an address that is none of the catalogue is a mistake of the caller', (t) => {
  const store = { add: async () => {}, listForPartner: async () => [], list: async () => [] }
  const usage = createV1Usage(store, createClock(), fail)
  t.after(() => usage.close())
  assert.throws(() => usage.count('partner', '/spaces/details/17', 200), /is not an endpoint of version 1/)
})
