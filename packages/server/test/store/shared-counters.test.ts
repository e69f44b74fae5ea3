import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { checkWindow } from '../../src/domain/identity/rate-limit/sliding-window.ts'
import type { LimitRequest, LimitVerdict, LimitWindow } from '../../src/domain/identity/rate-limit/limits.ts'
import { redisCounts } from '../../src/domain/identity/rate-limit/redis.ts'
import type { SharedCounters } from '../../src/domain/identity/rate-limit/shared-counters.ts'
import { findFreePort } from '../../../../acceptance/support/servers/free-port.ts'
import { COUNTER_BACKENDS } from '../support/shared-counters.ts'

/** Too long to expire during a test. */
const AGE_MS = 1e12

const use = (...windows: LimitWindow[]): LimitRequest => ({ kind: 'requests', key: 'partner site', windows })

async function take(counts: SharedCounters, one: LimitRequest): Promise<LimitVerdict[]> {
  const { now, windows } = await counts.consume(one)
  return windows.map(({ window, buckets }) => checkWindow(buckets, window, now, one.cost))
}

/** A new client is still connecting. */
async function untilConnected(counts: SharedCounters): Promise<void> {
  const probe: LimitRequest = { kind: 'commands', key: 'connected', windows: [{ limit: 1e6, ms: AGE_MS }] }
  for (let isThere = false; !isThere; ) {
    isThere = await counts.consume(probe).then(
      () => true,
      () => delay(20, false),
    )
  }
}

for (const { name, openTwo } of COUNTER_BACKENDS) {
  describe(`counters shared through ${name}`, () => {
    const open: typeof openTwo = async (t) => {
      const both = await openTwo(t)
      for (const counts of both) await untilConnected(counts)
      return both
    }

    test('a request without cost reads the counters and changes nothing', async (t) => {
      const [one, two] = await open(t)
      const limited = use({ limit: 2, ms: AGE_MS })
      const left = (remaining: number): LimitVerdict[] => [{ allowed: true, remaining }]
      const read = (): Promise<LimitVerdict[]> => take(two, { ...limited, cost: 0 })
      assert.deepEqual(await read(), left(2))
      for (const remaining of [1, 0]) {
        assert.deepEqual(await take(one, limited), left(remaining))
        assert.deepEqual(await Promise.all([read(), read()]), [left(remaining), left(remaining)])
      }
    })

    test('what one instance counts, the other sees', async (t) => {
      const [one, two] = await open(t)
      const two20 = use({ limit: 2, ms: AGE_MS }, { limit: 20, ms: 2 * AGE_MS })
      const left = (remaining: number): LimitVerdict => ({ allowed: true, remaining })
      assert.deepEqual(await take(one, two20), [left(1), left(19)])
      assert.deepEqual(await take(two, two20), [left(0), left(18)])
      const refused = await take(one, two20)
      assert.deepEqual([refused[0]?.allowed, refused[1]], [false, left(17)])
      assert.deepEqual((await take(two, two20))[1], left(17), 'refused by one window, counted in none')
    })

    test('a refund is available again, and never more than was consumed', async (t) => {
      const [one, two] = await open(t)
      const single = use({ limit: 1, ms: AGE_MS })
      await one.refund(single)
      assert.deepEqual(await take(one, single), [{ allowed: true, remaining: 0 }])
      await two.refund(single)
      assert.deepEqual(await take(two, single), [{ allowed: true, remaining: 0 }])
      assert.equal((await take(one, single))[0]?.allowed, false)
    })

    test('concurrent refunds of different costs are all counted', async (t) => {
      const both = await open(t)
      const costing = (cost: number): LimitRequest => ({ ...use({ limit: 200, ms: AGE_MS }), cost })
      await take(both[0], costing(200))
      const costs = Array.from({ length: 40 }, (_, index) => 1 + (index % 4))
      await Promise.all(costs.map((cost, index) => both[index % 2 === 0 ? 0 : 1].refund(costing(cost))))
      assert.deepEqual(await take(both[1], costing(0)), [{ allowed: true, remaining: 100 }])
    })

    test('concurrent uses succeed exactly as often as the limit allows', async (t) => {
      const both = await open(t)
      const ten = use({ limit: 10, ms: AGE_MS })
      const verdicts = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => take(both[index % 2 === 0 ? 0 : 1], ten)),
      )
      assert.equal(verdicts.filter(([verdict]) => verdict?.allowed).length, 10)
    })

    test('a use consumes its cost from every window, or nothing from any', async (t) => {
      const [one, two] = await open(t)
      const windows = [
        { limit: 10, ms: AGE_MS },
        { limit: 12, ms: 2 * AGE_MS },
      ]
      const costing = (cost: number): LimitRequest => ({ ...use(...windows), cost })
      const left = async (counts: SharedCounters, cost: number): Promise<(boolean | number)[][]> =>
        (await take(counts, costing(cost))).map(({ allowed, remaining }) => [allowed, remaining])
      assert.deepEqual(await left(one, 7), [
        [true, 3],
        [true, 5],
      ])
      assert.deepEqual(await left(two, 4), [
        [false, 3],
        [true, 1],
      ])
      assert.deepEqual(await left(two, 3), [
        [true, 0],
        [true, 2],
      ])
      await one.refund(costing(4))
      assert.deepEqual(await left(one, 4), [
        [true, 0],
        [true, 2],
      ])
      await one.refund(costing(100))
      assert.deepEqual(await left(two, 1), [
        [true, 9],
        [true, 11],
      ])
    })

    test('concurrent uses of different costs consume no more than the limit', async (t) => {
      const both = await open(t)
      const costs = Array.from({ length: 60 }, (_, index) => 1 + (index % 4))
      const consumed = await Promise.all(
        costs.map(async (cost, index) => {
          const costly = { ...use({ limit: 20, ms: AGE_MS }), cost }
          const [verdict] = await take(both[index % 2 === 0 ? 0 : 1], costly)
          return verdict?.allowed ? cost : 0
        }),
      )
      const total = consumed.reduce((sum, cost) => sum + cost, 0)
      // The remainder at the end is less than the largest cost.
      assert.ok(total <= 20 && total > 20 - 4, `${total} units of 20`)
    })

    test('limit kinds and keys are counted separately', async (t) => {
      const [one] = await open(t)
      const single = use({ limit: 1, ms: AGE_MS })
      for (const other of [single, { ...single, key: 'other' }, { ...single, kind: 'tokens' as const }])
        assert.equal((await take(one, other))[0]?.allowed, true)
    })

    test('the previous bucket counts as long as the window covers a part of it', async (t) => {
      const [one, two] = await open(t)
      const second = use({ limit: 100, ms: 1_000 })
      for (let index = 0; index < 5; index += 1) await one.consume(second)
      const before = (await one.consume(second)).windows[0]?.buckets
      await delay(1_000)
      const after = (await two.consume(second)).windows[0]?.buckets
      assert.ok(before && after && after.start > before.start)
      // On a slow machine more than one bucket may have passed, even between the first calls.
      const isNext = after.start === before.start + 1_000
      assert.equal(after.previous, isNext ? before.current + 1 : 0)
      assert.equal(after.current, 0)
    })
  })
}

test('an unreachable Redis fails fast', async (t) => {
  const counts = redisCounts(`redis://127.0.0.1:${await findFreePort()}`)
  t.after(() => counts.close())
  await assert.rejects(counts.consume(use({ limit: 1, ms: AGE_MS })))
})
