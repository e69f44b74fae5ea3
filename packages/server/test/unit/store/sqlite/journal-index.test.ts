import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJournalIndex } from '../../../../src/store/sqlite/journal/journal-index.ts'

const SERIES = [1, 2]
const instants = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 8 })
const arrivals = fc.array(fc.record({ seriesId: fc.constantFrom(...SERIES), instants }), { maxLength: 12 })

/** Sorted readings: the value of each is its sequence number. */
function putAll(all: readonly { seriesId: number; instants: readonly number[] }[]) {
  const hot = createJournalIndex()
  const expected = new Map(SERIES.map((seriesId) => [seriesId, new Map<number, number>()]))
  all.forEach(({ seriesId, instants }, arrival) => {
    const sorted = instants.toSorted((a, b) => a - b)
    for (const at of sorted) expected.get(seriesId)?.set(at, arrival)
    // Among others, as in a batch.
    const timestamps = Float64Array.of(-1, ...sorted, 99)
    const values = timestamps.map(() => arrival)
    hot.put(arrival, seriesId, timestamps, values, 1, timestamps.length - 1)
  })
  return { hot, expected }
}

const sortByTime = (readings: ReadonlyMap<number, number> | undefined): [number, number][] =>
  [...(readings ?? [])].toSorted(([a], [b]) => a - b)

test('for any order of arrival, readings are in chronological order and the newest value wins', () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: -1, max: 41 }), (all, at) => {
      const { hot, expected } = putAll(all)
      let size = 0
      for (const seriesId of SERIES) {
        const sorted = sortByTime(expected.get(seriesId))
        const own = hot.of(seriesId)
        assert.deepEqual(own?.timestamps.map((time, index) => [time, own.values[index]]) ?? [], sorted)
        const last = sorted.at(-1)
        assert.deepEqual(hot.newest(seriesId), last && { at: last[0], value: last[1] })
        const before = sorted.findLast(([time]) => time < at)?.[0]
        assert.equal(hot.before(seriesId, at), before ?? Number.NEGATIVE_INFINITY)
        size += sorted.length
      }
      assert.equal(hot.size, size)
    }),
  )
})

test('readings up to a sequence number are removed, and no others', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(12), (all, arrival) => {
      const { hot, expected } = putAll(all)
      hot.evict(arrival)
      for (const seriesId of SERIES) {
        const retained = sortByTime(expected.get(seriesId)).filter(([, value]) => value > arrival)
        assert.deepEqual(
          hot.of(seriesId)?.timestamps ?? [],
          retained.map(([at]) => at),
        )
      }
    }),
  )
})

test('it grows beyond its initial capacity', () => {
  const hot = createJournalIndex()
  const timestamps = Float64Array.from({ length: 5_000 }, (_, index) => index)
  hot.put(1, 7, timestamps, timestamps, 0, 5_000)
  assert.equal(hot.size, 5_000)
  assert.deepEqual(hot.of(7)?.values, [...timestamps])
})
