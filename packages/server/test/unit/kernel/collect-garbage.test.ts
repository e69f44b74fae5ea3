import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import { collectGarbage } from '../../../src/kernel/collect-garbage.ts'

test('unreachable objects are collected, and V8 keeps its flags', async () => {
  const flags = cachedDataVersionTag()
  const unused = new WeakRef({})
  // A weak reference keeps its target alive within the event-loop tick in which it was created.
  await nextTurn()
  collectGarbage()
  assert.equal(unused.deref(), undefined)
  assert.equal(cachedDataVersionTag(), flags)
})
