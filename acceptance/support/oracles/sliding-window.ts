import assert from 'node:assert/strict'

const MINUTE_MS = 60_000

/**
 * Asserts that calls made within `count` were limited to this many a minute. A sliding window expires old calls
 * meanwhile: the longer the calls take, the more of them may pass.
 */
export async function assertLimitedTo(limit: number, count: () => Promise<number>): Promise<void> {
  const startedAt = performance.now()
  const passed = await count()
  const minutes = (performance.now() - startedAt) / MINUTE_MS
  const most = Math.ceil(limit * (1 + minutes)) + 1
  assert.ok(
    passed >= limit && passed <= most,
    `${passed} passed in ${minutes} minutes, the limit is ${limit}`,
  )
}
