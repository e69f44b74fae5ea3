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

test('a site whose events cannot be read does not delay those of another site', {
  timeout: 5_000,
}, async () => {
  const lastNumbers = new Map([
    ['damaged', 1],
    ['intact', 1],
  ])
  let version = 1
  const watch = createEventWatch({
    store: {
      heads: async () =>
        new Map([...lastNumbers].map(([site, lastNumber]) => [site, { firstNumber: 1, lastNumber }])),
      async list(siteUuid) {
        if (siteUuid === 'damaged') throw new Error('A row is damaged.')
        return []
      },
    },
    dataVersion: () => version,
    isStopping: () => false,
    onError: () => {},
  })
  const [damaged, intact] = [watch.subscribe('damaged'), watch.subscribe('intact')]
  assert.deepEqual(await Promise.all([damaged.next(LONG_MS), intact.next(LONG_MS)]), [true, true])
  for (const site of lastNumbers.keys()) lastNumbers.set(site, 2)
  version += 1
  assert.equal(await intact.next(LONG_MS), true)
  damaged.end()
  intact.end()
})
