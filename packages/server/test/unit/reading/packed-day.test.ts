import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeReadings } from '../../../src/reading/merge.ts'
import { DAY_MS, packDay, type Readings, unpackDay } from '../../../src/reading/packed-day.ts'

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  fc.integer({ min: -1e9, max: 1e9 }).map((scaled) => scaled / 1000),
  fc.constantFrom(0, -0, 0.1, 1e12, -1e12, 5e-324),
)

const readings = (day: number): fc.Arbitrary<Readings> =>
  fc
    .uniqueArray(fc.record({ at: fc.integer({ min: 0, max: DAY_MS - 1 }), value }), {
      selector: ({ at }) => at,
      maxLength: 200,
    })
    .map((items) => {
      const sorted = items.toSorted((a, b) => a.at - b.at)
      return {
        timestamps: sorted.map(({ at }) => day * DAY_MS + at),
        values: sorted.map((item) => item.value),
      }
    })

test('a packed day gives back exactly what went in', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 84_000 }), (day) => {
      fc.assert(
        fc.property(readings(day), (given) => {
          const back = unpackDay(day, packDay(day, given))
          assert.deepEqual(back.timestamps, given.timestamps)
          assert.ok(back.values.every((one, index) => Object.is(one, given.values[index])))
        }),
        { numRuns: 20 },
      )
    }),
    { numRuns: 20 },
  )
})

test('a day of half-hourly register readings takes about two bytes a reading', () => {
  const given: Readings = { timestamps: [], values: [] }
  for (let index = 0; index < 48; index += 1) {
    given.timestamps.push(20_000 * DAY_MS + index * 1_800_000)
    given.values.push(Math.round((123_456.789 + index * 0.431) * 1000) / 1000)
  }
  assert.ok(packDay(20_000, given).byteLength <= 48 * 2 + 16)
})

test('merging keeps every instant once, and the newer value where both have it', () => {
  fc.assert(
    fc.property(readings(1), readings(1), (older, newer) => {
      const merged = mergeReadings(older, newer)
      const expected = new Map(older.timestamps.map((at, index) => [at, older.values[index]]))
      newer.timestamps.forEach((at, index) => void expected.set(at, newer.values[index]))
      assert.deepEqual(
        merged.timestamps,
        [...expected.keys()].toSorted((a, b) => a - b),
      )
      merged.timestamps.forEach((at, index) => assert.ok(Object.is(merged.values[index], expected.get(at))))
    }),
  )
})
