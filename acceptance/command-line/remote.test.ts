import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { readNewPartner } from '../support/clients/operator.ts'
import { startOnTerminal, type TerminalCommand } from '../support/servers/terminal.ts'
import { addOperator } from '../support/servers/operator-dir.ts'
import { spawnCommand } from '../support/servers/spawned-command.ts'
import {
  makeTempDir,
  type Portico,
  type RunResult,
  runPortico,
  startPortico,
} from '../support/servers/portico.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')
const house = makeSmallSite({ timeZone: 'UTC' })
const inventory = join(folder, 'site.json')

let portico: Portico
let env: Record<string, string> = {}

before(async () => {
  const { clientId, clientSecret } = await addOperator({ dataDir })
  portico = await startPortico({ demo: false, dataDir, env: { RATE_LIMIT: 'off' } })
  env = { PORTICO_URL: portico.origin, PORTICO_CLIENT_ID: clientId, PORTICO_CLIENT_SECRET: clientSecret }
  await writeFile(inventory, JSON.stringify(house.document))
})
after(() => portico.stop())

const remote = (...args: string[]): Promise<RunResult> => runPortico(args, { env })
const local = (...args: string[]): Promise<RunResult> => runPortico(args, { dataDir })

async function json(run: typeof remote, ...args: string[]): Promise<JsonObject> {
  const result = await run(...args, '--json')
  assert.equal(result.code, 0, `portico ${args.join(' ')}: ${result.stderr}`)
  return asObject(parseJson(result.stdout))
}

/** Runs a command that reads, on the store and through the server, and asserts that both print the same. */
async function readBoth(...args: string[]): Promise<JsonObject> {
  const through = await json(remote, ...args)
  assert.deepEqual(through, await json(local, ...args))
  const text = await remote(...args)
  assert.equal(text.stdout, (await local(...args)).stdout)
  return through
}

const listed = (answer: JsonObject): JsonObject[] => asArray(answer['data']).map(asObject)

test('inventory apply, export and the lists of sites and devices', async () => {
  assert.equal((await remote('site', 'list')).stdout.includes('There are no sites yet'), true)
  const planned = await json(remote, 'inventory', 'apply', inventory, '--dry-run')
  assert.deepEqual(listed(await json(local, 'site', 'list')), [], 'a dry run changes nothing')
  const applied = await json(remote, 'inventory', 'apply', inventory)
  assert.equal(applied['created'], planned['created'])
  const [site = {}] = listed(await readBoth('site', 'list'))
  assert.deepEqual(site, {
    siteUuid: house.siteUuid,
    siteName: house.document.site['siteName'],
    timeZone: 'UTC',
    sandbox: false,
  })
  const devices = listed(await readBoth('device', 'list', house.siteUuid))
  assert.equal(devices.length, house.document.devices.length)
  assert.ok(devices.every(({ status }) => typeof status === 'string'))
  await readBoth('inventory', 'export', house.siteUuid)
  for (const run of [remote, local])
    assert.match((await run('device', 'list', randomUUID())).stderr, /no such site/)
})

test('site list names its columns', async () => {
  const { stdout } = await remote('site', 'list')
  assert.match(stdout, /^site +name +time zone +sandbox\n.* no\n$/)
})

test('an invalid inventory is described by the file and every error', async () => {
  const file = join(folder, 'invalid.json')
  const devices = house.document.devices.map((device) => ({ ...device, spaceUuid: randomUUID() }))
  for (const run of [remote, local]) {
    await writeFile(file, '{"site":')
    const unreadable = await run('inventory', 'apply', file)
    assert.equal(unreadable.code, 1)
    assert.ok(unreadable.stderr.startsWith(`portico: ${file} is not valid JSON: `), unreadable.stderr)
    await writeFile(file, '# Site\n\nA document\n')
    assert.match((await run('inventory', 'apply', file)).stderr, /^portico: .* is not valid JSON: .+\n$/)
    await writeFile(file, JSON.stringify({ ...house.document, devices }))
    const inconsistent = await run('inventory', 'apply', file, '--yes')
    assert.equal(inconsistent.code, 1)
    const [first, ...lines] = inconsistent.stderr.trimEnd().split('\n')
    assert.equal(first, 'portico: The document is inconsistent.')
    assert.equal(lines.filter((line) => /^ {2}devices\.\d+\.spaceUuid /.test(line)).length, devices.length)
  }
})

