import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'

/** The documented programs, besides the README of the package. */
const DOCUMENTS: [path: string, output: RegExp][] = [
  ['docs/api/sdk.md', /CONFIRMED/],
  ['docs/api/migration.md', /^83 spaces$/m],
]
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const exec = promisify(execFile)

let server: Portico
let folder: string
let environment: Record<string, string>
before(async () => {
  server = await startPortico({ env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error' } })
  folder = await mkdtemp(join(tmpdir(), 'portico-sdk-'))
  const { OPERATOR_URL, OPERATOR_CLIENT_ID, OPERATOR_CLIENT_SECRET } = server.demoEnv
  environment = {
    ...server.demoEnv,
    PORTICO_OPERATOR_URL: OPERATOR_URL,
    PORTICO_OPERATOR_CLIENT_ID: OPERATOR_CLIENT_ID,
    PORTICO_OPERATOR_CLIENT_SECRET: OPERATOR_CLIENT_SECRET,
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NO_PROXY: 'localhost',
  }
  const pack = ['pack', '--workspace', 'packages/sdk', '--pack-destination', folder]
  await exec('npm', pack, { cwd: ROOT })
  const [tarball = ''] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: folder,
    env: environment,
  })
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const run = async (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  (await exec(command, args, { cwd: folder, env: { ...environment, ...env } })).stdout

test('the package has no dependencies and no TypeScript but declarations', async () => {
  assert.deepEqual(
    (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@portico'],
  )
  const files = await readdir(join(folder, 'node_modules/@portico/sdk'), { recursive: true })
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')),
    [],
  )
  for (const file of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'])
    assert.ok(files.includes(file))
})

/** Deno and Bun are not installed by npm ci: they are tried where they exist. */
const runtimes: [name: string, command: string, args: string[]][] = [
  ['this Node', process.execPath, []],
  [
    'the Node of the machine',
    ['/usr/bin/node', '/usr/local/bin/node'].find(existsSync) ?? process.execPath,
    [],
  ],
  ...(isOnPath('deno') ? [['Deno', 'deno', ['run', '-A']] as [string, string, string[]]] : []),
  ...(isOnPath('bun') ? [['Bun', 'bun', []] as [string, string, string[]]] : []),
]

function isOnPath(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}

for (const [name, command, args] of runtimes)
  test(`the scenario runs on ${name}`, async () => {
    await cp(new URL('scenario.mjs', import.meta.url), join(folder, 'scenario.mjs'))
    const output = await run(command, [...args, 'scenario.mjs'])
    const { pages, hours, ...rest } = asObject(parseJson(output))
    assert.ok(asArray(pages).length >= 3, output)
    assert.ok(Number(hours) > 24, output)
    assert.deepEqual(rest, {
      tokens: 1,
      state: 'CONFIRMED',
      missing: 'NotFoundError',
      aborted: 'gone',
      event: 'webhook.test',
      forged: 'signature',
      sites: 2,
      accepted: 0,
    })
  })

describe('the documentation', () => {
  const compile = async (files: string[], module: string, resolution: string): Promise<void> => {
    const strict = '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022'
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
    const modules = ['--module', module, '--moduleResolution', resolution]
    await run(join(ROOT, 'node_modules/.bin/tsc'), [...strict.split(' '), ...types, ...modules, ...files])
  }

  before(async () => {
    const readme = await readFile(join(folder, 'node_modules/@portico/sdk/README.md'), 'utf8')
    const snippets = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    assert.ok(snippets.length >= 8)
    await writeFile(join(folder, 'readme.ts'), snippets.join('\n'))
    for (const [index, [document]] of DOCUMENTS.entries()) {
      const [, code = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(ROOT, document), 'utf8')) ?? []
      await writeFile(join(folder, `document-${index}.ts`), code)
    }
  })

  test('compiles in a strict program, for Node and for a bundler', async () => {
    const programs = ['readme.ts', ...DOCUMENTS.map((_, index) => `document-${index}.ts`)]
    await compile(programs, 'node16', 'node16')
    await compile(programs, 'esnext', 'bundler')
  })

  test('runs on the demo', async () => {
    const output = await run(process.execPath, ['readme.ts'])
    assert.match(output, /CONFIRMED/)
    assert.match(output, /no such space/)
    assert.match(output, /19 metrics/)
    for (const [index, [, expected]] of DOCUMENTS.entries())
      assert.match(await run(process.execPath, [`document-${index}.ts`]), expected)
  })

  test('describes `check`, which finds what is wrong', async () => {
    const bin = join(folder, 'node_modules/.bin/portico-sdk')
    assert.match(await run(bin, ['check']), /ok {4}Aldgate Court can be read/)
    const wrong = run(bin, ['check'], { PORTICO_CLIENT_SECRET: 'not-the-secret' })
    await assert.rejects(wrong, ({ code, stdout }: { code: number; stdout: string }) => {
      assert.equal(code, 1)
      assert.match(stdout, /FAIL {2}PORTICO_CLIENT_SECRET is wrong.*id of the secret.*AADSTS7000215/s)
      return true
    })
  })
})

test('an unknown interval does not compile', async () => {
  await writeFile(
    join(folder, 'wrong.ts'),
    `import { Portico } from '@portico/sdk'
// @ts-expect-error no such interval
await new Portico().site().spaces.hourly('', 'electricity', { interval: 'PT5M' })
// @ts-expect-error no such metric
await new Portico().site().spaces.hourly('', 'electrics')
const row = [...(await new Portico().site().aggregate.daily({ metricTypes: ['gas'], groupBy: 'site' })).rows()][0]
const text: string | undefined = row?.siteUuid
// @ts-expect-error the rows of a site have no building
row?.buildingUuid
console.log(text)
`,
  )
  const flags = '--noEmit --strict --target es2022 --module node16 --moduleResolution node16'.split(' ')
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...flags, ...types, 'wrong.ts'])
})
