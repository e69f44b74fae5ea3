import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIntakeFixture } from '../../../support/mqtt-fixture.ts'

const AT = '2026-11-14T10:00:00Z'
const LATER = '2026-11-14T11:00:00Z'

test('a retained copy replaces nothing; one without new readings is recognised', async (t) => {
  const { send, values } = await createIntakeFixture(t)
  assert.deepEqual(await send([[AT, 1]]), undefined)
  assert.deepEqual(await send([[AT, 2]]), undefined)
  assert.equal(await send([[AT, 1]], { isRetainedCopy: true }), 'retained-copy')
  assert.deepEqual(await values(), [2])
  const withMore = await send(
    [
      [AT, 1],
      [LATER, 3],
    ],
    { isRetainedCopy: true },
  )
  assert.equal(withMore, undefined)
  assert.deepEqual(await values(), [2, 3])
})

test('a redelivery replaces nothing and is not rejected', async (t) => {
  const { send, values } = await createIntakeFixture(t)
  await send([[AT, 1]])
  await send([[AT, 2]])
  assert.equal(await send([[AT, 1]], { isDuplicate: true }), undefined)
  assert.deepEqual(await values(), [2])
})
