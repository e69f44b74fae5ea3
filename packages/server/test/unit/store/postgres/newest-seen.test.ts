import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNewestSeen } from '../../../../src/store/postgres/readings/newest-seen.ts'

const SITE = '00000000-0000-4000-8000-000000000001'
const WATERMARK = 1_000

const changeAt = (at: number) => ({ seriesId: 1, timestamps: [at], lastValue: 0 })

test('a reading is live after one that was stored on the same server since the watermark', () => {
  const seen = createNewestSeen()
  assert.equal(seen.isLive(SITE, changeAt(1_200), WATERMARK, 'first'), false)
  seen.record(SITE, [changeAt(1_100)], 'first')
  assert.equal(seen.isLive(SITE, changeAt(1_200), WATERMARK, 'first'), true)
  assert.equal(seen.isLive(SITE, changeAt(1_050), WATERMARK, 'first'), false)
  assert.equal(seen.isLive(SITE, changeAt(1_200), 1_150, 'first'), false)
})

test('a reading that was stored on another server may be lost', () => {
  const seen = createNewestSeen()
  seen.record(SITE, [changeAt(1_100)], 'first')
  assert.equal(seen.isLive(SITE, changeAt(1_200), WATERMARK, 'second'), false)
  seen.record(SITE, [changeAt(1_200)], 'second')
  assert.equal(seen.isLive(SITE, changeAt(1_300), WATERMARK, 'second'), true)
  // Of a transaction that was committed before the failover, and reported after it.
  seen.record(SITE, [changeAt(1_250)], 'first')
  assert.equal(seen.isLive(SITE, changeAt(1_300), WATERMARK, 'second'), false)
})
