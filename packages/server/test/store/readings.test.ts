import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BACKENDS } from '../support/backends.ts'
import { addMeter } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const SITE = '00000000-0000-4000-8000-000000000001'
const DAY_MS = 86_400_000
const START = 20_000 * DAY_MS

for (const backend of BACKENDS) {
  describe(`readings on ${backend.name}`, () => {
    test('a redelivery adds what is missing and replaces nothing', async (t) => {
      const store = await backend.open(t)
      const [first, second] = [START, START + 3_600_000]
      await store.readings.add(SITE, toReadingBatch([{ seriesId: 1, timestamps: [first], values: [2] }]))
      const repeated = { seriesId: 1, timestamps: [first, second], values: [1, 5] }
      const added = await store.readings.add(SITE, toReadingBatch([repeated]), 'keep')
      assert.deepEqual(added, { accepted: 1, replaced: 0, unchanged: 1 })
      const { values } = await store.readings.within(SITE, 1, { from: START, to: START + DAY_MS })
      assert.deepEqual(values, [2, 5])
    })

    test('a redelivery does not become the latest reading of its instant', async (t) => {
      const store = await backend.open(t)
      const { siteUuid, seriesId } = await addMeter(store)
      const add = (value: number, onConflict: 'replace' | 'keep') =>
        store.readings.add(
          siteUuid,
          toReadingBatch([{ seriesId, timestamps: [START], values: [value] }]),
          onConflict,
        )
      await add(1, 'replace')
      await add(2, 'replace')
      await add(1, 'keep')
      assert.deepEqual((await store.readings.latest(siteUuid)).get(seriesId), { at: START, value: 2 })
    })

    test('only the latest readings of the requested series are returned, and only on their site', async (t) => {
      const store = await backend.open(t)
      const [one, two] = [await addMeter(store), await addMeter(store)]
      for (const { siteUuid, seriesId } of [one, two])
        await store.readings.add(siteUuid, toReadingBatch([{ seriesId, timestamps: [START], values: [1] }]))
      const latest = new Map([[one.seriesId, { at: START, value: 1 }]])
      assert.deepEqual(await store.readings.latest(one.siteUuid, [one.seriesId]), latest)
      assert.deepEqual(await store.readings.latest(one.siteUuid, [two.seriesId]), new Map())
      assert.deepEqual(await store.readings.latest(one.siteUuid, []), new Map())
    })

    test('the newest readings of the requested series are returned, compacted or not, and only on their site', async (t) => {
      const store = await backend.open(t)
      const [one, two] = [await addMeter(store), await addMeter(store)]
      const { siteUuid, seriesId } = one
      const add = (timestamps: number[]) =>
        store.readings.add(
          siteUuid,
          toReadingBatch([{ seriesId, timestamps, values: timestamps.map((at) => at / DAY_MS) }]),
        )
      await add([START - 40 * DAY_MS, START - DAY_MS, START])
      await store.runMaintenance()
      await add([START - DAY_MS / 2, START + DAY_MS])
      const expected = [START - DAY_MS, START - DAY_MS / 2, START, START + DAY_MS]
      const recent = await store.readings.recent(siteUuid, [seriesId, two.seriesId], 4)
      assert.deepEqual(
        recent,
        new Map([[seriesId, { timestamps: expected, values: expected.map((at) => at / DAY_MS) }]]),
      )
      const all = await store.readings.recent(siteUuid, [seriesId], 100)
      assert.deepEqual(all.get(seriesId)?.timestamps, [START - 40 * DAY_MS, ...expected])
      assert.deepEqual(await store.readings.recent(two.siteUuid, [seriesId], 4), new Map())
      assert.deepEqual(await store.readings.recent(siteUuid, [], 4), new Map())
    })

    test('for any order of arrival, the newest value of each instant is stored', async (t) => {
      const store = await backend.open(t)
      let seriesId = 0
      const arrival = fc.record({ hour: fc.nat(24 * 6), value: fc.integer({ min: 0, max: 1_000 }) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(arrival, { minLength: 1, maxLength: 20 }), { maxLength: 6 }),
          async (batches) => {
            seriesId += 1
            const expected = new Map<number, number>()
            for (const batch of batches) {
              const latest = new Map(batch.map(({ hour, value }) => [START + hour * 3_600_000, value]))
              const sorted = [...latest].toSorted(([a], [b]) => a - b)
              for (const [at, value] of sorted) expected.set(at, value)
              await store.readings.add(
                SITE,
                toReadingBatch([
                  {
                    seriesId,
                    timestamps: sorted.map(([at]) => at),
                    values: sorted.map(([, value]) => value),
                  },
                ]),
              )
            }
            const stored = await store.readings.within(SITE, seriesId, {
              from: START,
              to: START + 7 * DAY_MS,
            })
            const all = [...expected].toSorted(([a], [b]) => a - b)
            assert.deepEqual(
              stored.timestamps,
              all.map(([at]) => at),
            )
            assert.deepEqual(
              stored.values,
              all.map(([, value]) => value),
            )
          },
        ),
        { numRuns: 30 },
      )
    })

    test('a range includes its neighbours, however far away they are', async (t) => {
      const store = await backend.open(t)
      const timestamps = [0, 40, 41, 90].map((day) => START + day * DAY_MS)
      await store.readings.add(SITE, toReadingBatch([{ seriesId: 1, timestamps, values: [1, 2, 3, 4] }]))
      const around = async (from: number, to: number): Promise<number[]> =>
        (await store.readings.around(SITE, 1, { from: START + from * DAY_MS, to: START + to * DAY_MS }))
          .values
      assert.deepEqual(await around(20, 30), [1, 2])
      assert.deepEqual(await around(40, 41), [2, 3])
      assert.deepEqual(await around(40.5, 60), [2, 3, 4])
      assert.deepEqual(await around(95, 99), [4])
      assert.deepEqual(await around(-9, -5), [1])
    })

    test('no reading of another series is ever returned', async (t) => {
      const store = await backend.open(t)
      await store.readings.add(
        SITE,
        toReadingBatch([
          { seriesId: 1, timestamps: [START], values: [1] },
          { seriesId: 2, timestamps: [START + 1], values: [2] },
        ]),
      )
      const span = { from: START, to: START + DAY_MS }
      assert.deepEqual((await store.readings.within(SITE, 1, span)).values, [1])
      assert.deepEqual((await store.readings.around(SITE, 2, span)).values, [2])
    })
  })
}
