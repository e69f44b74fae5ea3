import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import { collectGarbage } from '../../../src/kernel/collect-garbage.ts'

test('what nobody uses is gone, and V8 runs under the flags it had', async () => {
  const flags = cachedDataVersionTag()
  const unused = new WeakRef({})
  // A weak reference keeps its target alive within the event-loop tick in which it was created.
  await nextTurn()
  collectGarbage()
  assert.equal(unused.deref(), undefined)
  assert.equal(cachedDataVersionTag(), flags)
})
