import assert from 'node:assert/strict'

const MINUTE_MS = 60_000

/**
 * Asserts that calls made within `count` were limited to so many a minute. A window that slides forgets a part of the past
 * while they are made, and the longer they take, the more of them may pass.
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
