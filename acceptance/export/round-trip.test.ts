import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { api, tokenFor } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asInteger, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { queryParquet } from '../support/oracles/parquet.ts'
import { applyInventory, type Installation } from '../support/servers/installation.ts'
import { addOperator } from '../support/servers/operator-dir.ts'
import {
  makeTempDir,
  removeDataDir,
  type RunResult,
  runPortico,
  startPortico,
} from '../support/servers/portico.ts'
import { startOnTerminal } from '../support/servers/terminal.ts'

// A zone in which days are not those of UTC, with a clock change in the range.
const house = makeSmallSite({ timeZone: 'America/New_York' })
const folder = await makeTempDir()
const inventory = join(folder, 'site.json')
let installation: Installation
let remote: Record<string, string> = {}
let serverDir = ''
/** A store without a server. */
let other = ''

const START = Date.UTC(2025, 9, 20)
const STEP_MS = 1_800_000
const DAYS = 30

/** Values that a careless format would change, and instants with seconds and milliseconds. */
const VALUES = [0, -0, 20.5, -7.25, 1e-7, 123_456_789.123_456, 1e12, 0.1 + 0.2, 1 / 3, 5e-324, -1e-9]
const oddReadings: ReadingRecord[] = VALUES.map((value, index) => ({
  deviceUuid: house.trv,
  metricType: 'temperature',
  timestamp: new Date(START + index * 86_399_001).toISOString(),
  value,
}))
const readings: ReadingRecord[] = [
  ...oddReadings,
  ...Array.from({ length: DAYS * 48 }, (_, index) => {
    const timestamp = new Date(START + index * STEP_MS).toISOString()
    return [
      { deviceUuid: house.meter, metricType: 'electricity', timestamp, value: index / 8 },
      { deviceUuid: house.sensor, metricType: 'temperature', timestamp, value: 20 + (index % 50) / 10 },
      { deviceUuid: house.sensor, metricType: 'battery', timestamp, value: 90 - (index % 3) },
    ]
  }).flat(),
]

before(async () => {
  await writeFile(inventory, JSON.stringify(house.document))
  serverDir = await makeTempDir()
  const { clientId, clientSecret } = await addOperator({ dataDir: serverDir })
  const portico = await startPortico({ demo: false, dataDir: serverDir, env: { RATE_LIMIT: 'off' } })
  installation = {
    portico,
    operator: await tokenFor(portico, clientId, clientSecret),
    stop: async () => void (await portico.stop()),
  }
  remote = {
    PORTICO_URL: portico.origin,
    PORTICO_CLIENT_ID: clientId,
    PORTICO_CLIENT_SECRET: clientSecret,
  }
  await applyInventory(installation, house.document)
  await postReadings(installation, 'ndjson', write(readings, 'ndjson'))
  other = await makeTempDir()
  assert.equal((await runPortico(['inventory', 'apply', inventory], { dataDir: other })).code, 0)
})
after(async () => {
  await installation.stop()
  await removeDataDir(serverDir)
  await removeDataDir(other)
  await rm(folder, { recursive: true, force: true })
})

