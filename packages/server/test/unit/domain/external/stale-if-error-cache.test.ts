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

describe('a stale-if-error cache', () => {
  test('shares one request between concurrent callers', async () => {
    const { answers, ask, requests } = bench()
    const all = await Promise.all([answers('a', ask), answers('a', ask), answers('a', ask)])
    for (const answer of all) assert.deepEqual(answer, { value: 1, isStale: false })
    assert.equal(requests(), 1)
  })

  test('requests a value again when it is no longer fresh', async () => {
    const { clock, answers, ask } = bench()
    await answers('a', ask)
    clock.at += 999
    assert.equal((await answers('a', ask)).value, 1)
    clock.at += 1
    assert.equal((await answers('a', ask)).value, 2)
  })

  test('returns the last known value, marked as stale, after a failure', async () => {
    const { clock, answers, ask, fail, requests } = bench()
    await answers('a', ask)
    clock.at += 1_000
    assert.deepEqual(await answers('a', fail), { value: 1, isStale: true })
    assert.deepEqual(await answers('a', fail), { value: 1, isStale: true })
    assert.equal(requests(), 2, 'not requested again immediately')
    clock.at += 30_000
    assert.deepEqual(await answers('a', ask), { value: 3, isStale: false })
  })

  test('reports the failure if there is none, also to callers soon afterwards', async () => {
    const { clock, answers, ask, fail } = bench()
    await assert.rejects(answers('a', fail), /failure 1/)
    await assert.rejects(answers('a', ask), /failure 1/)
    clock.at += 30_000
    assert.equal((await answers('a', ask)).value, 2)
  })

  test('does not keep a request in flight that throws synchronously', async () => {
    const { clock, answers, ask } = bench()
    const broken = (): Promise<number> => {
      throw new Error('broken')
    }
    await assert.rejects(answers('a', broken), /broken/)
    clock.at += 30_000
    assert.equal((await answers('a', ask)).value, 1)
  })

  test('evicts the least recently used entry', async () => {
    const { answers, ask } = bench()
    for (const key of ['a', 'b', 'c']) await answers(key, ask)
    assert.equal((await answers('c', ask)).value, 3)
    assert.equal((await answers('a', ask)).value, 4)
  })
})
