import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTogether } from '../../../src/lib/together.ts'

const keyOf = (question: string): string => question.charAt(0)

test('what is asked under one key in one turn is asked once, another key or a later turn by itself', async () => {
  const asked: (readonly string[])[] = []
  const ask = askTogether(keyOf, async (questions) => {
    asked.push(questions)
    return questions.map((question) => question.toUpperCase())
  })
  const later = Promise.resolve().then(() => ask('a3'))
  const answers = await Promise.all([ask('a1'), ask('a2'), ask('b1'), ask('a1'), later])
  assert.deepEqual(answers, ['A1', 'A2', 'B1', 'A1', 'A3'])
  await ask('a1')
  assert.deepEqual(asked, [['a1', 'a2', 'a1', 'a3'], ['b1'], ['a1']])
})

test('a failure reaches everybody who asked, and is not remembered', async () => {
  let isBroken = true
  const ask = askTogether(keyOf, async (questions) => {
    if (isBroken) throw new Error('away')
    return questions
  })
  await Promise.all(['a1', 'a2'].map((question) => assert.rejects(ask(question), /away/)))
  isBroken = false
  assert.equal(await ask('a1'), 'a1')
})
