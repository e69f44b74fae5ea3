import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCE = join(import.meta.dirname, '../../..')

const DEFAULT_AFTER_INDEX = /(\]|\.at\([^()]*\))(\?\.\w+)*\)*\s*\?\?\s*(0\b|'')/g

test('an index outside a list throws, instead of defaulting to 0 or an empty text', () => {
  const files = globSync('{server,demo}/src/**/*.ts', { cwd: SOURCE })
  assert.ok(files.length > 300, 'there is something to check')
  const found = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(DEFAULT_AFTER_INDEX)].map(
      ([text]) => `${file}: ${text}`,
    ),
  )
  assert.deepEqual(found, [])
})