describe('an inventory that archives records', () => {
  for (const [way, run] of [
    ['remotely', remote],
    ['on the store', local],
  ] as const) {
    test(`is applied ${way} only with --yes, and --dry-run lists the records`, async () => {
      const [gone, ...devices] = house.document.devices
      assert.equal((await run('inventory', 'apply', inventory, '--yes')).code, 0)
      const smaller = join(folder, 'smaller.json')
      await writeFile(smaller, JSON.stringify({ ...house.document, devices }))
      const refused = await run('inventory', 'apply', smaller)
      assert.equal(refused.code, 2, refused.stdout)
      assert.match(refused.stderr, /would archive 1 record; list it with --dry-run, .*--yes/)
      const plan = await json(run, 'inventory', 'apply', smaller, '--dry-run')
      assert.equal(plan['archived'], 1)
      assert.deepEqual(plan['archivedRecords'], [
        { kind: 'device', uuid: gone?.['deviceUuid'], name: gone?.['deviceName'] },
      ])
      assert.match((await run('inventory', 'apply', smaller, '--dry-run')).stdout, /nothing was changed/)
      assert.equal((await json(run, 'inventory', 'apply', smaller, '--yes'))['archived'], 1)
    })
  }
})

test('on a terminal, an inventory that archives records is applied after a yes', async () => {
  assert.equal((await local('inventory', 'apply', inventory, '--yes')).code, 0)
  const smaller = join(folder, 'asked.json')
  await writeFile(smaller, JSON.stringify({ ...house.document, devices: house.document.devices.slice(1) }))
  for (const [key, code] of [
    ['n', 1],
    ['\u0003', 130],
    ['y', 0],
  ] as const) {
    const asked = await startOnTerminal(['inventory', 'apply', smaller], dataDir)
    await eventually(async () => assert.match(asked.output(), /Archive 1 record\?/), 60_000)
    asked.type(key)
    assert.equal(await asked.ended, code, asked.output())
    assert.match(asked.output(), key === 'y' ? /1 archived/ : /nothing was changed/)
  }
})

test('partners, grants and secrets', async () => {
  const added = await json(remote, 'partner', 'add', '--name', 'Remote partner', '--role', 'Spaces.Read')
  const { partnerUuid, clientId } = readNewPartner(added)
  assert.equal(added['authUrl'], portico.authUrl)
  const grant = await json(remote, 'partner', 'grant', partnerUuid, '--site', house.siteUuid)
  assert.deepEqual(grant['sites'], [house.siteUuid])
  const repeated = await remote('partner', 'grant', partnerUuid, '--site', house.siteUuid)
  assert.equal(repeated.stdout, `Remote partner may access: ${house.siteUuid}.\n`)
  const shown = await readBoth('partner', 'show', partnerUuid)
  assert.equal(shown['clientId'], clientId)
  assert.deepEqual(shown['sites'], [house.siteUuid])
  assert.match((await remote('partner', 'show', partnerUuid)).stdout, /^rate limits +default$/m)
  assert.deepEqual(
    (await json(local, 'partner', 'revoke', partnerUuid, '--site', house.siteUuid))['sites'],
    [],
  )
  for (const run of [remote, local]) {
    const again = await run('partner', 'revoke', partnerUuid, '--site', house.siteUuid)
    assert.equal(again.code, 0, again.stderr)
    assert.equal(
      again.stdout,
      `${house.siteUuid} was not granted to Remote partner.\nRemote partner may access no sites.\n`,
    )
  }
  const changes = await readBoth('audit', 'list', '--action', 'partner.changed', '--search', partnerUuid)
  assert.equal(listed(changes).length, 2, 'one grant, one revocation')
  const secret = await json(remote, 'secret', 'add', partnerUuid)
  assert.equal(listed(await readBoth('secret', 'list', partnerUuid)).length, 2)
  assert.equal((await remote('secret', 'remove', partnerUuid, asString(secret['secretId']))).code, 0)
  assert.equal(listed(await readBoth('secret', 'list', partnerUuid)).length, 1)
  assert.equal((await json(remote, 'partner', 'disable', partnerUuid))['enabled'], false)
  await readBoth('partner', 'list')
})

