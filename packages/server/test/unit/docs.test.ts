import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { ISSUER_ERRORS } from '../../src/http/oauth/errors.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const MAX_LINE = 120

/** Folders that an installation or a build creates. */
const isForeign = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|\.[^/]+)$/.test(path)

const FOLDERS = 'packages acceptance bench clients deploy docs scripts'.split(' ')
const paths = new Set(globSync(['*', `{${FOLDERS.join(',')}}/**/*`], { cwd: ROOT, exclude: isForeign }))

/** Every path under each of its endings: documents say `pipeline/run.ts` where the start is clear. */
const endings = new Set(
  [...paths].flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
)

interface Page {
  file: string
  lines: string[]
  prose: { line: string; number: number }[]
}

const readPage = (file: string): Page => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  let isCode = false
  const prose = lines.flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    const isProse = !isCode && !line.startsWith('|') && !line.startsWith('    ') && !line.startsWith('```')
    return isProse ? [{ line, number: index + 1 }] : []
  })
  return { file, lines, prose }
}

const pages = [...paths].filter((path) => path.endsWith('.md')).map((path) => readPage(path))

test('no line of prose in a document is longer than 120 characters', () => {
  assert.ok(pages.length > 40, 'the documents were found')
  const long = pages.flatMap(({ file, prose }) =>
    prose
      .filter(({ line }) => line.replace(/\]\([^)]*\)/g, ']').length > MAX_LINE)
      .map(({ number }) => `${file}:${number}`),
  )
  assert.deepEqual(long, [])
})

/** In code spans: a folder, or a file with an extension of the repository. `<thing>` and `…` are placeholders. */
const NAMED =
  /^(?:[\w.@-]+\/)+$|^(?:[\w.@-]+\/)*[\w.-]+\.(?:ts|js|py|sql|md|ya?ml|jsonc|service)$|^(?:Dockerfile|Caddyfile|LICENSE)$/

/** Anywhere: a path from the root of the repository. */
const ROOTED = new RegExp(`(?<![\\w/.@-])(?:${FOLDERS.join('|')})/[\\w/.@-]*\\w(?![\\w/]*[<…*])`, 'g')

function findNames(line: string): string[] {
  const spans = [...line.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => span.split(/[\s,;]+/))
  return [...new Set([...spans.filter((word) => NAMED.test(word)), ...(line.match(ROOTED) ?? [])])]
}

test('every file and folder that a document names exists', () => {
  const missing = pages.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      findNames(line)
        .filter((name) => !endings.has(name.replace(/\/$/, '')))
        .map((name) => `${file}:${index + 1} ${name}`),
    ),
  )
  assert.deepEqual(missing, [])
})

/** The fragment that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchors = new Map(
  pages.map(({ file, prose }) => [
    file,
    new Set(prose.filter(({ line }) => line.startsWith('#')).map(({ line }) => toAnchor(line))),
  ]),
)

test('every link between documents leads to a file and a heading that exist', () => {
  const broken = pages.flatMap(({ file, lines }) => {
    const targets = [...lines.join('\n').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    return targets
      .filter((target) => !/^(?:https?:|\/)/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#')
        const linked = path === '' ? file : normalize(join(dirname(file), path)).replace(/\/$/, '')
        if (!paths.has(linked)) return true
        return anchor !== undefined && anchors.get(linked)?.has(anchor) !== true
      })
      .map((target) => `${file} ${target}`)
  })
  assert.deepEqual(broken, [])
})

test('docs/api/tokens.md lists every error of the token endpoint', () => {
  const lines = pages.find(({ file }) => file === 'docs/api/tokens.md')?.lines ?? []
  const rows = lines.flatMap((line) => {
    const [, status, error, code] = /^\| (\d+) \| `(\w+)` \| (\d+) \| /.exec(line) ?? []
    // A body that is too large has the code of a malformed one, with a status of its own.
    return code === undefined || status === '413' ? [] : [`${code} ${status} ${error}`]
  })
  const catalogue = Object.entries(ISSUER_ERRORS).map(
    ([code, { status, error }]) => `${code} ${status} ${error}`,
  )
  assert.deepEqual([...new Set(rows)].toSorted(), catalogue.toSorted())
})
