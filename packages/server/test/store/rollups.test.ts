import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { toPoints } from '../../src/domain/telemetry/series/columns.ts'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { getZone } from '../../src/calendar/zone.ts'
import { toWindows } from '../../src/calendar/window-edges.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addAll,
  createSeriesServiceFor,
  readAllSeries,
  NO_ROLLUPS,
  createEncoder,
  encodeAll,
  encodeFromReadings,
} from '../support/series-fixtures.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { override } from '../support/override.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** PROPERTY_RUNS sets a larger number, with shrinking, which takes longer. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 6)

/** Middle of the drawn ranges: around clock changes, a skipped day, and nothing special. */
const MOMENTS: readonly [zone: string, at: string][] = [
  ['Europe/London', '2026-03-29T01:00Z'],
  ['Europe/London', '2025-10-26T01:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30Z'],
  ['Asia/Kathmandu', '2026-01-31T18:15Z'],
  ['America/Santiago', '2025-09-07T04:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Chatham', '2026-04-04T14:45Z'],
]

const reading = fc.record({
  device: fc.nat(3),
  minutes: fc.oneof(
    fc.integer({ min: -4 * 1440, max: 4 * 1440 }),
    fc.integer({ min: -10, max: 10 }).map((n) => n * 720),
  ),
  value: fc.oneof(
    fc.integer({ min: 0, max: 500 }),
    fc.integer({ min: 0, max: 500_000 }).map((n) => n / 1000),
    fc.constant(1 / 3),
  ),
})

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      readings: fc.array(reading, { minLength: 1, maxLength: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      device: fc.nat(3),
      space: fc.nat(1),
      minutes: fc.integer({ min: -4000, max: 4000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      device: fc.nat(1),
      maxPerHour: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('below' as const),
      device: fc.integer({ min: 1, max: 3 }),
      /** An earlier device, so that there is no cycle; none if it does not exist. */
      meter: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('medium' as const),
      device: fc.nat(1),
      of: fc.constantFrom('air' as const, 'water' as const),
    }),
  },
)