test('gateways, keys, version 1, rejected messages, commands and the audit log', async () => {
  const gateway = await json(remote, 'gateway', 'add', house.siteUuid, '--name', 'Remote gateway')
  assert.equal(listed(await readBoth('gateway', 'list', house.siteUuid)).length, 1)
  const exported = await local('gateway', 'export', 'mosquitto', '--out', join(folder, 'mosquitto'))
  assert.match(exported.stdout, /: 1 gateway\.\n/)
  assert.equal((await remote('gateway', 'remove', house.siteUuid, asString(gateway['gatewayUuid']))).code, 0)
  const { kid } = await json(remote, 'keys', 'rotate')
  assert.equal(listed(await readBoth('keys', 'list'))[0]?.['kid'], kid)
  const sunset = await json(remote, 'v1', 'sunset', '/tenant/logo', '2031-01-01')
  assert.equal(sunset['sunsetAt'], '2031-01-01T00:00:00.000Z')
  assert.equal((await remote('v1', 'sunset', '/tenant/logo', '--clear')).code, 0)
  await readBoth('migration', 'report')
  await readBoth('rejected', 'list')
  await readBoth('rejected', 'list', '--reason', 'not-json', '--search', 'readings')
  await readBoth('command', 'list', house.siteUuid)
  const entries = listed(await readBoth('audit', 'list', '--limit', '3'))
  assert.equal(entries.length, 3)
  assert.equal(asObject(entries[0]?.['actor'])['kind'], 'partner')
  const rotated = listed(
    // A key id may begin with a dash.
    await readBoth('audit', 'list', '--action', 'key.rotated', `--search=${asString(kid)}`),
  )
  assert.deepEqual(
    rotated.map(({ action }) => action),
    ['key.rotated'],
  )
})

describe('readings import', () => {
  const reading = (minute: number): string =>
    [house.secondMeter, 'electricity', new Date(Date.UTC(2026, 0, 5, 0, minute)).toISOString(), minute].join()

  for (const [way, run] of [
    ['remotely', remote],
    ['on the store', local],
  ] as const) {
    test(`${way}, reports, lists refused lines in a file, and leaves an audit entry`, async () => {
      assert.equal((await run('inventory', 'apply', inventory, '--yes')).code, 0)
      const file = join(folder, `${way.replaceAll(' ', '-')}.csv`)
      const lines = Array.from({ length: 2_500 }, (_, minute) => reading(minute))
      lines.splice(1_700, 0, 'broken')
      await writeFile(file, ['deviceUuid,metricType,timestamp,value', ...lines, ''].join('\n'))
      const where = run === remote ? { env: { ...env, DATA_DIR: join(folder, 'imports') } } : { dataDir }
      const result = await runPortico(['readings', 'import', file, '--json'], where)
      assert.equal(result.code, 1, result.stderr)
      const [report = {}] = asArray(asObject(parseJson(result.stdout))['files']).map(asObject)
      assert.equal(Number(report['accepted']) + Number(report['unchanged']), 2_500)
      assert.equal(report['refusedCount'], 1)
      assert.equal(asObject(asArray(report['refused'])[0])['line'], 1_702)
      const refused = await readFile(asString(report['refusedFile']), 'utf8')
      assert.match(refused, /^line,code,message\n1702,malformed,"[^"]+"\n$/)
      const [entry = {}] = listed(await json(local, 'audit', 'list', '--limit', '1'))
      assert.equal(entry['action'], 'readings.imported')
      assert.ok(file.endsWith(asString(entry['target'])))
      assert.equal(asObject(entry['detail'])['refusedCount'], 1)
      assert.equal(asObject(entry['actor'])['kind'], run === remote ? 'partner' : 'command-line')
    })
  }
})

