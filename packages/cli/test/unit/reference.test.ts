import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commandReference } from '../../src/reference.ts'

test('docs/cli.md is up to date: npm run docs', async () => {
  const file = new URL('../../../../docs/cli.md', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), await commandReference())
})
