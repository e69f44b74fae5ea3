import assert from 'node:assert/strict'
import { test } from 'node:test'
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
