import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTogether } from '../../../src/lib/together.ts'

test('the same question in one turn is asked once, another or a later one by itself', async () => {
  const asked: [string, readonly number[]][] = []
  const ask = askTogether(String, async (question: string, ids) => {
    asked.push([question, ids])
    return new Map(ids.filter((id) => id > 0).map((id) => [id, `${question}${id}`]))
  })
  const later = Promise.resolve().then(() => ask('a', 3))
  const answers = await Promise.all([ask('a', 1), ask('a', 2), ask('b', 1), ask('a', 1), ask('a', 0), later])
  assert.deepEqual(answers, ['a1', 'a2', 'b1', 'a1', undefined, 'a3'])
  await ask('a', 1)
  assert.deepEqual(asked, [
    ['a', [1, 2, 0, 3]],
    ['b', [1]],
    ['a', [1]],
  ])
})

test('a failure reaches everybody who asked, and is not remembered', async () => {
  let isBroken = true
  const ask = askTogether(String, async (_question: string, ids) => {
    if (isBroken) throw new Error('away')
    return new Map(ids.map((id) => [id, id]))
  })
  await Promise.all([1, 2].map((id) => assert.rejects(ask('a', id), /away/)))
  isBroken = false
  assert.equal(await ask('a', 1), 1)
})
