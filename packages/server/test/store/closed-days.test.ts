import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import type { EventRecord, NewEvent } from '../../src/domain/event/event.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { DAY, HOUR } from '../support/commands.ts'
import { entry, NOON } from '../support/seed.ts'
import { GAUGE, makeSmallSite, REGISTER } from '../support/small-site.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** The start of the day of NOON, in the zone of the site. */
const TODAY = NOON - 12 * HOUR
const toDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

const MINUTE = 60_000

/** In the last hours of a day: the changes of some readings reach into the next one. */
const firstMinute = fc.integer({ min: 21 * 60, max: 24 * 60 })

/** Some times are midnights. */
const step = fc.record({
  minutes: fc.oneof(
    fc.integer({ min: 1, max: 90 }),
    fc.integer({ min: 1, max: 3_000 }),
    fc.integer({ min: 1, max: 48 }).map((halfHours) => halfHours * 30),
  ),
  isReportedBefore: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
})

/** The dates of the closed days in `[from, to)`, or of the one at `from` if both are equal. */
function datesBetween(from: number, to: number): string[] {
  const first = from - (from % DAY)
  const end = Math.min(TODAY, Math.max(to, from + 1))
  return Array.from({ length: Math.max(0, Math.ceil((end - first) / DAY)) }, (_, day) =>
    toDate(first + day * DAY),
  )
}

const closing = (
  expected: number,
  closedBefore: number,
): { expected: number; closedBefore: number; event: NewEvent } => ({
  expected,
  closedBefore,
  event: {
    eventUuid: newUuid(),
    type: 'day.closed',
    at: NOON,
    recordedAt: NOON,
    deviceUuid: null,
    spaceUuid: null,
    data: { date: toDate(expected) },
  },
})

const listEvents = async (
  store: Store,
  siteUuid: string,
  type: EventRecord['type'],
): Promise<EventRecord[]> => store.events.list(siteUuid, 0, 1_000, { types: [type] })

/**
 * The corrections that are reported now: index of the space, metric, first date and number of days, sorted. The events
 * themselves are in the order of the series, and the numbers of series depend on the UUIDs of the site.
 */
const takeCorrections = async (
  store: Store,
  { site: { siteUuid }, spaces }: InventoryDocument,
  after = 0,
) => {
  await store.runMaintenance()
  const events = (await listEvents(store, siteUuid, 'data.corrected')).slice(after)
  return events
    .map(({ data, spaceUuid }) => {
      const { metricType, fromDateTime, days } = JSON.parse(data) as Record<string, unknown>
      return [
        spaces.findIndex((space) => space.spaceUuid === spaceUuid),
        metricType,
        String(fromDateTime).slice(0, 10),
        days,
      ]
    })
    .toSorted((a, b) => String(a).localeCompare(String(b)))
}

/** The series of each device that measures the metric, in the order of the document. */
const findSeries = async (
  store: Store,
  { site: { siteUuid }, devices }: InventoryDocument,
  metric: 'electricity' | 'temperature' | 'battery',
): Promise<number[]> => {
  const stored = (await store.inventory.load(siteUuid))?.devices ?? []
  return devices.flatMap(
    ({ deviceUuid }) => stored.find(({ record }) => record.deviceUuid === deviceUuid)?.series[metric] ?? [],
  )
}

