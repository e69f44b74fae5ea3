import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseRange, toPreviousRange, toLastDay, toSeriesRange } from '../../src/partner/range.ts'

const TODAY = '2026-11-17'

describe('the range in an address', () => {
  test('is the last 24 hours if it is absent or cannot be read', () => {
    for (const range of [
      parseRange(undefined, undefined, undefined),
      parseRange('century', undefined, undefined),
      parseRange('custom', undefined, undefined),
      parseRange('custom', '2026-11-20', '2026-11-01'),
      parseRange('custom', '2026-13-45', '2026-14-01'),
    ])
      assert.deepEqual(range, { name: '24h' })
  })

  test('can have dates of its own', () => {
    const range = { name: 'custom', from: '2026-10-01', to: '2026-10-31' }
    assert.deepEqual(parseRange('custom', '2026-10-01', '2026-10-31'), range)
  })
})

describe('the call of a range', () => {
  const toQuery = (name: string, from?: string, to?: string) =>
    toSeriesRange(parseRange(name, from, to), TODAY)

  test('the last 24 hours include the current one', () => {
    const hour = Date.parse('2026-11-17T17:00:00Z')
    for (const now of [hour, hour + 3_599_999])
      assert.deepEqual(toLastDay(now), { fromDateTime: '2026-11-16T18:00:00Z' })
    assert.equal(toQuery('24h').granularity, 'hourly')
    assert.deepEqual(Object.keys(toQuery('24h').query), ['fromDateTime'])
  })

  test('today is the last day, and the end is exclusive', () => {
    assert.deepEqual(toQuery('7d'), {
      granularity: 'hourly',
      query: { fromDateTime: '2026-11-11', toDateTime: '2026-11-18' },
    })
    assert.deepEqual(toQuery('30d'), {
      granularity: 'daily',
      query: { fromDateTime: '2026-10-19', toDateTime: '2026-11-18' },
    })
    assert.deepEqual(toQuery('1y'), {
      granularity: 'daily',
      query: { interval: 'P1W', fromDateTime: '2025-11-18', toDateTime: '2026-11-18' },
    })
  })

  test('longer ranges have longer windows', () => {
    const intervals = [
      ['2026-11-17', 'hourly', undefined],
      ['2026-11-10', 'hourly', undefined],
      ['2026-11-09', 'daily', undefined],
      ['2026-08-01', 'daily', 'P1W'],
      ['2024-01-01', 'daily', 'P1M'],
    ] as const
    for (const [from, granularity, interval] of intervals) {
      const range = toQuery('custom', from, TODAY)
      assert.deepEqual([range.granularity, range.query['interval']], [granularity, interval], from)
    }
  })
})

describe('the range before', () => {
  test('has as many days', () => {
    assert.deepEqual(toPreviousRange({ name: '7d' }, TODAY, undefined), {
      granularity: 'hourly',
      query: { fromDateTime: '2026-11-04', toDateTime: '2026-11-11' },
    })
  })

  test('of weeks begins on the same day of the week', () => {
    assert.deepEqual(toPreviousRange({ name: '1y' }, TODAY, undefined), {
      granularity: 'daily',
      query: { interval: 'P1W', fromDateTime: '2024-11-12', toDateTime: '2025-11-12' },
    })
  })

  test('of the last 24 hours ends where the answer begins', () => {
    assert.equal(toPreviousRange({ name: '24h' }, TODAY, undefined), undefined)
    assert.deepEqual(toPreviousRange({ name: '24h' }, TODAY, { fromDateTime: '2026-11-16T07:00:00+01:00' }), {
      granularity: 'hourly',
      query: { fromDateTime: '2026-11-15T06:00:00Z', toDateTime: '2026-11-16T06:00:00Z' },
    })
  })
})
