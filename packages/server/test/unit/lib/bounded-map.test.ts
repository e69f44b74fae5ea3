import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedMap } from '../../../src/lib/bounded-map.ts'

test('a full map forgets what was used longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
  assert.equal(map.size, 2)
})

test('setting a key again replaces it and forgets nothing else', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  assert.deepEqual([map.get('a'), map.get('b')], [1, 3])
})

test('it has the half that was used last, and never more than its bound', () => {
  const used = fc.array(fc.record({ key: fc.nat(30), isSet: fc.boolean() }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), used, (max, steps) => {
      const map = new BoundedMap<number, number>(max)
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
