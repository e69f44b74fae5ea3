import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DEPLOY = join(import.meta.dirname, '../../../../deploy')

test('compose publishes ports on the loopback interface only', () => {
  const published = globSync('compose*.yaml', { cwd: DEPLOY }).flatMap((file) =>
    readFileSync(join(DEPLOY, file), 'utf8')
      .split('\n')
      .filter((line) => /^\s*ports:/.test(line))
      .map((line) => line.trim()),
  )
  assert.ok(published.length >= 3)
  for (const line of published) assert.match(line, /^ports: (!reset \[\]|\["127\.0\.0\.1:\d+:\d+"\])$/)
})