async function download(format: string): Promise<string> {
  const query = `siteUuid=${house.siteUuid}&fromDateTime=2025-10-01&toDateTime=2025-12-01&format=${format}`
  const answer = await api(installation.portico, `/operator/export/readings?${query}`, {
    token: installation.operator,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}

const exportArgs = (kind: string, format: string, out: string, from = '2025-10-01', to = '2025-11-30') =>
  ['export', kind, '--site', house.siteUuid, '--from', from, '--to', to, '--format', format].concat(
    '--out',
    out,
  )

const run = async (args: string[], options: Parameters<typeof runPortico>[1]): Promise<RunResult> => {
  const result = await runPortico(args, options)
  assert.equal(result.code, 0, `portico ${args.join(' ')}: ${result.stderr}`)
  return result
}

const siteFolder = (out: string): string => join(out, `site=${house.siteUuid}`)

/** The content of each file of an export, in order. */
async function readFiles(out: string, extension: string): Promise<Buffer[]> {
  const names = (await readdir(siteFolder(out))).filter((name) => name.endsWith(extension)).toSorted()
  assert.deepEqual(names, [`month=2025-10${extension}`, `month=2025-11${extension}`])
  return Promise.all(names.map((name) => readFile(join(siteFolder(out), name))))
}

const readReport = (stdout: string): JsonObject => asObject(asArray(asObject(parseJson(stdout))['files'])[0])

const readCodes = (report: JsonObject): [number, unknown[]][] =>
  asArray(report['refused'])
    .map(asObject)
    .map(({ line, code }) => [asInteger(line), [code]])

describe('export, import, export', () => {
  for (const format of ['ndjson', 'csv'] as const)
    test(`gives the same bytes as ${format}, through the server and in another store`, async () => {
      const through = join(folder, `through-${format}`)
      await run(exportArgs('readings', format, through), { env: remote })
      const files = (await readFiles(through, `.${format}`)).length
      const fresh = await makeTempDir()
      try {
        await run(['inventory', 'apply', inventory], { dataDir: fresh })
        const names = ['10', '11'].map((month) => join(siteFolder(through), `month=2025-${month}.${format}`))
        const { stdout } = await run(['readings', 'import', ...names, '--json'], { dataDir: fresh })
        const reports = asArray(asObject(parseJson(stdout))['files']).map(asObject)
        assert.equal(reports.length, files)
        assert.equal(
          reports.reduce((sum, { accepted }) => sum + asInteger(accepted), 0),
          readings.length,
        )
        const again = join(folder, `again-${format}`)
        await run(exportArgs('readings', format, again), { dataDir: fresh })
        assert.deepEqual(await readFiles(again, `.${format}`), await readFiles(through, `.${format}`))
      } finally {
        await removeDataDir(fresh)
      }
    })

  test('POST /operator/readings accepts what is exported, and nothing changes', async () => {
    for (const format of ['ndjson', 'csv'] as const) {
      const report = await postReadings(installation, format, await download(format))
      assert.deepEqual(
        [report['unchanged'], report['accepted'], report['replaced'], report['refusedCount']],
        [readings.length, 0, 0, 0],
      )
    }
  })

  test('every value is exported as it was sent, and Parquet has the same', async () => {
    const lines = (await download('ndjson')).trimEnd().split('\n')
    const odd = lines
      .map((line) => asObject(parseJson(line)))
      .filter(({ deviceUuid }) => deviceUuid === house.trv)
    assert.deepEqual(
      odd.map(({ timestamp, value }) => [Date.parse(asString(timestamp)), value]),
      oddReadings.map(({ timestamp, value }) => [Date.parse(timestamp), Object.is(value, -0) ? 0 : value]),
    )
    const out = join(folder, 'parquet')
    await run(exportArgs('readings', 'parquet', out), { dataDir: serverDir })
    const rows: unknown[][] = []
    for (const bytes of await readFiles(out, '.parquet'))
      rows.push(
        ...(await queryParquet(
          bytes,
          'SELECT deviceUuid, metricType, epoch_ms(timestamp)::DOUBLE, value FROM file',
        )),
      )
    assert.deepEqual(
      rows,
      lines.slice(0, -1).map((line) => {
        const { deviceUuid, metricType, timestamp, value } = asObject(parseJson(line))
        return [deviceUuid, metricType, Date.parse(asString(timestamp)), value]
      }),
    )
  })
})

describe('an import of an export that is not complete', () => {
  const cases: [what: string, change: (text: string) => string, code: string | undefined][] = [
    ['without its final record', (text) => text.replace(/\{"end.*\n$/, ''), 'truncated'],
    ['cut in the middle', (text) => text.slice(0, text.lastIndexOf('\n', text.length / 2) + 1), 'truncated'],
    ['with a record less', (text) => text.replace(/\n.*\n/, '\n'), 'wrong-count'],
    ['twice', (text) => text + text, undefined],
    ['without its mark', (text) => text.replace(' }', '}').replace(/\{"end.*\n$/, ''), undefined],
    ['without line breaks at the end', (text) => text.trimEnd(), undefined],
  ]
  for (const [what, change, code] of cases)
    test(`${what}: ${code ?? 'nothing is reported'}`, async () => {
      const text = change(await download('ndjson'))
      const report = await postReadings(installation, 'ndjson', text)
      assert.deepEqual(
        readCodes(report).map(([, codes]) => codes),
        code === undefined ? [] : [[code]],
      )
      const file = join(folder, `${what}.ndjson`)
      await writeFile(file, text)
      // Through a server, the file is sent in several requests.
      for (const options of [{ env: remote }, { dataDir: other }]) {
        const { code: exitCode, stdout } = await runPortico(['readings', 'import', file, '--json'], options)
        assert.equal(exitCode, code === undefined ? 0 : 1)
        assert.deepEqual(readCodes(readReport(stdout)), readCodes(report))
      }
    })
})

describe('portico export', () => {
  test('through a server and on the store, the files are the same', async () => {
    for (const [kind, format, extra] of [
      ['readings', 'parquet', ['--metric-types', 'electricity']],
      ['windows', 'csv', ['--interval', 'P1D', '--group-by', 'building']],
      ['windows', 'parquet', []],
    ] as const) {
      const [here, there] = [join(folder, `here-${kind}-${format}`), join(folder, `there-${kind}-${format}`)]
      await run([...exportArgs(kind, format, here), ...extra], { dataDir: serverDir })
      await run([...exportArgs(kind, format, there), ...extra], { env: remote })
      assert.deepEqual(await readFiles(here, `.${format}`), await readFiles(there, `.${format}`))
    }
  })

  test('continues where it stopped: months that are exported and over are skipped', async () => {
    const out = join(folder, 'resumed')
    const today = new Date().toISOString().slice(0, 10)
    const args = [...exportArgs('readings', 'csv', out, '2025-10-01', today), '--json']
    const isSkipped = async (): Promise<Record<string, unknown>> => {
      const { stdout } = await run(args, { dataDir: serverDir })
      const files = asArray(asObject(parseJson(stdout))['files']).map(asObject)
      return Object.fromEntries(
        files.map(({ file, isSkipped: skipped }) => [
          /month=([\d-]+)/.exec(asString(file))?.[1] ?? '',
          skipped,
        ]),
      )
    }
    const first = await isSkipped()
    const months = Object.keys(first)
    const current = months.at(-1) ?? ''
    assert.ok(months.length > 2 && Object.values(first).every((skipped) => skipped === false))
    const october = join(siteFolder(out), 'month=2025-10.csv')
    await rm(october)
    await utimes(join(siteFolder(out), 'month=2025-11.csv'), 0, 0)
    const second = await isSkipped()
    assert.deepEqual(
      months.filter((month) => second[month] === false),
      ['2025-10', current],
      'only a file that is missing, and the month that is not over',
    )
    assert.equal((await stat(join(siteFolder(out), 'month=2025-11.csv'))).mtimeMs, 0)
    assert.deepEqual(
      (await readdir(siteFolder(out))).filter((name) => name.endsWith('.part')),
      [],
    )
    const clash = await runPortico([...args, '--metric-types', 'co2'], { dataDir: serverDir })
    assert.equal(clash.code, 1)
    assert.match(clash.stderr, /another export/)
  })

  test('a full disk is one clear line, and leaves no file that looks complete', async () => {
    const out = join(folder, 'full')
    await mkdir(siteFolder(out), { recursive: true })
    await symlink('/dev/full', join(siteFolder(out), 'month=2025-10.ndjson.part'))
    const { code, stderr } = await runPortico(exportArgs('readings', 'ndjson', out), { dataDir: serverDir })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^portico: the disk is full: .*month=2025-10\.ndjson .*run the same command again\b.*\n$/,
    )
    assert.ok(!existsSync(join(siteFolder(out), 'month=2025-10.ndjson')))
    await run(exportArgs('readings', 'ndjson', out), { dataDir: serverDir })
    await readFiles(out, '.ndjson')
  })

  test('shows its progress on a terminal', async () => {
    const args = exportArgs('readings', 'csv', join(folder, 'terminal'))
    const command = await startOnTerminal(args, serverDir)
    assert.equal(await command.ended, 0)
    assert.match(command.output(), /2025-10 {2}█+░* 1\/2/)
  })

  test('rejects what it cannot do', async () => {
    for (const [args, expected] of [
      [exportArgs('readings', 'xlsx', folder), /--format must be one of/],
      [exportArgs('readings', 'csv', folder, '2025-13-01'), /--from must be a date/],
      [exportArgs('readings', 'csv', folder, '2025-11-02', '2025-11-01'), /--from must not be after --to/],
      [['export', 'readings', '--from', '2025-11-01'], /--site is required/],
      [[...exportArgs('windows', 'csv', folder), '--interval', 'PT5M'], /--interval must be one of/],
    ] as const) {
      const { code, stderr } = await runPortico([...args], { dataDir: serverDir })
      assert.equal(code, 2, stderr)
      assert.match(stderr, expected)
    }
    const unknown = await runPortico([...exportArgs('readings', 'csv', folder), '--metric-types', 'noise2'], {
      env: remote,
    })
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /metricTypes\[0\] must be one of/)
  })
})
