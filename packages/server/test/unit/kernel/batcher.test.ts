import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBatcher, createWriteBehind } from '../../../src/kernel/batcher.ts'

const initial = (word: string): string => word.slice(0, 1)

describe('a batcher that waits until it is idle', () => {
  test('sends calls made while a batch is in flight together, by key, with a result for each call', async () => {
    const batches: string[][] = []
    const call = createBatcher({
      key: initial,
      flush: async (words: readonly string[]) => {
        batches.push([...words])
        return words.map((word) => word.toUpperCase())
      },
      when: 'idle',
    })
    assert.deepEqual(await Promise.all(['a1', 'a2', 'b1', 'a3'].map(call)), ['A1', 'A2', 'B1', 'A3'])
    assert.deepEqual(batches, [['a1'], ['b1'], ['a2', 'a3']])
    assert.equal(await call('a4'), 'A4')
  })

  test('fails the calls of the batch that failed, and no others', async () => {
    const call = createBatcher({
      key: initial,
      flush: async (words: readonly string[]) => {
        if (words.includes('a1')) throw new Error('away')
        return words
      },
      when: 'idle',
    })
    const [first, later] = [call('a1'), call('a2')]
    await assert.rejects(first, /away/)
    assert.equal(await later, 'a2')
  })
})

describe('a batcher that waits for the end of the tick', () => {
  test('sends the calls of one key together; another key or a later tick has a separate batch', async () => {
    const batches: (readonly string[])[] = []
    const call = createBatcher({
      key: initial,
      flush: async (words: readonly string[]) => {
        batches.push(words)
        return words.map((word) => word.toUpperCase())
      },
      when: 'tick',
    })
    const later = Promise.resolve().then(() => call('a3'))
    const results = await Promise.all([call('a1'), call('a2'), call('b1'), call('a1'), later])
    assert.deepEqual(results, ['A1', 'A2', 'B1', 'A1', 'A3'])
    await call('a1')
    assert.deepEqual(batches, [['a1', 'a2', 'a1', 'a3'], ['b1'], ['a1']])
  })

  test('does not wait for a batch in flight', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const call = createBatcher({
      key: initial,
      flush: async (words: readonly string[]) => {
        if (words.includes('a1')) await held
        return words
      },
      when: 'tick',
    })
    const slow = call('a1')
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await call('a2'), 'a2')
    release()
    assert.equal(await slow, 'a1')
  })

  test('fails every call of the batch; the next one is sent again', async () => {
    let isBroken = true
    const call = createBatcher({
      key: initial,
      flush: async (words: readonly string[]) => {
        if (isBroken) throw new Error('away')
        return words
      },
      when: 'tick',
    })
    await Promise.all(['a1', 'a2'].map((word) => assert.rejects(call(word), /away/)))
    isBroken = false
    assert.equal(await call('a1'), 'a1')
  })
})

interface Count {
  name: string
  count: number
}

function writeBehind(flush: (counts: readonly Count[]) => Promise<void>) {
  const errors: unknown[] = []
  const counts = createWriteBehind<Count>({
    everyMs: 1_000,
    key: ({ name }) => name,
    merge(pending, { count }) {
      pending.count += count
    },
    flush,
    onError: (error) => errors.push(error),
  })
  return { counts, errors, add: (name: string) => counts.add({ name, count: 1 }) }
}

describe('a write-behind buffer', () => {
  test('merges entries with the same key, and stores each once', async () => {
    const stored: (readonly Count[])[] = []
    const { counts, add } = writeBehind(async (batch) => void stored.push(batch))
    for (const name of ['a', 'b', 'a']) add(name)
    await counts.flush()
    await counts.close()
    assert.deepEqual(stored, [
      [
        { name: 'a', count: 2 },
        { name: 'b', count: 1 },
      ],
    ])
  })

  test('keeps a batch that was not stored, together with entries added meanwhile', async () => {
    let isFull = true
    const stored: (readonly Count[])[] = []
    const { counts, add } = writeBehind(async (batch) => {
      if (isFull) {
        add('a')
        throw new Error('the disk is full')
      }
      stored.push(batch)
    })
    add('a')
    await assert.rejects(counts.flush(), /full/)
    isFull = false
    await counts.close()
    assert.deepEqual(stored, [[{ name: 'a', count: 2 }]])
  })

  test('stores one batch after another', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const order: string[] = []
    const { counts, add } = writeBehind(async (batch) => {
      const names = batch.map(({ name }) => name).join()
      order.push(`${names} begins`)
      await held
      order.push(`${names} ends`)
    })
    add('a')
    const first = counts.flush()
    await Promise.resolve()
    add('b')
    const second = counts.flush()
    release()
    await Promise.all([first, second])
    await counts.close()
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test('flushes periodically, reports failures, and stops when it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const attempts: Promise<void>[] = []
    const { counts, errors, add } = writeBehind(() => {
      const attempt = Promise.reject(new Error('away'))
      attempts.push(attempt)
      return attempt
    })
    add('a')
    t.mock.timers.tick(1_000)
    // Serialised behind the flush of the timer.
    await assert.rejects(counts.flush(), /away/)
    assert.equal(attempts.length, 2)
    assert.equal(errors.length, 1)
    await assert.rejects(counts.close(), /away/)
    t.mock.timers.tick(5_000)
    await Promise.resolve()
    assert.equal(attempts.length, 3)
  })
})
