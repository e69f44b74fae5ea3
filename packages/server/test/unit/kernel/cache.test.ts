import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BoundedCache, TtlCache, VersionedCache } from '../../../src/kernel/cache.ts'
import { createClock } from '../../support/clock.ts'

test('a full map evicts the least recently used entry', () => {
  const map = new BoundedCache<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
  assert.equal(map.size, 2)
})

test('setting a key again replaces it and evicts nothing else', () => {
  const map = new BoundedCache<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  assert.deepEqual([map.get('a'), map.get('b')], [1, 3])
})

test('it holds the more recently used half, and never more than its bound', () => {
  const used = fc.array(fc.record({ key: fc.nat(30), isSet: fc.boolean() }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), used, (max, steps) => {
      const map = new BoundedCache<number, number>(max)
      const latest = new Map<number, number>()
      for (const [step, { key, isSet }] of steps.entries()) {
        const sure = [...latest.keys()].slice(-Math.ceil(max / 2))
        if (!isSet && sure.includes(key)) assert.equal(map.get(key), latest.get(key))
        const value = isSet ? step : map.get(key)
        if (value === undefined) continue
        if (isSet) map.set(key, step)
        latest.delete(key)
        latest.set(key, value)
        assert.ok(map.size <= Math.max(2, max + 1))
      }
    }),
  )
})

function ttlCache(load: (key: string) => Promise<{ value: string } | undefined>) {
  const clock = createClock()
  return { clock, cache: new TtlCache({ ttlMs: 2_000, max: 10, clock, load }) }
}

/** Returns `key` and the number of the load. */
function countLoads() {
  let loads = 0
  return async (key: string) => ({ value: `${key}${++loads}` })
}

describe('a TTL cache', () => {
  test('returns synchronously once a value is loaded, until it expires', async () => {
    const { clock, cache } = ttlCache(countLoads())
    assert.ok(cache.get('a') instanceof Promise)
    await cache.get('a')
    clock.at += 1_999
    assert.deepEqual(cache.get('a'), { value: 'a1' })
    clock.at += 1
    assert.deepEqual(await cache.get('a'), { value: 'a2' })
  })

  test('loads a key once for concurrent callers', async () => {
    const { cache } = ttlCache(countLoads())
    const found = await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])
    assert.deepEqual(found, [{ value: 'a1' }, { value: 'a1' }, { value: 'b2' }])
  })

  test('does not cache a failure', async () => {
    let isBroken = true
    const { cache } = ttlCache(async (value) => {
      if (isBroken) throw new Error('away')
      return { value }
    })
    await assert.rejects(async () => cache.get('a'), /away/)
    isBroken = false
    assert.deepEqual(await cache.get('a'), { value: 'a' })
  })

  test('does not cache a miss', async () => {
    let isKnown = false
    const { cache } = ttlCache(async (value) => (isKnown ? { value } : undefined))
    assert.equal(await cache.get('a'), undefined)
    isKnown = true
    assert.deepEqual(await cache.get('a'), { value: 'a' })
  })

  test('loads again after the clock was set back', async () => {
    const { clock, cache } = ttlCache(countLoads())
    await cache.get('a')
    clock.at -= 3_600_000
    assert.deepEqual(await cache.get('a'), { value: 'a2' })
  })

  test('does not cache a value that was being loaded when it was invalidated', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let loads = 0
    const { cache } = ttlCache(async (key) => {
      const value = `${key}${++loads}`
      if (loads === 1) await held
      return { value }
    })
    const slow = cache.get('a')
    cache.invalidate()
    assert.deepEqual(await cache.get('a'), { value: 'a2' })
    release()
    assert.deepEqual(await slow, { value: 'a1' })
    assert.deepEqual(cache.get('a'), { value: 'a2' })
  })
})

test('a versioned cache returns a value for the version it was computed from, and for no other', () => {
  const cache = new VersionedCache<string, string>(10)
  cache.set('a', 1, 'one')
  assert.equal(cache.get('a', 1), 'one')
  assert.equal(cache.get('a', 2), undefined)
  cache.set('a', 2, 'two')
  assert.equal(cache.get('a', 2), 'two')
  assert.equal(cache.get('a', 1), undefined)
})