test('an interrupted remote import resumes where its progress bar was', async () => {
  const file = join(folder, 'long.csv')
  const start = Date.UTC(2025, 0, 1)
  const lines = Array.from({ length: 100_000 }, (_, minute) =>
    [house.secondMeter, 'electricity', new Date(start + minute * 60_000).toISOString(), minute].join(),
  )
  await writeFile(file, ['deviceUuid,metricType,timestamp,value', ...lines, ''].join('\n'))
  const importing = (): Promise<TerminalCommand> =>
    startOnTerminal(['readings', 'import', file, '--url', portico.origin], join(folder, 'client'), env)
  const listShown = (command: TerminalCommand): string[] => command.output().match(/\d+ %/g) ?? []
  const first = await importing()
  await eventually(async () => assert.ok(listShown(first).length > 2))
  first.type('\u0003')
  assert.equal(await first.ended, 130, first.output())
  const second = await importing()
  assert.equal(await second.ended, 0, second.output())
  assert.equal(listShown(second)[0], listShown(first).at(-1))
  const accepted = [first, second].map((run) => Number(/: (\d+) accepted/.exec(run.output())?.[1]))
  assert.equal(
    accepted.reduce((sum, one) => sum + one),
    lines.length,
  )
})

test('the text of an import counts refused lines', async () => {
  const file = join(folder, 'refused.csv')
  await writeFile(file, 'deviceUuid,metricType,timestamp,value\nbroken\n')
  const { stdout } = await local('readings', 'import', file)
  assert.ok(stdout.startsWith(`${file}: 0 accepted, 0 replaced, 0 unchanged, 1 refused\n`), stdout)
})

describe('failures', () => {
  test('a command that works on this machine only refuses --url with one line', async () => {
    for (const args of [['backup', 'x'], ['doctor'], ['migrate'], ['config', 'show'], ['serve']]) {
      const result = await runPortico([...args, '--url', portico.origin])
      assert.equal(result.code, 2, result.stdout)
      assert.match(result.stderr, /^portico: portico .* does not accept --url: .+\n$/)
    }
  })

  test('wrong credentials, an unreachable server and missing credentials are one line', async () => {
    const wrong = await runPortico(['site', 'list'], { env: { ...env, PORTICO_CLIENT_SECRET: 'wrong' } })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /issued no token: AADSTS7000215/)
    const nowhere = await runPortico(['site', 'list'], { env: { ...env, PORTICO_URL: 'http://127.0.0.1:9' } })
    assert.equal(nowhere.code, 1)
    assert.match(nowhere.stderr, /^portico: http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n$/)
    const none = await runPortico(['site', 'list', '--url', portico.origin])
    assert.equal(none.code, 2)
    assert.match(none.stderr, /needs --client-id or PORTICO_CLIENT_ID/)
  })

  test('the credentials of a partner are recognised, and the operator’s are named', async () => {
    const { clientId, clientSecret } = readNewPartner(
      await json(local, 'partner', 'add', '--name', 'SDK user'),
    )
    const asPartner = { ...env, PORTICO_CLIENT_ID: clientId, PORTICO_CLIENT_SECRET: clientSecret }
    const result = await runPortico(['site', 'list'], { env: asPartner })
    assert.equal(result.code, 1)
    assert.match(
      result.stderr,
      /^portico: .+ belongs to a partner, .*PORTICO_CLIENT_ID .*--client-id .*OPERATOR_CLIENT_ID .*demo\.env .+\n$/,
    )
    const machine = await runPortico(['site', 'list', '--json'], { env: asPartner })
    assert.equal(asObject(asObject(parseJson(machine.stderr))['error'])['code'], 'forbidden')
  })

  test('errors of the server are printed like those of the store, with --json as JSON', async () => {
    for (const run of [remote, local]) {
      const text = await run('partner', 'show', randomUUID())
      assert.equal(text.code, 1)
      assert.equal(text.stderr, 'portico: There is no such partner.\n')
      const machine = await run('partner', 'show', randomUUID(), '--json')
      assert.equal(machine.stdout, '')
      assert.deepEqual(parseJson(machine.stderr), {
        error: { code: 'not-found', message: 'There is no such partner.' },
        exitCode: 1,
      })
    }
  })

  test('a store named by a flag takes precedence over a server named in the environment', async () => {
    const result = await runPortico(['site', 'list', '--json'], {
      dataDir,
      env: { ...env, PORTICO_URL: 'http://127.0.0.1:9' },
    })
    assert.equal(result.code, 0, result.stderr)
  })
})

