import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createStaleIfErrorCache } from '../../../../src/domain/external/stale-if-error-cache.ts'
import { createClock } from '../../../support/clock.ts'

function bench() {
  const clock = createClock()
  const answers = createStaleIfErrorCache<number>({ clock, max: 2, freshMs: () => 1_000 })
  let requests = 0
  const ask = async (): Promise<number> => ++requests
  const fail = async (): Promise<number> => {
    requests += 1
    throw new Error(`failure ${requests}`)
  }
  return { clock, answers, ask, fail, requests: () => requests }
}

describe('remembered answers', () => {
  test('those who ask at the same time share one question', async () => {
    const { answers, ask, requests } = bench()
    const all = await Promise.all([answers('a', ask), answers('a', ask), answers('a', ask)])
    for (const answer of all) assert.deepEqual(answer, { value: 1, isStale: false })
    assert.equal(requests(), 1)
  })

  test('an answer is asked for again when it is no longer fresh', async () => {
    const { clock, answers, ask } = bench()
    await answers('a', ask)
    clock.at += 999
    assert.equal((await answers('a', ask)).value, 1)
    clock.at += 1
    assert.equal((await answers('a', ask)).value, 2)
  })

  test('the last known one stands in for a failure, and says so', async () => {
    const { clock, answers, ask, fail, requests } = bench()
    await answers('a', ask)
    clock.at += 1_000
    assert.deepEqual(await answers('a', fail), { value: 1, isStale: true })
    assert.deepEqual(await answers('a', fail), { value: 1, isStale: true })
    assert.equal(requests(), 2, 'not asked again at once')
    clock.at += 30_000
    assert.deepEqual(await answers('a', ask), { value: 3, isStale: false })
  })

  test('without one the failure is told, also to those who come soon after', async () => {
    const { clock, answers, ask, fail } = bench()
    await assert.rejects(answers('a', fail), /failure 1/)
    await assert.rejects(answers('a', ask), /failure 1/)
    clock.at += 30_000
    assert.equal((await answers('a', ask)).value, 2)
  })

  test('a question that throws at once does not stay under way', async () => {
    const { clock, answers, ask } = bench()
    const broken = (): Promise<number> => {
      throw new Error('broken')
    }
    await assert.rejects(answers('a', broken), /broken/)
    clock.at += 30_000
    assert.equal((await answers('a', ask)).value, 1)
  })

  test('the least recently used is forgotten', async () => {
    const { answers, ask } = bench()
    for (const key of ['a', 'b', 'c']) await answers(key, ask)
    assert.equal((await answers('c', ask)).value, 3)
    assert.equal((await answers('a', ask)).value, 4)
  })
})
