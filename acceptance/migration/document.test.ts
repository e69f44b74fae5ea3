import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../support/eventually.ts'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { asArray, asInteger, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { makeTempDir, type Portico } from '../support/servers/portico.ts'
import { api, demoToken } from '../support/clients/requests.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { v1Endpoints } from '../support/fixtures/v1-endpoints.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/api/migration.md', import.meta.url), 'utf8')
const [introduction = '', ...sections] = page.split('\n### ')

const listBlocks = (text: string): string[] =>
  [...text.matchAll(/```sh\n(.*?)\n```/gs)].map(([, code = '']) => code)

interface Example {
  path: string
  before: string
  after: string
}
const examples: Example[] = sections.map((section) => {
  const [before = '', after = '', ...more] = listBlocks(section)
  assert.deepEqual(more, [])
  return { path: section.split('\n', 1)[0] ?? '', before, after }
})

/** The page's dates leave the demo's history as time passes: they are replaced by as many recent days. */
function withRecentDates(code: string): string {
  const today = Temporal.Now.plainDateISO('Europe/London')
  const dates: Record<string, Temporal.PlainDate> = {
    FROM: today.subtract({ days: 9 }),
    TO: today.subtract({ days: 2 }),
  }
  return Object.entries(dates).reduce((text, [name, date]) => {
    const line = new RegExp(`^${name}=\\d{4}-\\d{2}-\\d{2}\\b`, 'm')
    assert.match(text, line)
    return text.replace(line, `${name}=${date.toString()}`)
  }, code)
}

let portico: Portico
let folder: string
before(async () => {
  folder = await makeTempDir()
  // A token for each example, as a reader would request them, but all within a minute.
  portico = (await shareDemo()).portico
})
after(() => rm(folder, { recursive: true }))