test('flags name the server and the credentials', async () => {
  const { PORTICO_URL = '', PORTICO_CLIENT_ID = '', PORTICO_CLIENT_SECRET = '' } = env
  const flags = [
    '--url',
    PORTICO_URL,
    '--client-id',
    PORTICO_CLIENT_ID,
    `--client-secret=${PORTICO_CLIENT_SECRET}`,
  ]
  assert.equal((await runPortico(['site', 'list', ...flags])).code, 0)
})

test('partner add on the store prints the addresses of the server that runs on it', async () => {
  const added = await json(local, 'partner', 'add', '--name', 'Beside', '--role', 'Spaces.Read')
  assert.equal(added['authUrl'], portico.authUrl)
  assert.equal(added['baseUrl'], portico.baseUrl)
  const other = await json(
    local,
    'partner',
    'add',
    '--name',
    'Set',
    '--public-url',
    'https://api.example.com',
  )
  assert.equal(other['baseUrl'], 'https://api.example.com/v2')
  const tenant = await json(local, 'partner', 'add', '--name', 'Tenant', '--tenant', 'acme')
  assert.equal(tenant['authUrl'], new URL('/acme', portico.authUrl).href)
})

test('gateway add prints the address of the broker', async () => {
  for (const run of [remote, local]) {
    const { stdout } = await run('gateway', 'add', house.siteUuid, '--name', 'Plant room')
    assert.match(stdout, new RegExp(`^MQTT_URL +${portico.mqttUrl}$`, 'm'))
    const added = await json(run, 'gateway', 'add', house.siteUuid, '--name', 'Roof')
    assert.equal(added['mqttUrl'], portico.mqttUrl)
  }
})

test('events tail prints the events of the last hour and new ones, until it is interrupted', async () => {
  const tails = await Promise.all(
    [dataDir, env].map((where) =>
      spawnCommand(['events', 'tail', house.siteUuid, '--types', 'inventory.changed', '--json'], where),
    ),
  )
  const readLines = (output: string): JsonObject[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => asObject(parseJson(line)))
  for (const tail of tails) await eventually(async () => assert.ok(readLines(tail.output()).length > 0))
  const renamed = { ...house.document, site: { ...house.document.site, siteName: 'Renamed' } }
  await writeFile(inventory, JSON.stringify(renamed))
  const renamedAt = new Date().toISOString()
  await json(remote, 'inventory', 'apply', inventory)
  const [first, second] = await Promise.all(
    tails.map((tail) =>
      eventually(async () => {
        const lines = readLines(tail.output())
        assert.ok(asString(lines.at(-1)?.['timestamp']) >= renamedAt)
        assert.equal(asObject(lines.at(-1)?.['data'])['updated'], 1)
        assert.equal(asObject(lines[0]?.['data'])['version'], 1)
        return lines
      }),
    ),
  )
  assert.deepEqual(second, first)
  for (const tail of tails) {
    tail.kill('SIGINT')
    assert.equal(await tail.ended, 0)
  }
  const text = await spawnCommand(['events', 'tail', house.siteUuid], env)
  await eventually(async () =>
    assert.match(text.output(), /inventory\.changed {2}- {2}\d+ created, \d+ updated/),
  )
  text.kill('SIGINT')
  await text.ended
})
