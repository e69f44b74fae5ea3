import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isScattered } from '../../support/explain.ts'

test('a plan with at most one task stays on one node', () => {
  for (const line of [
    '  Task Count: 1',
    'Custom Scan (Citus Adaptive)',
    '  Index Scan using sites_pkey on sites',
  ])
    assert.equal(isScattered(line), false, line)
  for (const line of ['  Task Count: 4', '  Task Count: 32', '  Task Count: 11'])
    assert.equal(isScattered(line), true, line)
})
