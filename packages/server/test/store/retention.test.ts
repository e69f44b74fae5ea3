import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { copyInstallation } from '../../src/operator/copy/copy.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { DAY_MS, utcDayNumber } from '../../src/domain/telemetry/reading/packed-day.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { DAY, HOUR } from '../support/commands.ts'
import { NO_ROLLUPS } from '../support/series-fixtures.ts'
import { addRhythms, type Rhythm, findSeries, steps, readWindows } from '../support/gaps.ts'
import { DELTA, GAUGE, REGISTER } from '../support/small-site.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const RETENTION_MS = 30 * DAY
/** Readings older than this many days are deleted. */
const RETAINED_DAYS = 32

/** Hours before today at which meters were read that went silent, most of them across the cut-off. */
const SILENCES: readonly (readonly number[])[] = [
  // Every half hour up to a midnight.
  [...steps(60 * 24, 55 * 24, 0.5), ...steps(6 * 24, 24, 0.5)],
  // At growing distances before a midnight.
  [...[4, 3.75, 3.25, 2.5, 1.5].map((before) => 45 * 24 + before), 5 * 24, 4 * 24],
  // Two close together, then a single one days later.
  [52 * 24, 50 * 24, 50 * 24 - 0.25, 46 * 24, 5 * 24],
  // Once a day, with some days missing.
  [...steps(60 * 24, 33 * 24, 24), ...steps(28 * 24, 24, 24)],
  // Never silent.
  steps(38 * 24, 24, 0.5),
  // One reading since, and none.
  [...steps(50 * 24, 48 * 24, 0.25), 5 * 24],
  steps(50 * 24, 48 * 24, 1),
]

/** How many earlier readings of each are retained. */
const RHYTHMS: readonly (Rhythm & { stay: number })[] = SILENCES.flatMap((hours) => [
  { spec: DELTA, hours, stay: 2 },
  { spec: REGISTER, hours, stay: 1 },
  { spec: GAUGE, hours, stay: 0 },
])

/** Silent since a midnight, and since a noon. */
const SILENT: readonly Rhythm[] = [90 * 24, 90 * 24 + 12].flatMap((end) =>
  [DELTA, REGISTER].map((spec) => ({ spec, hours: steps(92 * 24, end, 1) })),
)

/** Days before today at which ranges begin: within, next to and after measurements, silence and cut-off. */
const STARTS = [56, 55, 54, 51, 50, 48, 46, 45, 44, 39, 33, 32, 31, 29, 6, 5]

/** Windows with more than one valid result. */
function unsteady(...readings: readonly Map<string, Set<string>>[]): string[] {
  const names = new Set(readings.flatMap((windows) => [...windows.keys()]))
  return [...names].flatMap((name) => {
    const answers = new Set(readings.flatMap((windows) => [...(windows.get(name) ?? [])]))
    return answers.size === 1 ? [] : [`${name}: ${[...answers].join(' or ')}`]
  })
}

for (const backend of BACKENDS) {
  describe(`readings deleted by retention, on ${backend.name}`, () => {
    test('leave every window unchanged, in any requested range, also in a copy', async (t) => {
      const store = await backend.open(t, { rawRetentionMs: RETENTION_MS })
      const today = utcDayNumber(systemClock.now()) * DAY_MS
      const model = await addRhythms(store, RHYTHMS, today)
      const before = await readWindows(store, NO_ROLLUPS, model, today, STARTS)
      assert.deepEqual(unsteady(before), [])
      const changed = async (of: Store): Promise<string[]> =>
        unsteady(before, await readWindows(of, of.rollups, model, today, STARTS))
      await store.runMaintenance()
      assert.deepEqual(await changed(store), [])

      for (const to of BACKENDS) {
        const target = await to.open(t, { rawRetentionMs: RETENTION_MS / 2 })
        const { isSame } = await copyInstallation(store.transfer, target.transfer, () => {})
        assert.ok(isSame)
        assert.deepEqual(await changed(target), [], `on ${to.name}`)
        await target.runMaintenance()
        assert.deepEqual(await changed(target), [], `on ${to.name}, after more of them are gone`)
      }
    })

    test('do not affect a meter that resumes: its windows stay when these readings go too', async (t) => {
      const open = await backend.locate(t)
      const store = await open({ rawRetentionMs: RETENTION_MS })
      const keepsAll = await backend.open(t)
      const today = utcDayNumber(systemClock.now()) * DAY_MS
      const back = { timestamps: [20, 19, 18].map((days) => today - days * DAY), values: [900, 901, 902] }
      const add = async (to: Store): Promise<SiteModel> => {
        const model = await addRhythms(to, [...SILENT, { spec: DELTA, hours: steps(92 * 24, 24, 1) }], today)
        await to.runMaintenance()
        const batch = SILENT.map((_, device) => ({ seriesId: findSeries(model, device), ...back }))
        await to.readings.add(model.site.siteUuid, toReadingBatch(batch))
        return model
      }
      const afterSilence = [88, 61, 34, 33, 32, 31, 28, 22, 20, 18]
      const whole = await readWindows(keepsAll, NO_ROLLUPS, await add(keepsAll), today, afterSilence)
      const model = await add(store)
      const ask = (of: Store) => readWindows(of, of.rollups, model, today, [93, 91, 90, ...afterSilence])
      const inOneStep = await ask(store)
      assert.deepEqual(unsteady(whole, inOneStep), [])
      await store.runMaintenance()
      assert.deepEqual(unsteady(inOneStep, await ask(store)), [])

      const shorter = await open({ rawRetentionMs: RETENTION_MS / 3 })
      await shorter.runMaintenance()
      assert.deepEqual(unsteady(inOneStep, await ask(shorter)), [])
    })

    test('are in no result, except for those that other values are computed from', async (t) => {
      const store = await backend.open(t, { rawRetentionMs: RETENTION_MS })
      const today = utcDayNumber(systemClock.now()) * DAY_MS
      const model = await addRhythms(store, RHYTHMS, today)
      await store.runMaintenance()
      for (const [device, { hours, stay }] of RHYTHMS.entries()) {
        const instants = hours.map((before) => today - before * HOUR)
        const cut = today - RETAINED_DAYS * DAY
        const retained = instants.filter((at) => at >= cut)
        const expected = instants.slice(instants.length - retained.length - stay)
        const { siteUuid } = model.site
        const seriesId = findSeries(model, device)
        const all = { from: 0, to: today }
        assert.deepEqual((await store.readings.within(siteUuid, seriesId, all)).timestamps, expected)
        if (stay > 0)
          assert.deepEqual((await store.readings.around(siteUuid, seriesId, all)).timestamps, expected)
      }
    })
  })
}
