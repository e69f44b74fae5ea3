import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { demoEnvPath } from '../support/demo-env.ts'
import { asArray, asInteger, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { makeTempDir, type Portico, startPortico } from '../support/portico.ts'
import { api, demoToken } from '../support/requests.ts'
import { skipWithout, testTools } from '../support/test-tools.ts'
import { v1Endpoints } from '../support/v1-endpoints.ts'

/** Whose examples are run. A test below fails as soon as this is behind the server. */
const servedVersions = ['v2']

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/api/migration.md', import.meta.url), 'utf8')
const [introduction = '', ...sections] = page.split('\n### ')

const blocksOf = (text: string): string[] =>
  [...text.matchAll(/```sh\n(.*?)\n```/gs)].map(([, code = '']) => code)

interface Example {
  path: string
  before: string
  after: string
}
const examples: Example[] = sections.map((section) => {
  const [before = '', after = '', ...more] = blocksOf(section)
  assert.deepEqual(more, [])
  return { path: section.split('\n', 1)[0] ?? '', before, after }
})

/** The page's dates fall out of the demo's history as time goes by: the same number of days, but recent ones. */
function withRecentDates(code: string): string {
  const day = (daysAgo: number): string =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const dates: Record<string, string> = { FROM: day(9), TO: day(2), SINCE: `${day(300).slice(0, 7)}-01` }
  return Object.entries(dates).reduce((text, [name, date]) => {
    const line = new RegExp(`^${name}=\\d{4}-\\d{2}-\\d{2}$`, 'm')
    assert.match(text, line)
    return text.replace(line, `${name}=${date}`)
  }, code)
}

let portico: Portico
let folder: string
before(async () => {
  folder = await makeTempDir()
  // A token for each example, as a reader would take them, but all within a minute.
  portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
})
after(async () => {
  await portico.stop()
  await rm(folder, { recursive: true })
})

/** What an example prints in a shell that has read `demo.env` and done what the page says before it. */
async function outputOf(example: string): Promise<string> {
  const path = join(folder, 'example.sh')
  const [token, usage, dates] = blocksOf(introduction)
  assert.ok(token && usage && dates, 'the page begins with a token, the usage and dates')
  await writeFile(path, `set -euo pipefail\n${withRecentDates(`${token}\n${dates}`)}\n${example}\n`)
  const script = `set -a; . ${demoEnvPath(portico.dataDir)}; set +a; exec bash "$0"`
  const env = { PATH: process.env['PATH'] ?? '', NO_PROXY: 'localhost' }
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script, path], { cwd: folder, env })
  assert.equal(stderr, '')
  return stdout
}

async function idMap(): Promise<JsonObject[]> {
  const headers = { SiteId: portico.demoEnv.SITE_ID }
  const answer = await api(portico, '/v2/migration/id-map?type=space', {
    token: await demoToken(portico),
    headers,
  })
  return asArray(answer.json['data']).map(asObject)
}

test('the page says of all 23 endpoints what becomes of them', () => {
  const rows = [...introduction.matchAll(/^\| `GET (.+?)` \| (.+?) \| (?:`GET (.+?)`)? *\|$/gm)]
  const words = { replaced: 'replaced', 'awaiting-v2': 'stays until version 2 has it', retiring: 'retires' }
  assert.deepEqual(
    rows.map(([, path, fate, replacement]) => [path, fate, replacement ?? null]),
    v1Endpoints.map(({ path, state, replacement }) => [path, words[state], replacement]),
  )
})

test('it has an example for each endpoint that is replaced', () => {
  assert.deepEqual(
    examples.map(({ path }) => path),
    v1Endpoints.filter(({ state }) => state === 'replaced').map(({ path }) => path),
  )
  for (const { before, after } of examples) {
    assert.ok(before.includes('$BASE_URL_V1/') && after.includes('$BASE_URL/'))
  }
})

describe('run as they stand on the page', { skip: skipWithout(testTools.curl) }, () => {
  test('the map of identifiers names the first space of the site', async () => {
    const [first] = await idMap()
    assert.equal(
      await outputOf('echo $SPACE_ID $SPACE_UUID'),
      `${String(first?.['id'])} ${String(first?.['uuid'])}\n`,
    )
  })

  test('the usage lists every endpoint', async () => {
    const lines = (await outputOf(blocksOf(introduction)[1] ?? '')).trimEnd().split('\r\n')
    assert.equal(lines.length, 1 + v1Endpoints.length)
  })

  for (const { path, after } of examples) {
    test(`after: ${path}`, async () => {
      const output = await outputOf(after)
      if (after.includes('text/csv')) {
        assert.match(output, /^\d{4}-\d{2}-\d{2}T\d{2}:00:00[+-]\d{2}:\d{2},[\d.]*,.*,\w+,/)
        return
      }
      const body = asObject(parseJson(output))
      const [first] = await idMap()
      assert.equal(body['spaceUuid'], asString(first?.['uuid']))
      if (!path.includes('details')) assert.equal(body['hasData'], true, output)
    })
  }

  if (servedVersions.includes('v1')) {
    for (const { path, before } of examples) {
      test(`before: ${path}`, async () => {
        const body = asObject(parseJson(await outputOf(before)))
        const [first] = await idMap()
        assert.equal(body['spaceId'], asInteger(first?.['id']))
      })
    }
  } else {
    test('the examples of version 1 cannot run yet: it is not served', async () => {
      const { status } = await api(portico, '/v1/spaces/details/1001', { token: await demoToken(portico) })
      assert.equal(status, 404, 'version 1 is served: add it to servedVersions')
    })
  }
})
