import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PACKAGES = join(import.meta.dirname, '../../..')

/** A source file without its comments and the content of its strings. */
const readCode = (file: string): string =>
  readFileSync(join(PACKAGES, file), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, (text) => (text.match(/\$\{[^}]*\}/g) ?? []).join(' '))

const readAll = (pattern: string): { file: string; code: string }[] =>
  globSync(pattern, { cwd: PACKAGES }).map((file) => ({ file, code: readCode(file) }))

const sources = readAll('*/src/**/*.{ts,tsx}')
const tests = [
  ...readAll('*/test/**/*.{ts,tsx}'),
  ...readAll('../acceptance/**/*.test.ts'),
  ...readAll('../acceptance/support/**/*.ts'),
]

const EXPORTED =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|abstract class) ([\w$]+)/gm

const exported = sources.flatMap(({ file, code }) =>
  [...code.matchAll(EXPORTED)].map(([, name = '']) => ({ file, name })),
)

test('no export ends in Of or AtOnce: the name of a function says what it does', () => {
  assert.ok(exported.length > 1_000, 'the exports were found')
  assert.deepEqual(
    exported.filter(({ name }) => /(?:[a-z]Of|AtOnce)$/.test(name)),
    [],
  )
})

/** Words that name an event rather than a thing. */
const RETIRED = /(?<![\w$])(?:said|told|heard|kept|asked|wish|wishes)(?![\w$])/g

/** Names that are fixed elsewhere: database columns, a field of a command's output. */
const FIXED: Record<string, string[]> = {
  'cli/src/commands/restore.ts': ['kept'],
  'server/src/store/postgres/readings/partitions.ts': ['kept'],
  'server/src/store/postgres/transfer-read.ts': ['kept'],
}

test('no identifier is a verb of speech or keeping', () => {
  // The text of JSX cannot be told from code.
  const found = sources
    .filter(({ file }) => file.endsWith('.ts'))
    .flatMap(({ file, code }) => {
      const words = [...new Set(code.match(RETIRED) ?? [])].toSorted()
      return words.length > 0 ? [[file, words]] : []
    })
  assert.deepEqual(Object.fromEntries(found), FIXED)
})

/**
 * Parts of identifiers that were replaced by the terms of the glossary: rollup, maintenance, server schedule, rollup
 * queue, span.
 */
const REPLACED = /[\w$]*(?:[sS]eal|[hH]ousekeep|keepHouse|[pP]layer|[sS]taleDay|[sS]tretch)[\w$]*/g

test('no identifier has a word that the glossary replaces', () => {
  const found = [...sources, ...tests]
    .filter(({ file }) => file.endsWith('.ts') && file !== 'server/test/unit/naming-rule.test.ts')
    .flatMap(({ file, code }) => (code.match(REPLACED) ?? []).map((name) => ({ file, name })))
  assert.deepEqual(found, [])
})

/** The area of a file: two folders deep in the domain, one in http, none elsewhere. */
const ROOM = /^server\/src\/(domain\/[\w-]+|http\/[\w-]+)\//

test('no name is exported by two areas of the domain or of http', () => {
  const rooms = new Map<string, Set<string>>()
  for (const { file, name } of exported) {
    const room = ROOM.exec(file)?.[1]
    if (room === undefined) continue
    rooms.set(name, (rooms.get(name) ?? new Set()).add(room))
  }
  const shared = [...rooms].filter(([, homes]) => homes.size > 1)
  assert.deepEqual(
    shared.map(([name, homes]) => [name, ...homes]),
    [],
  )
})
