import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { api, demoToken, operatorToken } from './support/clients/requests.ts'
import { query } from './support/clients/v2-client.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from './support/json.ts'
import { type Portico, startPortico } from './support/servers/portico.ts'

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))
/** Folder of a package's dependencies that npm cannot hoist. */
const OWN_MODULES = fileURLToPath(new URL('node_modules', import.meta.url))
const TYPESCRIPT_5 = new URL('support/preload/typescript-5.ts', import.meta.url).href
const PROGRAMS = fileURLToPath(new URL('support/fixtures/generated-clients', import.meta.url))

const exec = promisify(execFile)

let portico: Portico
let token: string
let folder = ''
before(async () => {
  portico = await startPortico({ env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error' } })
  token = await demoToken(portico)
  folder = await mkdtemp(join(tmpdir(), 'portico-clients-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'v2.json'), (await api(portico, '/openapi/v2.json')).text)
})
after(async () => {
  await portico.stop()
  await rm(folder, { recursive: true, force: true })
})

async function run(program: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const own = join(OWN_MODULES, '.bin', program)
  const command =
    program === 'node'
      ? process.execPath
      : existsSync(own) && program !== 'tsc'
        ? own
        : join(MODULES, '.bin', program)
  const { stdout } = await exec(command, args, {
    cwd: folder,
    env: { ...process.env, NO_PROXY: 'localhost', ...env },
  })
  return stdout
}

const generators: Record<string, () => Promise<unknown>> = {
  'openapi-fetch': () => run('openapi-typescript', ['v2.json', '-o', 'v2.ts']),
  'hey-api': () =>
    run('openapi-ts', ['-i', 'v2.json', '-o', 'hey', '-c', '@hey-api/client-fetch'], {
      NODE_OPTIONS: `--import ${TYPESCRIPT_5}`,
    }),
  orval: async () => {
    const output = { target: 'orval/client.ts', client: 'fetch', baseUrl: portico.demoEnv.BASE_URL }
    await writeFile(
      join(folder, 'orval.config.mjs'),
      `export default ${JSON.stringify({ v2: { input: 'v2.json', output } })}`,
    )
    await run('orval', ['--config', 'orval.config.mjs'])
  },
}

/** The options of a strict program, for the types that the generated code needs. */
const STRICT =
  '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2024 --lib es2024,dom,dom.iterable --types node'.split(
    ' ',
  )

describe('a client that is generated from /openapi/v2.json', () => {
  for (const [name, generate] of Object.entries(generators))
    test(`by ${name}, compiles in a strict program without casts, and works`, async () => {
      await generate()
      await cp(join(PROGRAMS, `${name}.txt`), join(folder, `${name}.ts`))
      await run('tsc', [...STRICT, `${name}.ts`])
      const { BASE_URL, SITE_ID } = portico.demoEnv
      const device = await findController()
      // Generated code imports .js files, as for a bundler or a compiler.
      await run('esbuild', [
        `${name}.ts`,
        '--bundle',
        '--platform=node',
        '--format=esm',
        `--outfile=${name}.mjs`,
      ])
      const output = await run('node', [`${name}.mjs`], { BASE_URL, SITE_ID, TOKEN: token, DEVICE: device })
      const { names, hours, state, more, problem } = asObject(parseJson(output))
      assert.deepEqual(names, ['Aldgate Court', 'Tannery Wharf'].slice(0, asArray(names).length))
      assert.ok(Number(hours) >= 24, output)
      assert.match(asString(state), /^[A-Z]+$/)
      assert.equal(more, true)
      assert.equal(problem, 'Not found')
    })
})

async function findController(): Promise<string> {
  const { json } = await api(portico, '/v2/devices?deviceType=trv', {
    token,
    headers: { siteid: portico.demoEnv.SITE_ID },
  })
  return asString(asObject(asArray(json['data'])[0])['deviceUuid'])
}

describe('the examples of the API reference, on the demo', () => {
  /** The request that the reference is prefilled with: required parameters and the first example of the body. */
  const toRequest = (path: string, operation: JsonObject) => {
    let address = path
    const headers: Record<string, string> = {}
    const search: Record<string, string> = {}
    for (const parameter of asArray(operation['parameters'] ?? []).map(asObject)) {
      if (parameter['required'] !== true) continue
      const { name, in: location, example } = parameter
      if (location === 'path') address = address.replace(`{${asString(name)}}`, String(example))
      else if (location === 'header') headers[asString(name)] = String(example)
      else if (location === 'query') search[asString(name)] = String(example)
    }
    return { address: `${address}${query(search)}`, headers }
  }

  const isStream = (operation: JsonObject): boolean =>
    JSON.stringify(asObject(operation['responses'])['200']).includes('text/event-stream')

  /** A stream does not end by itself. */
  const assertStreams = async (address: string, headers: Record<string, string>): Promise<void> => {
    const response = await fetch(address, { headers })
    assert.equal(response.status, 200)
    await response.body?.cancel()
  }

  for (const [name, exceptions] of Object.entries({
    v2: [
      '/devices/{deviceuuid}/commands/{commandUuid}',
      '/events/{eventUuid}',
      '/webhooks/{webhookUuid}',
      '/webhooks/{webhookUuid}/deliveries',
      '/webhooks/{webhookUuid}/deliveries/{eventUuid}',
    ],
    v1: [],
    operator: ['/partners/{partnerUuid}'],
  }))
    test(`${name}: every read returns 200, except of what only exists after a write`, async () => {
      const { json } = await api(portico, `/reference/documents/${name}.json`)
      const bearer = name === 'operator' ? await operatorToken(portico) : token
      let reads = 0
      for (const [path, item] of Object.entries(asObject(json['paths']))) {
        const operation = asObject(item)['get']
        if (operation === undefined) continue
        reads += 1
        const { address, headers } = toRequest(path, asObject(operation))
        if (isStream(asObject(operation))) {
          await assertStreams(`${portico.origin}/${name}${address}`, {
            ...headers,
            authorization: `Bearer ${bearer}`,
          })
          continue
        }
        const answer = await api(portico, `/${name}${address}`, { token: bearer, headers })
        const wanted = exceptions.some((one) => one === path) ? 404 : 200
        assert.equal(answer.status, wanted, `${path} ${answer.text}`)
      }
      assert.ok(reads > 5)
    })

  test('v2: the example of a command is accepted, and that of a simulation', async () => {
    const { json } = await api(portico, '/reference/documents/v2.json')
    for (const [path, status] of [
      ['/devices/{deviceuuid}/schedule', 202],
      ['/sandbox/devices/{deviceuuid}/simulate', 200],
    ] as const) {
      const operation = asObject(asObject(asObject(json['paths'])[path])['post'])
      const { address, headers } = toRequest(path, operation)
      const media = asObject(asObject(asObject(operation['requestBody'])['content'])['application/json'])
      const examples = Object.values(asObject(media['examples'] ?? {}))
      const body = media['example'] ?? asObject(examples[0])['value']
      const answer = await api(portico, `/v2${address}`, {
        method: 'POST',
        token,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, status, answer.text)
    }
  })
})
