import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBackgroundPace } from '../../../src/kernel/background-pace.ts'

/** A pace with a stopped clock. `rested` is how long `pause` rests after some work. */
function createStoppedPace(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1_000
  let cpuMs = 0
  t.mock.method(performance, 'now', () => now)
  t.mock.method(process, 'threadCpuUsage', () => ({ user: cpuMs * 1_000, system: 0 }))
  const responses = new Int32Array(new SharedArrayBuffer(4))
  const pause = createBackgroundPace(responses)
  return {
    respond: () => Atomics.add(responses, 0, 1),
    pass(ms: number) {
      now += ms
    },
    async rested({ cpu, waiting = 0 }: { cpu: number; waiting?: number }): Promise<number> {
      now += cpu + waiting
      cpuMs += cpu
      const paused = { isOver: false }
      void Promise.resolve(pause()).then(() => (paused.isOver = true))
      // A yield to other work ends in the next turn; only a rest takes time.
      await nextTurn()
      let ms = 0
      for (; !paused.isOver && ms < 1_000; ms += 1) {
        now += 1
        t.mock.timers.tick(1)
        await nextTurn()
      }
      return ms
    },
  }
}

test('background work rests after its steps while requests are served', async (t) => {
  const { respond, rested } = createStoppedPace(t)
  assert.equal(await rested({ cpu: 3 }), 0)
  respond()
  assert.equal(await rested({ cpu: 3 }), 24)
  assert.equal(await rested({ cpu: 1 }), 8)
  // Very short steps are taken together.
  assert.equal(await rested({ cpu: 0.25 }), 0)
  assert.equal(await rested({ cpu: 0.25 }), 4)
  assert.equal(await rested({ cpu: 40 }), 50, 'not for longer')
})

test('background work does not rest because it waited, or when no request is served any more', async (t) => {
  const { respond, pass, rested } = createStoppedPace(t)
  respond()
  assert.equal(await rested({ cpu: 1, waiting: 30 }), 8)
  pass(100)
  assert.equal(await rested({ cpu: 3 }), 0)
  respond()
  assert.equal(await rested({ cpu: 3 }), 24)
})
