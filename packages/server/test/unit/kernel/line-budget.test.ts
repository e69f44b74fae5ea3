import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLineBudget } from '../../../src/kernel/line-budget.ts'

test('lines beyond the budget of a second are counted and reported once', async () => {
  const reported: number[] = []
  const budget = createLineBudget(3, (count) => reported.push(count))
  const taken = Array.from({ length: 10 }, () => budget.take())
  assert.equal(taken.filter(Boolean).length, 3)
  while (reported.length === 0) await sleep(20)
  assert.deepEqual(reported, [7])
  assert.equal(budget.take(), true)
  await sleep(1_100)
  assert.deepEqual(reported, [7])
})