for (const backend of BACKENDS) {
  describe(`rollups on ${backend.name}`, () => {
    test('for any arrivals, moves and corrections, rollups and cached blocks equal the values from readings, to the digit', async (t) => {
      const store = await backend.open(t)
      const inventory = createInventoryService({ store: store.inventory, clock: systemClock })
      const directory = createSiteDirectory(store.inventory)
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...MOMENTS),
          fc.array(action, { minLength: 2, maxLength: 12 }),
          async ([zone, moment], actions) => {
            const middle = Date.parse(moment)
            let document: InventoryDocument = makeSmallSite(zone, 2, [
              { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
              {
                space: 0,
                metrics: {
                  electricity: { ...REGISTER, registerSize: 600 },
                  temperature: { ...GAUGE, maxGapMinutes: 1440 },
                  water: DELTA,
                },
              },
              { space: 1, metrics: { electricity: DELTA, occupancy: GAUGE } },
              {
                space: 0,
                metrics: { water: { ...DELTA, stamp: 'end' }, occupancy: { ...GAUGE, maxGapMinutes: 5 } },
              },
            ])
            await inventory.apply(document, COMMAND_LINE)
            const { siteUuid } = document.site
            const change = async (device: number, changes: Partial<InventoryDocument['devices'][number]>) => {
              document = {
                ...document,
                devices: document.devices.map((one, index) =>
                  index === device ? { ...one, ...changes } : one,
                ),
              }
              await inventory.apply(document, COMMAND_LINE)
            }
            const encoder = createEncoder(store, middle + 10 * DAY)
            for (const step of [...actions, { kind: 'settle' as const }]) {
              if (step.kind === 'settle') await store.runMaintenance()
              if (step.kind === 'move')
                await change(step.device, {
                  spaceUuid: document.spaces[step.space]?.spaceUuid ?? '',
                  since: middle + step.minutes * MINUTE,
                })
              if (step.kind === 'limit') {
                const metrics = document.devices[step.device]?.metrics ?? {}
                await change(step.device, {
                  metrics: { ...metrics, electricity: { ...REGISTER, maxPerHour: step.maxPerHour } },
                })
              }
              if (step.kind === 'below') {
                const meter = document.devices.slice(0, step.device)[step.meter]
                const { submeterOf: _, ...device } = document.devices[step.device] ?? assert.fail()
                const changed = meter ? { ...device, submeterOf: meter.deviceUuid } : device
                document = { ...document, devices: document.devices.with(step.device, changed) }
                await inventory.apply(document, COMMAND_LINE)
              }
              if (step.kind === 'medium') {
                const metrics = document.devices[step.device]?.metrics ?? {}
                await change(step.device, { metrics: { ...metrics, temperature: { ...GAUGE, of: step.of } } })
              }
              const model = await directory.find(siteUuid)
              assert.ok(model)
              if (step.kind === 'add') await addAll(store, model, document, middle, step.readings)
              const now = await directory.find(siteUuid)
              assert.ok(now)
              assert.deepEqual(
                await readAllSeries(store, store.rollups, now, middle),
                await readAllSeries(store, NO_ROLLUPS, now, middle),
              )
              // With the encoder's cache as the previous step left it.
              assert.deepEqual(
                await encodeAll(encoder, now, middle),
                await encodeFromReadings(store, now, middle),
              )
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: process.env['PROPERTY_RUNS'] === undefined },
      )
    })

    test('readings deleted by retention leave every closed window unchanged', async (t) => {
      const store = await backend.open(t, { rawRetentionMs: 10 * DAY })
      const inventory = createInventoryService({ store: store.inventory, clock: systemClock })
      const directory = createSiteDirectory(store.inventory)
      const document = makeSmallSite('Europe/London', 2, [
        { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
        { space: 0, metrics: { electricity: { ...DELTA, maxPerHour: 100 }, temperature: GAUGE } },
        { space: 1, metrics: { electricity: { ...REGISTER, registerSize: 600 }, occupancy: GAUGE } },
        { space: 1, metrics: { water: DELTA, occupancy: GAUGE } },
      ])
      await inventory.apply(document, COMMAND_LINE)
      const middle = Date.parse('2026-03-29T01:00Z')
      const before = await directory.find(document.site.siteUuid)
      assert.ok(before)
      const readings = Array.from({ length: 12 * 200 }, (_, index) => ({
        device: index % 4,
        minutes: index * 5 - 6000 + (index % 7),
        value: ((index * 37) % 600) / 8,
      }))
      await addAll(store, before, document, middle, readings)
      const [meter, gauge] = Object.values([...before.devices.values()][0]?.series ?? {})
      assert.ok(meter !== undefined && gauge !== undefined)
      const expected = await readAllSeries(store, NO_ROLLUPS, before, middle)
      await store.runMaintenance()
      const old = { from: middle - 4 * DAY, to: middle }
      assert.equal((await store.readings.within(document.site.siteUuid, meter, old)).timestamps.length, 0)
      assert.deepEqual(await readAllSeries(store, store.rollups, before, middle), expected)

      // A move in that time is split by the quarter hours that remain.
      const [moved, ...rest] = document.devices
      assert.ok(moved)
      const since = middle - DAY - 11 * MINUTE
      const elsewhere = { ...moved, spaceUuid: document.spaces[1]?.spaceUuid ?? '', since }
      await inventory.apply({ ...document, devices: [elsewhere, ...rest] }, COMMAND_LINE)
      await store.runMaintenance()
      const after = await directory.find(document.site.siteUuid)
      assert.ok(after)
      const windows = toWindows(after.zone, 'PT1H', middle - 2 * DAY, middle)
      const aggregate = createSeriesServiceFor(store.readings, store.rollups)
      const total = async (model: SiteModel): Promise<number> =>
        (await aggregate.spaces(model, [...model.spaces.values()], 'electricity', windows)).summary.total ?? 0
      assert.ok(Math.abs((await total(after)) - (await total(before))) < 1e-4)
    })

    test('a changed metric reopens the day after a short one, into which the last reading is valid', async (t) => {
      const store = await backend.open(t)
      const inventory = createInventoryService({ store: store.inventory, clock: systemClock })
      const directory = createSiteDirectory(store.inventory)
      const lasting = { temperature: { ...GAUGE, maxGapMinutes: 1440 } }
      const document = makeSmallSite('Europe/London', 1, [
        { space: 0, metrics: lasting },
        { space: 0, metrics: { temperature: GAUGE } },
      ])
      await inventory.apply(document, COMMAND_LINE)
      const clockChange = Date.parse('2026-03-29T01:00Z')
      const first = await directory.find(document.site.siteUuid)
      assert.ok(first)
      // Half an hour before the day of 23 hours: valid until half an hour after it.
      const last = { device: 0, minutes: -90, value: 20 }
      await addAll(store, first, document, clockChange, [last, { device: 1, minutes: 5 * 1440, value: 10 }])
      await store.runMaintenance()
      const [device, ...others] = document.devices
      assert.ok(device)
      const changed = { ...device, metrics: { temperature: GAUGE } }
      await inventory.apply({ ...document, devices: [changed, ...others] }, COMMAND_LINE)
      const model = await directory.find(document.site.siteUuid)
      assert.ok(model)
      assert.deepEqual(
        await readAllSeries(store, store.rollups, model, clockChange),
        await readAllSeries(store, NO_ROLLUPS, model, clockChange),
      )
    })

    test('a long late history reopens its days, also after a very recent reading', async (t) => {
      const store = await backend.open(t)
      const inventory = createInventoryService({ store: store.inventory, clock: systemClock })
      const document = makeSmallSite('Europe/London', 1, [{ space: 0, metrics: { temperature: GAUGE } }])
      await inventory.apply(document, COMMAND_LINE)
      const model = await createSiteDirectory(store.inventory).find(document.site.siteUuid)
      assert.ok(model)
      const start = Date.parse('2026-03-02T00:00Z')
      const minutely = (offset: number, value: number) =>
        Array.from({ length: 300 }, (_, index) => ({ device: 0, minutes: 2 * index + offset, value }))
      await addAll(store, model, document, start, minutely(0, 10))
      await store.runMaintenance()
      await addAll(store, model, document, start, [{ device: 0, minutes: 5 * 1440, value: 15 }])
      await addAll(store, model, document, start, minutely(1, 30))
      assert.deepEqual(
        await readAllSeries(store, store.rollups, model, start),
        await readAllSeries(store, NO_ROLLUPS, model, start),
      )
    })

    test('a closed window reads no readings', async (t) => {
      const store = await backend.open(t)
      const inventory = createInventoryService({ store: store.inventory, clock: systemClock })
      const document = makeSmallSite('Europe/London', 1, [
        { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
        { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
      ])
      await inventory.apply(document, COMMAND_LINE)
      const model = await createSiteDirectory(store.inventory).find(document.site.siteUuid)
      assert.ok(model)
      const start = Date.parse('2026-03-01T00:00Z')
      const readings = Array.from({ length: 48 * 45 + 1 }, (_, index) =>
        [0, 1].map((device) => ({ device, minutes: index * 30, value: index })),
      ).flat()
      await addAll(store, model, document, start, readings)
      await store.runMaintenance()
      const untouchable = override(store.readings, {
        around: () => assert.fail('read the readings'),
        within: () => assert.fail('read the readings'),
      })
      const aggregate = createSeriesServiceFor(untouchable, store.rollups)
      const [device] = model.devices.values()
      const [space] = model.spaces.values()
      assert.ok(device && space)
      for (const metric of ['electricity', 'temperature'] as const) {
        for (const interval of ['PT1H', 'P1D', 'P1W', 'P1M'] as const) {
          const windows = toWindows(getZone('Europe/London'), interval, start + 2 * DAY, start + 30 * DAY)
          const ofSpace = await aggregate.spaces(model, [space], metric, windows)
          const ofDevice = await aggregate.device(model, device, metric, windows)
          for (const { columns } of [ofSpace, ofDevice])
            assert.ok(toPoints(columns).every(({ quality }) => quality === 'measured'))
        }
      }
    })
  })
}
