import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { loadRejections } from '../../src/domain/control/command/rejections.ts'
import { loadSignals, withUsualSteps } from '../../src/domain/telemetry/device-status/signals.ts'
import { createUsualSteps } from '../../src/domain/telemetry/device-status/usual-steps.ts'
import { createDeviceWarnings } from '../../src/domain/telemetry/device-status/warnings.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { entry, NOON } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than results are reused by a store without versions. */
const LATER = NOON + 11_000
/** More than are read each time. */
const DEVICES = 60

type Point = [at: number, value: number]

/** A site with many devices, and the codes of the first one's warnings in the list of all. */
async function addDevices(store: Store) {
  const metrics = { electricity: { ...REGISTER, maxPerHour: 10 }, battery: GAUGE }
  const devices = Array.from({ length: DEVICES }, () => ({ space: 0, metrics }))
  const document = makeSmallSite('Etc/UTC', 1, devices)
  const { siteUuid } = document.site
  await store.inventory.apply(siteUuid, document, entry())
  const model = (await createSiteDirectory(store.inventory).find(siteUuid)) ?? assert.fail()
  const all = [...model.devices.values()]
  const [first] = all
  assert.ok(first)
  const usualSteps = createUsualSteps(store.readings)
  const load = createDeviceWarnings({
    readings: store.readings,
    rollups: store.rollups,
    loadRejections: (site, some) => loadRejections(store.commands, site, some),
  })
  const add = async (metric: 'electricity' | 'battery', points: readonly Point[]): Promise<void> => {
    const timestamps = points.map(([at]) => at)
    const values = points.map(([, value]) => value)
    const batch = all.flatMap(({ series }) => ({ seriesId: series[metric] ?? -1, timestamps, values }))
    await store.readings.add(siteUuid, toReadingBatch(batch))
  }
  const read = async (now: number): Promise<[code: string, since: number][]> => {
    const signals = await withUsualSteps({ usualSteps }, model, all, await loadSignals(store, model), now)
    const warnings = await load(model, all, signals, now)
    assert.equal(warnings.size, DEVICES)
    const [own, ...others] = [...warnings.values()].map((list) =>
      list.map(({ code, since }): [string, number] => [code, since]),
    )
    for (const other of others) assert.deepEqual(other, own)
    return own ?? []
  }
  return { add, read }
}

for (const backend of BACKENDS) {
  describe(`the warnings of many devices on ${backend.name}`, () => {
    test('follow corrections of readings, whether they are rolled up or not', async (t) => {
      const store = await backend.open(t)
      const { add, read } = await addDevices(store)
      const yesterday = NOON - 24 * HOUR
      await add('electricity', [
        [yesterday, 0],
        [yesterday + HOUR, 1],
        [NOON - HOUR, 2],
        [NOON, 3],
      ])
      await store.runMaintenance()
      assert.deepEqual(await read(NOON), [])
      await add('electricity', [[NOON, 30]])
      const today = ['suspect-readings', NOON - 12 * HOUR]
      assert.deepEqual(await read(NOON), [today])
      await add('electricity', [[NOON - HOUR, 29]])
      assert.deepEqual(await read(LATER), [])
      await add('electricity', [[yesterday + HOUR, 28]])
      assert.deepEqual(await read(LATER + 11_000), [['suspect-readings', NOON - 36 * HOUR]])
      await store.runMaintenance()
      assert.deepEqual(await read(LATER + 22_000), [['suspect-readings', NOON - 36 * HOUR]])
    })

    test('follow new readings immediately', async (t) => {
      const store = await backend.open(t)
      const { add, read } = await addDevices(store)
      const hourly = Array.from({ length: 8 }, (_, index): Point => [NOON - (12 - index) * HOUR, 20 - index])
      await add('battery', hourly)
      const low = ['low-battery', NOON - 6 * HOUR]
      assert.deepEqual(await read(NOON), [low, ['stale', NOON - HOUR]])
      assert.deepEqual(await read(NOON), [low, ['stale', NOON - HOUR]])
      await add('battery', [[NOON, 12]])
      assert.deepEqual(await read(NOON), [low])
      await add('battery', [[NOON + MINUTE, 80]])
      assert.deepEqual(await read(NOON + MINUTE), [])
    })
  })
}
