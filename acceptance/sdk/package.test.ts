import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../support/eventually.ts'
import { metricTypes } from '../support/fixtures/spec-enums.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { runtimePaths } from '../support/servers/runtimes.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { installSdk, SDK_PATH } from './install.ts'

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
  await installSdk(server, folder)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Failure {
  code: number
  stdout: string
  stderr: string
}

const run = async (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  (await exec(command, args, { cwd: folder, env: { ...environment, ...env } })).stdout

describe(`GET ${SDK_PATH}`, () => {
  const get = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.origin}${SDK_PATH}`, { headers })

  test('returns the file that npm packs, without a content coding', async () => {
    const response = await get({ 'accept-encoding': 'gzip, br' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/gzip')
    assert.equal(response.headers.get('content-encoding'), null)
    const packed = join(folder, 'packed')
    await mkdir(packed)
    await exec('npm', ['pack', '--workspace', 'packages/sdk', '--pack-destination', packed], { cwd: ROOT })
    const [name = ''] = await readdir(packed)
    // Byte by byte: the lock files of partners have its hash.
    assert.ok((await readFile(join(packed, name))).equals(Buffer.from(await response.arrayBuffer())))
  })

  test('returns 304 if the client has it', async () => {
    const etag = (await get()).headers.get('etag') ?? ''
    assert.equal((await get({ 'if-none-match': etag })).status, 304)
  })
})

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

const runtimes: [name: string, command: string, args: string[], version: RegExp][] = [
  ['this Node', process.execPath, [], /^v26\./],
  ['Node 20', runtimePaths.node20, [], /^v20\./],
  ['Deno', runtimePaths.deno, ['run', '-A'], /^deno 2\./],
  ['Bun', runtimePaths.bun, [], /^1\./],
]

for (const [name, command, args, version] of runtimes)
  test(`the scenario runs on ${name}`, {
    skip: name !== 'this Node' && skipWithout(testTools.runtimes),
  }, async () => {
    assert.match(await run(command, ['--version']), version)
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
      removed: 'NotFoundError',
      sites: 2,
      accepted: 0,
    })
  })

/** The first TypeScript program in a document. */
async function readSnippet(document: string): Promise<string> {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(ROOT, document), 'utf8')) ?? []
  return code
}

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
    for (const [index, [document]] of DOCUMENTS.entries())
      await writeFile(join(folder, `document-${index}.ts`), await readSnippet(document))
    await writeFile(join(folder, 'receiver.ts'), await readSnippet('docs/api/webhooks.md'))
  })

  test('compiles in a strict program, for Node and for a bundler', async () => {
    const programs = ['readme.ts', 'receiver.ts', ...DOCUMENTS.map((_, index) => `document-${index}.ts`)]
    await compile(programs, 'node16', 'node16')
    await compile(programs, 'esnext', 'bundler')
  })

  test('runs on the demo', async () => {
    const output = await run(process.execPath, ['readme.ts'])
    assert.match(output, /CONFIRMED/)
    assert.match(output, /no such space/)
    assert.ok(output.includes(`${metricTypes.length} metrics`), output)
    for (const [index, [, expected]] of DOCUMENTS.entries())
      assert.match(await run(process.execPath, [`document-${index}.ts`]), expected)
  })

  test('shows a receiver of webhooks, which accepts what is signed', async () => {
    const port = await findFreePort()
    const program = (await readSnippet('docs/api/webhooks.md')).replace('listen(3000)', `listen(${port})`)
    await writeFile(join(folder, 'receiver-on-port.ts'), program)
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const env = { ...environment, WEBHOOK_SECRET: secret }
    const child = spawn(process.execPath, ['receiver-on-port.ts'], { cwd: folder, env, stdio: 'inherit' })
    const ended = once(child, 'close')
    try {
      const [body, id, now] = ['{"type":"webhook.test"}', 'msg_1', new Date()]
      const post = async (text: string): Promise<number> => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, now, body),
        }
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status
      }
      assert.equal(await eventually(() => post(body)), 204)
      assert.equal(await post(`${body} `), 400)
    } finally {
      child.kill()
      await ended
    }
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

test('a command with invalid arguments says what is wrong', async () => {
  const bin = join(folder, 'node_modules/.bin/portico-sdk')
  for (const [args, message] of [
    ['nope', /^unknown command: nope$/m],
    ['listen', /^listen needs --forward URL$/m],
    ['listen --forward localhost:3000', /^--forward is not an address/m],
    ['listen --forward http://localhost:3000 --type x', /^unknown option: --type$/m],
    ['mirror copy --from 2026-13', /^--from is not valid: 2026-13/m],
  ] as const)
    await assert.rejects(run(bin, args.split(' ')), ({ code, stdout, stderr }: Failure) => {
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, message)
      assert.match(stderr, /^Usage: /m)
      return true
    })
  assert.match(await run(bin, ['--help']), /^Usage: /)
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
