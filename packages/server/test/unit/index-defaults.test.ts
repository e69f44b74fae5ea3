import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCE = join(import.meta.dirname, '../../src')

/** Folders without index accesses that fall back to 0 or ''. The list only grows. */
const ROOMS = ['calendar', 'telemetry', 'http/v2/series-encoding']

const DEFAULT_AFTER_INDEX = /(\]|\.at\([^()]*\))(\?\.\w+)*\)* \?\? (0\b|'')/

test('an index outside of a list throws, and is not taken for 0 or an empty text', () => {
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: SOURCE }))
  assert.ok(files.length > 50, 'there is something to check')
  const found = files.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .filter((line) => DEFAULT_AFTER_INDEX.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})
