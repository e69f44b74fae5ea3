import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { asObject, parseJson } from '../support/json.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))

const verbs = [
  'serve',
  'partner',
  'secret',
  'keys',
  'migrate',
  'migration',
  'doctor',
  'backup',
  'restore',
  'dev-cert',
  'openapi',
]

test('portico --help names every command', async () => {
  const result = await runPortico(['--help'])
  assert.equal(result.code, 0, result.stderr)
  for (const verb of verbs) assert.match(result.stdout, new RegExp(`\\b${verb}\\b`))
})

test('every command has a --help text', async () => {
  for (const verb of verbs) {
    const result = await runPortico([verb, '--help'])
    assert.equal(result.code, 0, `${verb}: ${result.stderr}`)
    assert.ok(result.stdout.includes(verb), result.stdout)
  }
})

test('portico --version prints the version', async () => {
  const result = await runPortico(['--version'])
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stdout, /\b\d+\.\d+\.\d+\S*\n$/)
})

describe('wrong usage exits with code 2 and one line on standard error', () => {
  const wrong: string[][] = [
    ['nonsense'],
    ['partner'],
    ['partner', 'nonsense'],
    ['partner', 'add'],
    ['partner', 'add', '--name', 'X', '--role', 'Admin'],
    ['partner', 'add', '--name', 'X', '--role', 'Operator', '--colour', 'blue'],
    ['partner', 'disable'],
    ['partner', 'disable', 'no-uuid'],
    ['secret', 'add'],
    ['secret', 'add', randomUUID(), '--expires-in-days', 'soon'],
    ['secret', 'remove', randomUUID()],
    ['keys', 'nonsense'],
    ['backup'],
    ['restore'],
    ['openapi', 'v9'],
    ['migrate', '--colour'],
  ]
  for (const args of wrong) {
    test(`portico ${args.map((arg) => (arg.length === 36 ? '<uuid>' : arg)).join(' ')}`, async () => {
      const result = await runPortico(args, { dataDir })
      assert.equal(result.code, 2, `${result.stdout}${result.stderr}`)
      assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
      assert.notEqual(result.stderr.trim(), '')
      assert.doesNotMatch(result.stderr, /\bat \S+:\d+/)
    })
  }
})

describe('openapi', () => {
  for (const [name, path] of [
    ['v2', 'sites'],
    ['operator', 'partners'],
  ] as const) {
    test(`portico openapi ${name} prints the description of that API`, async () => {
      const result = await runPortico(['openapi', name])
      assert.equal(result.code, 0, result.stderr)
      const document = asObject(parseJson(result.stdout))
      assert.match(String(document['openapi']), /^3\./)
      const paths = Object.keys(asObject(document['paths']))
      assert.ok(
        paths.some((found) => found.endsWith(`/${path}`)),
        paths.join(' '),
      )
    })
  }
})