for (const backend of BACKENDS) {
  /**
   * A site with a meter and a sensor in the first space and a meter in the second, hourly readings of ten days, closed
   * up to TODAY.
   */
  const createSite = async (store: Store) => {
    const document = makeSmallSite('UTC', 3, [
      { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE, battery: GAUGE } },
      { space: 1, metrics: { electricity: REGISTER } },
    ])
    const { siteUuid } = document.site
    await store.inventory.apply(siteUuid, document, entry())
    const add = (seriesId: number, timestamps: number[], value = 1) =>
      store.readings.add(
        siteUuid,
        toReadingBatch([
          { seriesId, timestamps, values: timestamps.map((at) => (value * (at - NOON)) / HOUR + 10_000) },
        ]),
      )
    const stored = await store.inventory.load(siteUuid)
    const ids = (stored?.devices ?? []).flatMap(({ series }) => Object.values(series))
    const hours = Array.from({ length: 240 }, (_, index) => TODAY - (240 - index) * HOUR)
    for (const seriesId of ids) await add(seriesId, [...hours, TODAY, TODAY + HOUR])
    await store.closedDays.close(siteUuid, { expected: 0, closedBefore: TODAY, event: undefined })
    return { document, siteUuid, add }
  }

  describe(`closed days on ${backend.name}`, () => {
    test('a day is closed once, with its event, however many close it', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await createSite(store)
      assert.equal(await store.closedDays.closedBefore(siteUuid), TODAY)
      assert.equal(await store.closedDays.closedBefore(newUuid()), 0)
      const closed = await Promise.all(
        Array.from({ length: 8 }, () => store.closedDays.close(siteUuid, closing(TODAY, TODAY + DAY))),
      )
      assert.equal(closed.filter(Boolean).length, 1)
      assert.equal(await store.closedDays.closedBefore(siteUuid), TODAY + DAY)
      const events = await listEvents(store, siteUuid, 'day.closed')
      assert.deepEqual(
        events.map(({ data }) => JSON.parse(data)),
        [{ date: toDate(TODAY) }],
      )
    })

    test('readings of open days correct nothing', async (t) => {
      const store = await backend.open(t)
      const { document, add } = await createSite(store)
      const [meter = 0] = await findSeries(store, document, 'electricity')
      await add(meter, [TODAY + 2 * HOUR, TODAY + 3 * HOUR])
      await add(meter, [TODAY + 2 * HOUR + 1])
      assert.deepEqual(await takeCorrections(store, document), [])
    })

    test('a late, a changed and a repeated reading of closed days', async (t) => {
      const store = await backend.open(t)
      const { document, add } = await createSite(store)
      const [meter = 0, second = 0] = await findSeries(store, document, 'electricity')
      const [sensor = 0] = await findSeries(store, document, 'temperature')
      const days = (count: number, hours = 0): number => TODAY - count * DAY + hours * HOUR
      // Between two readings of one day; between those of two days; of a gauge; the same value as before.
      await add(meter, [days(5, 3) + 1])
      await add(second, [days(3) - 1])
      await add(sensor, [days(8, 12)], 2)
      await add(second, [days(7, 3)])
      assert.deepEqual(await takeCorrections(store, document), [
        [0, 'electricity', toDate(days(5)), 1],
        [0, 'temperature', toDate(days(8)), 1],
        [1, 'electricity', toDate(days(4)), 1],
      ])
      // Reported corrections are not reported again, and adjacent days are one event.
      await add(meter, [days(6, 3) + 1])
      await add(meter, [days(5, 3) + 2])
      await add(meter, [days(2, 3) + 1])
      await add(meter, [days(5, 3) + 1], 3)
      assert.deepEqual(await takeCorrections(store, document, 3), [
        [0, 'electricity', toDate(days(6)), 2],
        [0, 'electricity', toDate(days(2)), 1],
      ])
      assert.equal((await takeCorrections(store, document)).length, 5)
    })

    test('each day that readings of the past change is corrected, in however many writes they arrive', async (t) => {
      const store = await backend.open(t)
      await fc.assert(
        fc.asyncProperty(
          firstMinute,
          fc.array(step, { minLength: 1, maxLength: 8 }),
          async (minute, steps) => {
            const document = makeSmallSite('UTC', 1, [
              { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE, battery: GAUGE } },
            ])
            const { siteUuid } = document.site
            await store.inventory.apply(siteUuid, document, entry())
            // Days are closed only where something has been measured.
            const [battery = 0] = await findSeries(store, document, 'battery')
            const measured = { seriesId: battery, timestamps: [TODAY], values: [50] }
            await store.readings.add(siteUuid, toReadingBatch([measured]))
            const first = { expected: 0, closedBefore: TODAY, event: undefined }
            assert.ok(await store.closedDays.close(siteUuid, first))
            const [meter = 0] = await findSeries(store, document, 'electricity')
            const [sensor = 0] = await findSeries(store, document, 'temperature')
            const wanted = { electricity: new Set<string>(), temperature: new Set<string>() }
            let [at, before] = [TODAY - 9 * DAY + minute * MINUTE, Number.POSITIVE_INFINITY]
            for (const { minutes, isReportedBefore } of steps) {
              at += minutes * MINUTE
              if (isReportedBefore) await store.runMaintenance()
              const timestamps = [at]
              await store.readings.add(
                siteUuid,
                toReadingBatch(
                  [meter, sensor].map((seriesId) => ({ seriesId, timestamps, values: [at / DAY] })),
                ),
              )
              for (const date of datesBetween(Math.min(before, at), at)) wanted.electricity.add(date)
              // A temperature is valid for an hour.
              for (const date of datesBetween(at, at + HOUR)) wanted.temperature.add(date)
              before = at
            }
            const found = { electricity: new Set<string>(), temperature: new Set<string>() }
            for (const [, metric, first, days] of await takeCorrections(store, document))
              for (let day = 0; day < Number(days); day += 1)
                found[metric as keyof typeof found].add(toDate(Date.parse(String(first)) + day * DAY))
            for (const metric of ['electricity', 'temperature'] as const)
              assert.deepEqual([...found[metric]].toSorted(), [...wanted[metric]].toSorted())
          },
        ),
        { numRuns: backend.name === 'sqlite' ? 100 : 20 },
      )
    })

    test('a reading of a day that was closed after the previous one corrects it', async (t) => {
      const store = await backend.open(t)
      const { document, siteUuid, add } = await createSite(store)
      const [meter = 0] = await findSeries(store, document, 'electricity')
      await add(meter, [TODAY + 5 * HOUR])
      await add(meter, [TODAY + 6 * HOUR])
      await store.closedDays.close(siteUuid, closing(TODAY, TODAY + DAY))
      await add(meter, [TODAY + 7 * HOUR])
      assert.deepEqual(await takeCorrections(store, document), [[0, 'electricity', toDate(TODAY), 1]])
    })

    test('a reading after a gap completes the closed days before it', async (t) => {
      const store = await backend.open(t)
      const { document, siteUuid, add } = await createSite(store)
      const [meter = 0] = await findSeries(store, document, 'electricity')
      await store.closedDays.close(siteUuid, closing(TODAY, TODAY + 3 * DAY))
      await add(meter, [TODAY + 4 * DAY])
      assert.deepEqual(await takeCorrections(store, document), [[0, 'electricity', toDate(TODAY), 3]])
    })

    test('a long correction is reported in parts', async (t) => {
      const store = await backend.open(t)
      const { document, add } = await createSite(store)
      const [meter = 0] = await findSeries(store, document, 'electricity')
      const first = TODAY - 500 * DAY
      await add(meter, [first])
      const reported = await takeCorrections(store, document)
      assert.deepEqual(reported, [
        [0, 'electricity', toDate(first), 366],
        [0, 'electricity', toDate(first + 366 * DAY), 124],
      ])
    })

    test('a corrected move changes the spaces from then on; a move now corrects nothing', async (t) => {
      const store = await backend.open(t)
      const { document, siteUuid } = await createSite(store)
      const [meter] = document.devices
      assert.ok(meter)
      const place = (space: number, since: number | null) =>
        store.inventory.apply(
          siteUuid,
          {
            ...document,
            devices: document.devices.map((device) =>
              device === meter
                ? { ...device, spaceUuid: document.spaces[space]?.spaceUuid ?? '', since }
                : device,
            ),
          },
          entry('inventory.applied', NOON),
        )
      await place(2, NOON)
      assert.deepEqual(await takeCorrections(store, document), [])
      await place(2, TODAY - 2 * DAY)
      assert.deepEqual(
        await takeCorrections(store, document),
        ['electricity', 'temperature']
          .flatMap((metric) => [
            [0, metric, toDate(TODAY - 2 * DAY), 2],
            [2, metric, toDate(TODAY - 2 * DAY), 2],
          ])
          .toSorted(([a], [b]) => Number(a) - Number(b)),
      )
    })

    test('readings and closings of the same days at a time: each change is before the closing or a correction', async (t) => {
      const store = await backend.open(t)
      const { document, siteUuid, add } = await createSite(store)
      const [meter = 0] = await findSeries(store, document, 'electricity')
      let before = TODAY
      for (let round = 0; round < 10; round += 1) {
        await add(meter, [before + DAY, before + DAY + HOUR])
        const known = (await takeCorrections(store, document)).length
        // The late reading is stored before or after the day is closed.
        await Promise.all([
          add(meter, [before + 5 * HOUR + 1 + round]),
          store.closedDays.close(siteUuid, closing(before, before + DAY)),
        ])
        await store.runMaintenance()
        const events = await store.events.list(siteUuid, 0, 1_000)
        const closedAt = events.findLastIndex(({ type }) => type === 'day.closed')
        const corrected = events.slice(closedAt).filter(({ type }) => type === 'data.corrected')
        assert.ok(corrected.length <= 1)
        assert.equal((await takeCorrections(store, document)).length, known + corrected.length)
        before += DAY
      }
    })
  })
}
