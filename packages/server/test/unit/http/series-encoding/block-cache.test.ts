import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Windows } from '../../../../src/calendar/interval.ts'
import { createBlockCache } from '../../../../src/http/v2/series-encoding/block-cache.ts'
import { rowMatchedBlocks } from '../../../../src/http/v2/series-encoding/cached-blocks.ts'
import { Digest } from '../../../../src/http/v2/series-encoding/digest.ts'
import type { EncodedBlock } from '../../../../src/http/v2/series-encoding/encoded-block.ts'
import type { EncodedSeries } from '../../../../src/http/v2/series-encoding/encoded-series.ts'

const block = (size: number): EncodedBlock => ({
  windows: new Windows([0, 1]),
  text: 'x'.repeat(size),
  starts: [0, size],
  completePrefix: 1,
  stats: [1, 1, 1, 1],
  digests: [1, 1],
})

const encoded: EncodedSeries = {
  windows: () => '',
  digest: new Digest(),
  hasData: true,
  summary: { min: 1, max: 1 },
}

test('blocks are found under the version that they were encoded from, and under no other', () => {
  const cache = createBlockCache(1_000_000)
  const made = block(10)
  cache.series('a', '1').put(7, made)
  assert.equal(cache.series('a', '1').get(7), made)
  assert.equal(cache.series('b', '1').get(7), undefined)
  assert.equal(cache.series('a', '2').get(7), undefined)
  assert.equal(cache.series('a', '1').get(7), undefined)
})

test('an evicted entry says so and is empty', () => {
  const cache = createBlockCache(10_000)
  const first = cache.series('a', '1')
  first.put(1, block(10))
  assert.equal(first.isEvicted(), false)
  for (let series = 0; series < 30; series += 1) cache.series(`other ${series}`, '1')
  assert.equal(first.isEvicted(), true)
  assert.equal(first.get(1), undefined)
})

test('a block that was encoded while its version changed is not cached', () => {
  const cache = createBlockCache(1_000_000)
  const slow = cache.series('a', '1')
  const current = cache.series('a', '2')
  slow.put(7, block(10))
  assert.equal(current.get(7), undefined)
  assert.equal(cache.series('a', '2').get(7), undefined)
})

test('when the cache is full, the least recently used series is evicted', () => {
  const cache = createBlockCache(10_000)
  for (const key of ['a', 'b', 'c']) cache.series(key, '1').put(1, block(2_000))
  cache.series('a', '1')
  cache.series('d', '1').put(1, block(2_000))
  const isThere = (key: string): boolean => cache.series(key, '1').get(1) !== undefined
  assert.deepEqual(['a', 'b', 'c', 'd'].filter(isThere), ['a', 'c', 'd'])
})

test('series without a block count as well', () => {
  const cache = createBlockCache(10_000)
  cache.series('a', '1').put(1, block(10))
  for (let series = 0; series < 30; series += 1) cache.series(`empty ${series}`, '1')
  assert.equal(cache.series('a', '1').get(1), undefined)
})

test('a whole series is valid as long as its blocks are, including those of another cache', () => {
  const cache = createBlockCache(10_000)
  const windows = new Windows([0, 1])
  const closed = cache.series('a', '1')
  const open = cache.series('a open', '1')
  closed.putWhole(windows, open, encoded)
  assert.equal(closed.getWhole(windows, open), encoded)
  assert.equal(closed.getWhole(new Windows([0, 1]), open), undefined)
  const later = cache.series('a open', '2')
  assert.equal(closed.getWhole(windows, later), undefined)
  const whole = new Windows([0, 7])
  closed.putWhole(whole, undefined, encoded)
  assert.equal(closed.getWhole(whole, later), encoded)
  assert.equal(cache.series('a', '2').getWhole(windows, open), undefined)
  for (let series = 0; series < 30; series += 1) cache.series(`other ${series}`, '1')
  assert.equal(closed.getWhole(windows, open), undefined)
})

test('whole series count as well', () => {
  const cache = createBlockCache(10_000)
  cache.series('a', '1').put(1, block(10))
  for (let range = 0; range < 15; range += 1)
    cache.series('b', '1').putWhole(new Windows([range, range + 1]), undefined, encoded)
  assert.equal(cache.series('a', '1').get(1), undefined)
})

test('without versions, a block is found only for the bytes that it was encoded from', () => {
  const blocks = rowMatchedBlocks(createBlockCache(1_000_000).series('a', '1'), undefined)
  blocks.put(7, Uint8Array.of(1, 2), block(10))
  assert.equal(blocks.get(7), undefined)
  assert.equal(blocks.match(7, Uint8Array.of(1, 2))?.text, block(10).text)
  assert.equal(blocks.match(7, Uint8Array.of(1, 3)), undefined)
  blocks.put(8, undefined, block(10))
  assert.equal(blocks.match(8, Uint8Array.of()), undefined)
})

test('with a version, a block is found until the version changes, and then for the same bytes', () => {
  const series = createBlockCache(1_000_000).series('a', '1')
  rowMatchedBlocks(series, 5).put(7, Uint8Array.of(1, 2), block(10))
  assert.equal(rowMatchedBlocks(series, 5).get(7)?.text, block(10).text)
  assert.equal(rowMatchedBlocks(series, 6).get(7), undefined)
  assert.equal(rowMatchedBlocks(series, 6).match(7, Uint8Array.of(1, 3)), undefined)
  assert.equal(rowMatchedBlocks(series, 6).match(7, Uint8Array.of(1, 2))?.text, block(10).text)
  assert.equal(rowMatchedBlocks(series, 6).get(7)?.text, block(10).text)
  assert.equal(rowMatchedBlocks(series, undefined).get(7), undefined)
})

test('with a version, the absence of a row is cached until the version changes', () => {
  const series = createBlockCache(1_000_000).series('a', '1')
  rowMatchedBlocks(series, 5).put(7, undefined, block(0))
  assert.equal(rowMatchedBlocks(series, 5).get(7)?.text, block(0).text)
  assert.equal(rowMatchedBlocks(series, 6).get(7), undefined)
})

test('a read without a version does not discard the version of a block', () => {
  const series = createBlockCache(1_000_000).series('a', '1')
  rowMatchedBlocks(series, 5).put(7, Uint8Array.of(1, 2), block(10))
  rowMatchedBlocks(series, undefined).match(7, Uint8Array.of(1, 2))
  assert.equal(rowMatchedBlocks(series, 5).get(7)?.text, block(10).text)
})
