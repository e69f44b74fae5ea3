import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../support/json.ts'
import { eventually } from '../support/eventually.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { startOnTerminal, type TerminalCommand } from '../support/servers/terminal.ts'

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

/** The percentages that a progress bar has shown. */
const listShown = (command: TerminalCommand): number[] =>
  [...command.output().matchAll(/[█░] (\d+) %/g)].map(([, percent]) => Number(percent))

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

  test('an interrupted import resumes where its progress bar was, and nothing is missing', async () => {
    const count = 250_000
    const file = join(dataDir, 'large.ndjson')
    const stream = createWriteStream(file)
    for (let index = 0; index < count; index += 1) {
      const text = index % 10_000 === 9_999 ? 'nonsense' : line(100_000 + index)
      if (!stream.write(`${text}\n`)) await once(stream, 'drain')
    }
    stream.end()
    await once(stream, 'close')
    const start = (): Promise<TerminalCommand> => startOnTerminal(['readings', 'import', file], dataDir)

    const first = await start()
    await eventually(async () => assert.ok(Number(listShown(first).at(-1)) > 0))
    first.type('\u0003')
    // npm sends a signal, too.
    first.kill('SIGINT')
    assert.equal(await first.ended, 130, first.output())
    const shown = listShown(first).at(-1)
    assert.match(first.output(), /%(\^C)?\r\n\S+: \d+ accepted, /, 'the report begins on a new line')
    assert.match(first.output(), /\r\n {2}interrupted; run the same command again to continue\r\n$/)

    const second = await start()
    await eventually(async () => assert.notDeepEqual(listShown(second), []))
    second.kill('SIGTERM')
    assert.equal(await second.ended, 143, second.output())
    assert.equal(listShown(second)[0], shown, 'the bar starts where it was')

    const last = await start()
    assert.equal(await last.ended, 1, last.output())
    assert.equal(listShown(last)[0], listShown(second).at(-1), 'interrupted early, it keeps its progress')
    assert.equal(listShown(last).at(-1), 100)
    const accepted = [first, second, last].map((run) => Number(/: (\d+) accepted/.exec(run.output())?.[1]))
    assert.equal(
      accepted.reduce((sum, one) => sum + one),
      count - count / 10_000,
    )
    assert.match(last.output(), / 0 replaced, 0 unchanged, /, 'nothing is imported twice')
    const [, list = ''] = /listed in (.+)\r\n/.exec(last.output()) ?? []
    const refused = (await readFile(list, 'utf8')).trimEnd().split('\n')
    assert.equal(refused.length, 1 + count / 10_000, 'every refused line is listed once')
    assert.deepEqual(await readdir(join(dataDir, 'imports')), [])
  })

  test('an import that fails lists the lines that it has refused', async () => {
    const file = join(dataDir, 'failing.ndjson')
    const imports = join(dataDir, 'imports')
    await writeFile(file, ['nonsense', line(1)].join('\n'))
    await rm(imports, { recursive: true })
    await writeFile(imports, 'not a folder')
    const failed = await runPortico(['readings', 'import', file], { dataDir })
    await rm(imports)
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /^portico: cannot use .*imports/)
    const [name = ''] = (await readdir(join(dataDir, 'refused'))).filter((one) => one.startsWith('failing.'))
    assert.match(await readFile(join(dataDir, 'refused', name), 'utf8'), /^1,malformed,/m)
  })

  test('an import from standard input can be interrupted while it waits', async () => {
    const waiting = await startOnTerminal(['readings', 'import', '-', '--format', 'ndjson'], dataDir)
    waiting.type('nonsense\n'.repeat(1_000))
    await eventually(async () => {
      const lists = await readdir(join(dataDir, 'refused'))
      assert.ok(lists.some((name) => name.startsWith('stdin.')))
    })
    waiting.type('\u0003')
    assert.equal(await waiting.ended, 130, waiting.output())
    assert.match(waiting.output(), /0 unchanged, 1000 refused\r\n/)
    assert.match(waiting.output(), /\r\n {2}interrupted\r\n$/, 'it cannot be continued')
  })
})
