import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventWatch } from '../../../../src/domain/event/watch.ts'

const SITE = 'site'
const LONG_MS = 60_000

/** A log whose next read of one kind can fail. */
function watchLog() {
  const state = { lastNumber: 1, version: 1, failing: '' }
  const errors: unknown[] = []
  const failIf = (read: string): void => {
    if (state.failing !== read) return
    state.failing = ''
    throw new Error('The store is unavailable.')
  }
  const watch = createEventWatch({
    store: {
      async heads() {
        failIf('heads')
        return new Map([[SITE, { firstNumber: 1, lastNumber: state.lastNumber }]])
      },
      async list() {
        failIf('list')
        return []
      },
    },
    dataVersion: () => state.version,
    isStopping: () => false,
    onError: (error) => void errors.push(error),
  })
  return { state, errors, watch }
}

for (const read of ['heads', 'list'])
  test(`an event is noticed at the next poll if ${read} failed`, { timeout: 5_000 }, async () => {
    const { state, errors, watch } = watchLog()
    const subscription = watch.subscribe(SITE)
    assert.equal(await subscription.next(LONG_MS), true)
    state.lastNumber += 1
    state.version += 1
    state.failing = read
    assert.equal(await subscription.next(LONG_MS), true)
    assert.equal(errors.length, 1)
    subscription.end()
  })
