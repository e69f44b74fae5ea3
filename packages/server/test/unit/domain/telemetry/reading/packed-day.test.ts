import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EndOfBytes } from '../../../../../src/domain/telemetry/reading/bytes.ts'
import { mergeReadings } from '../../../../../src/domain/telemetry/reading/readings.ts'
import {
  DAY_MS,
  packDay,
  type Readings,
  repackDay,
  unpackDay,
} from '../../../../../src/domain/telemetry/reading/packed-day.ts'

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

test('a packed day unpacks to exactly its readings', () => {
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

test('a value with decimals is exact after a large one', () => {
  const given: Readings = { timestamps: [0, 1], values: [1e12, 3_074_762_986.36741] }
  assert.deepEqual(unpackDay(0, packDay(0, given)), given)
})

/** A reading at a fixed step in minutes, except for one that is missing or slightly late. */
const regular = (day: number): fc.Arbitrary<Readings> =>
  fc
    .record({
      minutes: fc.constantFrom(1, 5, 7, 15, 30, 60, 240, 1_440),
      from: fc.constantFrom(0, 0, 0, 1),
      late: fc.constantFrom(undefined, undefined, 0, 1, 5),
      value,
    })
    .map(({ minutes, from, late, value: first }) => {
      const count = Math.floor(1_440 / minutes) - from
      const indexes = Array.from({ length: count }, (_, index) => index)
      return {
        timestamps: indexes.map(
          (index) => day * DAY_MS + (index + from) * minutes * 60_000 + (index === late ? 1 : 0),
        ),
        values: indexes.map((index) => first + index),
      }
    })

test('so does a day with a fixed step, complete or almost complete', () => {
  fc.assert(
    fc.property(regular(20_000), (given) => {
      const bytes = packDay(20_000, given)
      assert.deepEqual(unpackDay(20_000, bytes), given)
      assert.equal(repackDay(20_000, bytes), bytes)
    }),
  )
})

test('a day packed before there was a shorter layout is read, and repacked', () => {
  // 48 readings, the first at midnight, one run of 47 half-hour steps; one decimal, 20.5 and no differences.
  const times = [48, 0, 0xc0, 0xee, 0x6d, 47]
  const older = Uint8Array.from([1, ...times, 1, 0x9a, 0x03, ...Array.from({ length: 47 }, () => 0)])
  const expected = {
    timestamps: Array.from({ length: 48 }, (_, index) => 20_000 * DAY_MS + index * 1_800_000),
    values: Array.from({ length: 48 }, () => 20.5),
  }
  assert.deepEqual(unpackDay(20_000, older), expected)
  const repacked = repackDay(20_000, older)
  assert.deepEqual(repacked, packDay(20_000, expected))
  assert.equal(older.length - repacked.length, 5)
})

test('a day of half-hourly register readings takes about two bytes a reading', () => {
  const given: Readings = { timestamps: [], values: [] }
  for (let index = 0; index < 48; index += 1) {
    given.timestamps.push(20_000 * DAY_MS + index * 1_800_000)
    given.values.push(Math.round((123_456.789 + index * 0.431) * 1000) / 1000)
  }
  assert.ok(packDay(20_000, given).byteLength <= 48 * 2 + 16)
})

test('merging keeps every instant once, with the newer value if both have it', () => {
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

test('truncated bytes are an error, not readings of zero', () => {
  const whole = packDay(20_000, { timestamps: [20_000 * DAY_MS, 20_000 * DAY_MS + 7], values: [1.5, 3] })
  for (let length = 0; length < whole.length; length += 1)
    assert.throws(() => unpackDay(20_000, whole.subarray(0, length)), EndOfBytes)
})
