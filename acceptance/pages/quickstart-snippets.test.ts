import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'
import { api, demoToken } from '../support/clients/requests.ts'
import { asArray, asObject, asString, parseJson } from '../support/json.ts'
import { runtimePaths } from '../support/servers/runtimes.ts'
import { installSdk } from '../sdk/install.ts'
import { skipWithout, systemPython, testTools } from '../support/servers/test-tools.ts'
import { startLimiter } from './limiter.ts'
import { type Language, parseSnippets } from './snippets.ts'

const run = promisify(execFile)
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** The page's instructions for running the snippets of a language. */
const languages: { name: Language; file: string; command: string; skip: string | false }[] = [
  { name: 'typescript', file: 'quickstart.mts', command: process.execPath, skip: false },
  { name: 'curl', file: 'quickstart.sh', command: 'bash', skip: skipWithout(testTools.curl) },
  { name: 'python', file: 'quickstart.py', command: systemPython, skip: skipWithout(testTools.python) },
]

let portico: Portico
let page: string
let folder: string
before(async () => {
  folder = await makeTempDir()
  portico = await startPortico()
  page = (await api(portico, '/')).text
  // As `npm init -y` writes it.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}')
  const [, install] = /<code>(npm install [^<]*)<\/code>/.exec(page) ?? []
  await installSdk(portico, folder, install)
  await writeFile(join(folder, 'portico.py'), (await api(portico, '/clients/portico.py')).text)
})
after(async () => {
  await portico.stop()
  await rm(folder, { recursive: true })
})

/** Runs snippets as one file, in a shell that has read `demo.env` as the page instructs. */
async function runPieces(
  pieces: string[],
  file: string,
  command: string,
  baseUrl: string = portico.demoEnv.BASE_URL,
): Promise<string> {
  const path = join(folder, file)
  await writeFile(path, `${pieces.join('\n\n')}\n`)
  const script = `set -a; . ${demoEnvPath(portico.dataDir)}; set +a; PORTICO_BASE_URL=${baseUrl}; exec "$0" "$1"`
  const env = { PATH: process.env['PATH'] ?? '', NO_PROXY: 'localhost' }
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script, command, path], {
    cwd: dirname(path),
    env,
  })
  assert.equal(stderr, '')
  return stdout
}

test('the last 24 hours are as many windows as the page says', async () => {
  const [, count] = /The last 24 hours in whole hours.*?: (\d+) windows/s.exec(page) ?? []
  const call = { token: await demoToken(portico), headers: { SiteId: portico.demoEnv.SITE_ID } }
  const [space] = asArray(
    (await api(portico, '/v2/spaces?metricType=electricity&limit=1', call)).json['data'],
  )
  const path = `/v2/spaces/${asString(asObject(space)['spaceUuid'])}/aggregate/electricity/hourly`
  const { json } = await api(portico, path, call)
  const windows = asArray(json['timeSeries']).map(asObject)
  assert.equal(windows.length, Number(count))
  assert.ok(asString(json['toDateTime']) > new Date().toISOString(), 'the last window is not over')
})

for (const { name, file, command, skip } of languages) {
  describe(`in ${name}`, { skip }, () => {
    test('the first two calls get a token and list the sites', async () => {
      const pieces = parseSnippets(page, name).slice(0, 2)
      assert.ok((await runPieces(pieces, file, command)).includes(portico.demoEnv.SITE_ID))
    })

    test('the others list spaces, print 24 hours, read many series, list devices in pages, control one, read events, and repeat a request', async () => {
      await using limiter = await startLimiter(portico.demoEnv.BASE_URL)
      const output = await runPieces(parseSnippets(page, name), file, command, limiter.url)
      const hours = output.match(/\d{4}-\d{2}-\d{2}T\d{2}:00:00[+-]\d{2}:\d{2}/g) ?? []
      assert.ok(new Set(hours).size >= 24, output)
      const series = name === 'curl' ? /"metricType":"temperature"/g : /^[-0-9a-f]{36} temperature [\d.]+$/gm
      assert.ok((output.match(series) ?? []).length > 50, output)
      assert.match(output, name === 'curl' ? /"deviceName":"Weather sensor"/ : /^2\d\d devices$/m)
      assert.match(output, /\b(CONFIRMED|FAILED)\b/)
      assert.match(output, name === 'curl' ? /"type":"command.updated"/ : /^\d+ command\.updated [A-Z]+$/m)
      assert.match(output.trimEnd().split('\n').at(-1) ?? '', /^\{"data":\[\{"metricType":"electricity"/)
      assert.deepEqual(limiter.statuses, [401, 429, 200])
    })
  })
}

test('in curl, every response ends with a line break', { skip: skipWithout(testTools.curl) }, async () => {
  const output = await runPieces(parseSnippets(page, 'curl').slice(0, 5), 'lines.sh', 'bash')
  const lines = output.split('\n')
  assert.equal(
    lines.length,
    5,
    'sites, spaces, one series, many series, and nothing after the last line break',
  )
  for (const line of lines.slice(0, 4)) assert.doesNotThrow(() => parseJson(line), line)
})

describe('the TypeScript', () => {
  before(() => writeFile(join(folder, 'compiled.mts'), parseSnippets(page, 'typescript').join('\n\n')))

  test('compiles in strict mode', async () => {
    const rules = ['--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'nodenext']
    const types = ['--types', 'node', '--typeRoots', join(nodeModules, '@types')]
    await run(join(nodeModules, '.bin/tsc'), [...rules, ...types, 'compiled.mts'], { cwd: folder })
  })

  test('runs on Node 20 when compiled', { skip: skipWithout(testTools.runtimes) }, async () => {
    const output = await runPieces(
      [await readFile(join(folder, 'compiled.mjs'), 'utf8')],
      'node-20.mjs',
      runtimePaths.node20,
    )
    assert.match(output, /^2\d\d devices$/m)
    assert.match(output, /^CONFIRMED$/m)
  })
})
