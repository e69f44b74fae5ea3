import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../support/json.ts'
import { eventually } from '../support/eventually.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { startOnTerminal } from '../support/servers/terminal.ts'
import { spawnCommand } from '../support/servers/spawned-command.ts'

const house = makeSmallSite()

let dataDir = ''

before(async () => {
  dataDir = await makeTempDir()
  const file = join(dataDir, 'site.json')
  await writeFile(file, JSON.stringify(house.document))
  const applied = await runPortico(['inventory', 'apply', file], { dataDir })
  assert.equal(applied.code, 0, applied.stderr)
})
after(() => rm(dataDir, { recursive: true, force: true }))

const line = (index: number): string =>
  JSON.stringify({
    deviceUuid: house.meter,
    metricType: 'electricity',
    timestamp: new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString(),
    value: index,
  })

function parseReport(stdout: string): JsonObject {
  const [report] = asArray(asObject(parseJson(stdout))['files'])
  return asObject(report ?? {})
}

const counts = ({ accepted, replaced, unchanged, refusedCount }: JsonObject) => [
  accepted,
  replaced,
  unchanged,
  refusedCount,
]

describe('portico readings import', () => {
  test('stores a file directly in the store, and repeating it changes nothing', async () => {
    const file = join(dataDir, 'a.ndjson')
    await writeFile(file, [line(1), line(2), 'nonsense', line(3)].join('\n'))
    const first = await runPortico(['readings', 'import', file, '--json'], { dataDir })
    assert.equal(first.code, 1, 'a line was refused')
    assert.deepEqual(counts(parseReport(first.stdout)), [3, 0, 0, 1])
    const second = await runPortico(['readings', 'import', file], { dataDir })
    assert.equal(second.code, 1)
    assert.match(second.stdout, /0 accepted, 0 replaced, 3 unchanged, 1 refused\n {2}line 3: malformed/)
    const [, list = ''] = /listed in (.+)\n/.exec(second.stdout) ?? []
    assert.match(await readFile(list, 'utf8'), /^line,code,message\n3,malformed,"[^"]*"\n$/)
  })

  test('reads standard input', async () => {
    const stdin = `deviceUuid,metricType,timestamp,value\n${house.secondMeter},electricity,2026-01-01T00:00:00Z,5\n`
    const result = await runPortico(['readings', 'import', '-', '--format', 'csv', '--json'], {
      dataDir,
      stdin,
    })
    assert.deepEqual(counts(parseReport(result.stdout)), [1, 0, 0, 0])
  })

  test('an unknown format is wrong usage, a missing file a failure', async () => {
    assert.equal((await runPortico(['readings', 'import', 'a.txt'], { dataDir })).code, 2)
    assert.equal(
      (await runPortico(['readings', 'import', join(dataDir, 'missing.csv')], { dataDir })).code,
      1,
    )
  })

  test('an interrupted import resumes where it stopped, and nothing is missing', async () => {
    const count = 250_000
    const file = join(dataDir, 'large.ndjson')
    const stream = createWriteStream(file)
    for (let index = 0; index < count; index += 1) {
      if (!stream.write(`${line(100_000 + index)}\n`)) await once(stream, 'drain')
    }
    stream.end()
    await once(stream, 'close')

    const importing = await spawnCommand(['readings', 'import', file, '--json'], dataDir)
    const imports = join(dataDir, 'imports')
    await eventually(async () => {
      assert.ok(existsSync(imports) && (await readdir(imports)).some((name) => name.endsWith('.json')))
    })
    importing.kill('SIGINT')
    assert.equal(await importing.ended, 1)
    const first = parseReport(importing.output())
    assert.equal(first['isInterrupted'], true)

    const [name = ''] = await readdir(imports)
    const stored = asObject(parseJson(await readFile(join(imports, name), 'utf8')))
    const percent = Math.floor((Number(stored['bytes']) / (await stat(file)).size) * 100)
    assert.ok(percent > 0)
    const resumed = await startOnTerminal(['readings', 'import', file, '--json'], dataDir)
    assert.equal(await resumed.ended, 0, resumed.output())
    const bars = [...resumed.output().matchAll(/[█░] (\d+) %/g)].map(([, shown]) => Number(shown))
    assert.equal(bars[0], percent, 'the bar starts where it was')
    assert.equal(bars.at(-1), 100)
    const rest = parseReport(resumed.output().slice(resumed.output().indexOf('{"files"')))
    assert.equal(Number(first['accepted']) + Number(rest['accepted']), count)
    assert.equal(rest['refusedCount'], 0)
    assert.ok(Number(rest['unchanged']) < count / 2, 'it does not start from the beginning')
    assert.deepEqual(await readdir(imports), [])
  })
})
