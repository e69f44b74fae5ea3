import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FIELD_ERRORS } from '../../../src/kernel/errors.ts'

const SOURCES = new URL('../../../src/', import.meta.url)

/** The code of an entry of `errors`: in a literal, in `invalidField` and `report`, and in the validator's `at`. */
const PATTERNS = [
  /\bfield\b[^{}]*(?:\{[^{}]*\}[^{}]*)*?,\s*code: '([\w-]+)'/g,
  /\b(?:invalidField|report)\(\s*(?:'[^']*'|`[^`]*`|[\w.]+),\s*'([\w-]+)'/g,
  /\bat\('([\w-]+)'/g,
]

test('every code of a field is explained', () => {
  const used = new Set<string>()
  for (const file of globSync('{kernel,calendar,domain,http}/**/*.ts', { cwd: SOURCES })) {
    const text = readFileSync(new URL(file, SOURCES), 'utf8')
    if (!/FieldError|AppError|invalidField|convertFinding/.test(text)) continue
    for (const pattern of PATTERNS) for (const [, code = ''] of text.matchAll(pattern)) used.add(code)
  }
  assert.ok(used.size > 20, [...used].join(', '))
  assert.deepEqual(
    [...used].filter((code) => !Object.hasOwn(FIELD_ERRORS, code)),
    [],
  )
  assert.deepEqual(
    Object.keys(FIELD_ERRORS).filter((code) => !used.has(code)),
    [],
  )
})
