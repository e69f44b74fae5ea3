import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from '../../../src/lib/gather.ts'

const initial = (word: string): string => word.slice(0, 1)

test('what comes while an answer is under way is asked for together, by key, and answered in order', async () => {
  const asked: string[][] = []
  const ask = gather(initial, async (words: readonly string[]) => {
    asked.push([...words])
    return words.map((word) => word.toUpperCase())
  })
  assert.deepEqual(await Promise.all(['a1', 'a2', 'b1', 'a3'].map(ask)), ['A1', 'A2', 'B1', 'A3'])
  assert.deepEqual(asked, [['a1'], ['b1'], ['a2', 'a3']])
  assert.equal(await ask('a4'), 'A4')
})

test('a failure is that of those who were asked for together, and of nobody else', async () => {
  const ask = gather(initial, async (words: readonly string[]) => {
    if (words.includes('a1')) throw new Error('away')
    return words
  })
  const [first, later] = [ask('a1'), ask('a2')]
  await assert.rejects(first, /away/)
  assert.equal(await later, 'a2')
})
