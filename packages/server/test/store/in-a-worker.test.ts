import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { deserialize, serialize } from 'node:v8'
import { AppError } from '../../src/kernel/errors.ts'
import { openStoreInWorker } from '../../src/store/open-in-worker.ts'
import { openStoreForServer } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folder.ts'
import { DELTA, makeSmallSite } from '../support/small-site.ts'
import { entry } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** Copies messages, as the channel between processes does. */
async function open(t: TestContext): Promise<{ first: Store; worker: Store; other: Store }> {
  const config = {
    database: { kind: 'sqlite' as const, file: join(temporaryFolder(t), 'portico.db') },
    rawRetentionMs: undefined,
  }
  const { store: first, forwardWrite } = openStoreForServer(config)
  const openInWorker = (): Promise<Store> =>
    openStoreInWorker(config, async (work) =>
      deserialize(serialize(await forwardWrite(deserialize(serialize(work))))),
    )
  const [worker, other] = [await openInWorker(), await openInWorker()]
  t.after(() => first.close())
  await first.migrate()
  return { first, worker, other }
}

test('a write of a worker is visible to it and to every other', async (t) => {
  const { first, worker, other } = await open(t)
  const document = makeSmallSite('Europe/London', 1, [{ space: 0, metrics: { electricity: DELTA } }])
  const { siteUuid } = document.site
  await worker.inventory.apply(siteUuid, document, entry('site.added'))
  const [device] = (await other.inventory.load(siteUuid))?.devices ?? []
  const seriesId = device?.series.electricity ?? -1
  for (const [index, writer] of [worker, other, first].entries()) {
    await writer.readings.add(
      siteUuid,
      toReadingBatch([{ seriesId, timestamps: [1_000 * (index + 1)], values: [1] }]),
    )
    for (const reader of [worker, other, first])
      assert.equal((await reader.readings.latest(siteUuid)).get(seriesId)?.at, 1_000 * (index + 1))
  }
})

test('closing the store of a worker does not close the writer for the others', async (t) => {
  const { worker, other } = await open(t)
  assert.equal(await worker.isDemo(), false)
  await worker.close()
  await assert.rejects(worker.isDemo(), AppError)
  assert.equal(await other.markAsDemo(), true)
})

test('a forwarded write fails as unavailable when the writer is gone', async (t) => {
  const { first, worker } = await open(t)
  await first.close()
  await assert.rejects(worker.markAsDemo(), { code: 'unavailable' })
})
