import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const page = readFileSync(new URL('COVERAGE.md', import.meta.url), 'utf8')
const rows = page.split('\n').flatMap((line) => {
  const [, rule, file, name] = line.split('|').map((cell) => cell.trim())
  return rule && file?.endsWith('.test.ts') && name ? [{ rule, file, name }] : []
})

/** Titles of the tests and describes in a file; a template literal becomes a pattern. */
function namesIn(file: string): RegExp[] {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const names = source.matchAll(/\b(?:test|describe)\(\s*(['"`])(.*?)\1,/g)
  return [...names].map(([, , name = '']) => {
    const parts = name.split(/\$\{.*?\}/).map((part) => RegExp.escape(part))
    return new RegExp(`^${parts.join('.+')}$`)
  })
}

test('every row of COVERAGE.md names an existing test', () => {
  assert.ok(rows.length > 0)
  const lost = rows.filter(({ file, name }) => !namesIn(file).some((pattern) => pattern.test(name)))
  assert.deepEqual(lost, [])
})

test('every covered section has rows', () => {
  for (const section of ['2.', '3.', '4.1', '4.2', '4.3', '5.', '7.1', '7.2', '8.', '9.'])
    assert.ok(page.includes(`\n## ${section} `), section)
})
