import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listReadings } from '../../../../support/list-readings.ts'
import { createReadingList } from '../../../../../src/domain/telemetry/ingest/reading-list.ts'

const reading = fc.record({
  site: fc.constantFrom('one', 'two'),
  seriesId: fc.integer({ min: 1, max: 4 }),
  at: fc.integer({ min: 0, max: 5 }),
  value: fc.integer({ min: 0, max: 2 }),
})

test('for any order, readings are sorted by site, series and time, with the first and the last value of each instant', () => {
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), (readings) => {
      const list = createReadingList()
      for (const { site, seriesId, at, value } of readings) list.put(site, seriesId, at, value)
      assert.equal(list.size(), readings.length)
      const sites = list.bySite()
      for (const site of ['one', 'two']) {
        const own = readings.filter((one) => one.site === site)
        const sorted = sites.get(site)
        const byInstant = Map.groupBy(own, ({ seriesId, at }) => `${seriesId} ${at}`)
        const wanted = [...byInstant.values()].toSorted(
          ([a], [b]) => (a?.seriesId ?? 0) - (b?.seriesId ?? 0) || (a?.at ?? 0) - (b?.at ?? 0),
        )
        assert.deepEqual(
          sorted ? listReadings(sorted.first) : [],
          wanted.map(([one]) => one && triple(one)),
        )
        const repeated = wanted.filter((values) => values.length > 1)
        assert.deepEqual(
          sorted?.last ? listReadings(sorted.last) : [],
          repeated.map((values) => triple(values.at(-1) ?? assert.fail())),
        )
      }
    }),
  )
})

type Triple = [seriesId: number, at: number, value: number]

const triple = ({ seriesId, at, value }: { seriesId: number; at: number; value: number }): Triple => [
  seriesId,
  at,
  value,
]