/** Output of an example in a shell that has read `demo.env` and run the preceding steps of the page. */
async function runExample(example: string): Promise<string> {
  const path = join(folder, 'example.sh')
  const [token, usage, dates] = listBlocks(introduction)
  assert.ok(token && usage && dates, 'the page begins with a token, the usage and dates')
  await writeFile(path, `set -euo pipefail\n${withRecentDates(`${token}\n${dates}`)}\n${example}\n`)
  const script = `set -a; . ${demoEnvPath(portico.dataDir)}; set +a; exec bash "$0"`
  const env = { PATH: process.env['PATH'] ?? '', NO_PROXY: 'localhost', TZ: 'Europe/London' }
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

test('the page describes the future of all 23 endpoints', () => {
  const rows = [...introduction.matchAll(/^\| `GET (.+?)` \| (.+?) \| (?:`GET (.+?)`)? *\|$/gm)]
  const words = {
    replaced: 'replaced',
    'awaiting-v2': 'available until version 2 replaces it',
    retiring: 'retiring',
  }
  assert.deepEqual(
    rows.map(([, path, fate, replacement]) => [path, fate, replacement ?? null]),
    v1Endpoints.map(({ path, state, replacement }) => [path, words[state], replacement]),
  )
})

test('it has an example for each replaced endpoint', () => {
  assert.deepEqual(
    examples.map(({ path }) => path),
    v1Endpoints.filter(({ state }) => state === 'replaced').map(({ path }) => path),
  )
  for (const { before, after } of examples) {
    assert.ok(before.includes('$BASE_URL_V1/') && after.includes('$PORTICO_BASE_URL/'))
  }
})

describe('its examples, run unchanged', { skip: skipWithout(testTools.curl) }, () => {
  test('the map of identifiers names the first space of the site', async () => {
    const [first] = await idMap()
    assert.equal(
      await runExample('echo $SPACE_ID $SPACE_UUID'),
      `${String(first?.['id'])} ${String(first?.['uuid'])}\n`,
    )
  })

  test('the usage lists every endpoint', async () => {
    const lines = (await runExample(listBlocks(introduction)[1] ?? '')).trimEnd().split('\r\n')
    assert.equal(lines.length, 1 + v1Endpoints.length)
  })

  test('the batch read has the values of the single reads', async () => {
    const [, , , all = ''] = listBlocks(introduction)
    const single = examples.find(({ path }) => path === '/spaces/utilities/{spaceId}/history')
    const batch = asObject(parseJson(await runExample(all)))
    const one = asObject(parseJson(await runExample(single?.after ?? '')))
    const series = asArray(batch['series']).map(asObject)
    assert.ok(series.length > 50)
    const own = series.find(
      ({ spaceUuid, metricType }) => spaceUuid === one['spaceUuid'] && metricType === 'electricity',
    )
    assert.deepEqual(
      own?.['values'],
      listWindows(one).map(({ value }) => value),
    )
  })

  for (const { path, before, after } of examples) {
    test(`before and after return the same values: ${path}`, async () => {
      const [older, newer] = await whileStill(before, after)
      const [first] = await idMap()
      assert.equal(older['spaceId'], asInteger(first?.['id']))
      const body = typeof newer === 'string' ? newer : asObject(newer)
      if (typeof body !== 'string') assert.equal(body['spaceUuid'], asString(first?.['uuid']))
      const compare = COMPARISONS[path] ?? assert.fail(`nothing compares the answers of ${path}`)
      compare(older, body)
    })
  }
})

/** The current hour changes during the test: the two responses count if version 2 returned the same before and after. */
const whileStill = (before: string, after: string): Promise<[JsonObject, JsonObject | string]> =>
  eventually(async () => {
    const first = await runExample(after)
    const older = asObject(parseJson(await runExample(before)))
    const second = await runExample(after)
    assert.equal(second, first, 'version 2 returned something else after the response of version 1')
    return [older, after.includes('text/csv') ? second : asObject(parseJson(second))]
  })

type Compare = (older: JsonObject, newer: JsonObject | string) => void

const listWindows = (newer: JsonObject | string): JsonObject[] =>
  asArray(asObject(newer)['timeSeries']).map(asObject)

const getValue = (field: unknown): unknown => asObject(field)['value']

const sameHour =
  (metric: string, getTime: (older: JsonObject) => unknown): Compare =>
  (older, newer) => {
    const [timestamp, value = ''] = (typeof newer === 'string' ? newer : '').split(',')
    assert.notEqual(value, '')
    assert.deepEqual([getTime(older), getValue(older[metric])], [timestamp, Number(value)])
  }

const sameWindows =
  (metric: string, label: 'date' | 'month'): Compare =>
  (older, newer) => {
    const windows = listWindows(newer)
    assert.ok(windows.some(({ value }) => value !== null))
    assert.deepEqual(
      asArray(older['data']).map((row) => [asObject(row)[label], getValue(asObject(row)[metric])]),
      windows.map(({ timestamp, value }) => [asString(timestamp).slice(0, label === 'date' ? 10 : 7), value]),
    )
  }

const COMPARISONS: Record<string, Compare> = {
  '/spaces/details/{spaceId}': (older, newer) => {
    for (const name of ['spaceName', 'spaceType', 'buildingName', 'occupancy'])
      assert.deepEqual(older[name], asObject(newer)[name], name)
  },
  '/spaces/utilities/{spaceId}': sameHour('electricity', ({ timestamp }) => timestamp),
  '/spaces/utilities/{spaceId}/history': sameWindows('electricity', 'date'),
  '/spaces/utilities/{spaceId}/monthly': sameWindows('electricity', 'month'),
  '/spaces/multiSensor/{spaceId}': sameHour(
    'temperature',
    ({ temperature }) => asObject(temperature)['timestamp'],
  ),
  '/spaces/multiSensor/{spaceId}/history': sameWindows('temperature', 'date'),
  '/spaces/performance/{spaceId}': (older, newer) => {
    const [month, ...more] = listWindows(newer)
    assert.deepEqual(more, [])
    assert.equal(getValue(older['performance']), month?.['value'])
  },
  '/spaces/utilities/performance/{spaceId}': (older, newer) => {
    const [month, ...more] = listWindows(newer)
    assert.deepEqual(more, [])
    const { spaceId: _, month: __, ...scores } = older
    const known = Object.entries(scores).flatMap(([metric, score]) =>
      getValue(score) === null ? [] : [[metric, getValue(score)]],
    )
    assert.deepEqual(Object.fromEntries(known), month?.['components'] ?? {})
  },
}
