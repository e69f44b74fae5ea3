import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { changed, makeSmallSite, countRecords } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  exportInventory,
  startInstallation,
} from '../support/servers/installation.ts'
import { asObject, type JsonObject, parseJson } from '../support/json.ts'
import { makeTempDir, type RunResult, runPortico } from '../support/servers/portico.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')

const run = (...args: string[]): Promise<RunResult> => runPortico(['inventory', ...args], { dataDir })

async function writeDocument(document: unknown): Promise<string> {
  const file = join(folder, `${randomUUID()}.json`)
  await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document))
  return file
}

async function good(...args: string[]): Promise<JsonObject> {
  const result = await run(...args, '--json')
  assert.equal(result.code, 0, result.stderr)
  return asObject(parseJson(result.stdout))
}

function assertFailed(result: RunResult, code: number): void {
  assert.equal(result.code, code, `${result.stdout}${result.stderr}`)
  assert.notEqual(result.stderr.trim(), '')
  assert.equal(result.stdout, '')
  assert.doesNotMatch(result.stderr, /\bat \S+:\d+/)
}

const none = { created: 0, updated: 0, archived: 0, unchanged: 0 }

describe('portico inventory apply FILE', () => {
  test('creates a site on an empty store, without a server, and prints the counts of the API', async () => {
    const { document } = makeSmallSite()
    const file = await writeDocument(document)
    assert.deepEqual(await good('apply', file), { ...none, created: countRecords(document) })
    assert.deepEqual(await good('apply', file), { ...none, unchanged: countRecords(document) })
    const renamed = await writeDocument(changed(document, 'site.siteName', 'Renamed'))
    assert.deepEqual(await good('apply', renamed), {
      ...none,
      updated: 1,
      unchanged: countRecords(document) - 1,
    })
  })

  test('prints the counts as text by default', async () => {
    const { document } = makeSmallSite()
    const result = await run('apply', await writeDocument(document))
    assert.equal(result.code, 0, result.stderr)
    assert.throws(() => JSON.parse(result.stdout))
    assert.match(result.stdout, new RegExp(`\\b${countRecords(document)}\\b`))
  })

  test('an invalid document exits with code 1, naming the path, and stores nothing', async () => {
    const { document, siteUuid } = makeSmallSite()
    for (const path of ['spaces.0.spaceType', 'devices.0.deviceType', 'site.timeZone']) {
      const result = await run('apply', await writeDocument(changed(document, path, 'nonsense')))
      assertFailed(result, 1)
      const named = result.stderr.split(/[^\w]+/).join('.')
      assert.ok(named.includes(path), result.stderr)
    }
    assertFailed(await run('export', siteUuid), 1)
  })

  test('an identifier of another site exits with code 1', async () => {
    const house = makeSmallSite()
    await good('apply', await writeDocument(house.document))
    const thief = changed(makeSmallSite().document, 'devices.0.deviceUuid', house.meter)
    assertFailed(await run('apply', await writeDocument(thief)), 1)
  })

  test('a missing file, or one that is not JSON, exits with code 1', async () => {
    for (const file of [
      join(folder, 'nothing.json'),
      folder,
      await writeDocument('{'),
      await writeDocument(''),
    ]) {
      assertFailed(await run('apply', file), 1)
    }
  })
})

describe('portico inventory export SITE', () => {
  test('prints the document, and applying it changes nothing', async () => {
    const { document, siteUuid } = makeSmallSite()
    await good('apply', await writeDocument(document))
    const exported = await good('export', siteUuid)
    assert.deepEqual(Object.keys(exported).toSorted(), ['buildings', 'devices', 'site', 'spaces'])
    assert.deepEqual(await good('apply', await writeDocument(exported)), {
      ...none,
      unchanged: countRecords(document),
    })
    const plain = await run('export', siteUuid)
    assert.equal(plain.code, 0)
    assert.deepEqual(parseJson(plain.stdout), exported)
  })

  test('an unknown site exits with code 1', async () => {
    assertFailed(await run('export', randomUUID()), 1)
  })
})

describe('wrong usage exits with code 2 and one line', () => {
  const wrong: string[][] = [
    [],
    ['nonsense'],
    ['apply'],
    ['apply', 'a', 'b'],
    ['apply', '--colour'],
    ['export'],
    ['export', 'x'],
    ['export', randomUUID(), '--colour'],
  ]
  for (const args of wrong) {
    test(`portico inventory ${args.map((arg) => (arg.length === 36 ? '<uuid>' : arg)).join(' ')}`, async () => {
      const result = await run(...args)
      assertFailed(result, 2)
      assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
    })
  }
})

test('next to a running server: each sees what the other applied', async () => {
  const installation = await startInstallation()
  try {
    const { dataDir: shared } = installation.portico
    const inShared = (...args: string[]): Promise<RunResult> =>
      runPortico(['inventory', ...args, '--json'], { dataDir: shared })
    const house = makeSmallSite()
    await applyInventory(installation, house.document)
    const client = await addClient(installation, [house.siteUuid])
    const printed = await inShared('export', house.siteUuid)
    assert.equal(printed.code, 0, printed.stderr)
    assert.deepEqual(parseJson(printed.stdout), await exportInventory(installation, house.siteUuid))
    const renamed = changed(house.document, 'spaces.0.spaceName', 'Renamed beside')
    const result = await inShared('apply', await writeDocument(renamed))
    assert.equal(result.code, 0, result.stderr)
    assert.equal(asObject(parseJson(result.stdout))['updated'], 1)
    await eventually(async () => {
      const overview = await client.get(`/spaces/${house.bedroom}/overview`)
      assert.equal(overview['spaceName'], 'Renamed beside')
    })
  } finally {
    await installation.stop()
  }
})
