import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BACKENDS } from '../support/backends.ts'
import { addMeter } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const DAY_MS = 86_400_000
const START = 20_000 * DAY_MS
const SPAN = { from: START, to: START + DAY_MS }

for (const backend of BACKENDS) {
  describe(`snapshots of ${backend.name}`, () => {
    test('all reads of a snapshot see the state at its first one, compacted meanwhile or not', async (t) => {
      const store = await backend.open(t)
      const { siteUuid, seriesId } = await addMeter(store)
      const add = (value: number) =>
        store.readings.add(
          siteUuid,
          toReadingBatch([{ seriesId, timestamps: [START, START + value], values: [value, value] }]),
        )
      await add(1)
      await using snapshots = store.openSnapshots()
      const [before, during, compacted] = await snapshots.run(async ({ readings }) => {
        const read = async (): Promise<number[]> => (await readings.within(siteUuid, seriesId, SPAN)).values
        const first = await read()
        await add(2)
        const second = await read()
        await store.runMaintenance()
        return [first, second, await read()]
      })
      assert.deepEqual(
        [before, during, compacted],
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      )
      const after = await snapshots.run(({ readings }) => readings.within(siteUuid, seriesId, SPAN))
      assert.deepEqual(after.values, [2, 1, 2])
    })

    test('a snapshot that fails leaves the next one intact', async (t) => {
      const store = await backend.open(t)
      const { siteUuid, seriesId } = await addMeter(store)
      await store.readings.add(siteUuid, toReadingBatch([{ seriesId, timestamps: [START], values: [7] }]))
      await using snapshots = store.openSnapshots()
      await assert.rejects(
        snapshots.run(async ({ readings }) => {
          await readings.within(siteUuid, seriesId, SPAN)
          throw new Error('broken')
        }),
        /broken/,
      )
      const { values } = await snapshots.run(({ readings }) => readings.within(siteUuid, seriesId, SPAN))
      assert.deepEqual(values, [7])
    })
  })
}
