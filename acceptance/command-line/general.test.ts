import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))

const verbs = [
  'serve',
  'partner',
  'secret',
  'keys',
  'migrate',
  'migration',
  'doctor',
  'backup',
  'restore',
  'dev-cert',
  'openapi',
]

test('portico --help names every command', async () => {
  const result = await runPortico(['--help'])
  assert.equal(result.code, 0, result.stderr)
  for (const verb of verbs) assert.match(result.stdout, new RegExp(`\\b${verb}\\b`))
})

test('every command has a --help text', async () => {
  for (const verb of verbs) {
    const result = await runPortico([verb, '--help'])
    assert.equal(result.code, 0, `${verb}: ${result.stderr}`)
    assert.ok(result.stdout.includes(verb), result.stdout)
  }
})

test('-h, help and help COMMAND print the same as --help', async () => {
  const general = (await runPortico(['--help'])).stdout
  for (const args of [['-h'], ['help'], []]) assert.equal((await runPortico(args)).stdout, general)
  const command = (await runPortico(['partner', 'add', '--help'])).stdout
  assert.match(command, /^portico partner add: .*\n\nUsage: portico partner add/)
  for (const args of [
    ['partner', 'add', '-h'],
    ['help', 'partner', 'add'],
  ])
    assert.equal((await runPortico(args)).stdout, command)
  const family = (await runPortico(['help', 'partner'])).stdout
  assert.match(family, /partner add/)
  assert.doesNotMatch(family, /secret add/)
  assert.equal((await runPortico(['partner', '--help'])).stdout, family)
})

test('an unknown command exits with code 2 and suggests a similar one', async () => {
  for (const [args, meant] of [
    [['sevre'], 'serve'],
    [['sevre', 'now'], 'serve'],
    [['cpoy'], 'copy'],
    [['parnter', 'add'], 'partner add'],
    [['partner', 'lst'], 'partner list'],
    [['help', 'docter'], 'doctor'],
    [['devices'], 'device list'],
    [['sites'], 'site list'],
    [['prtner'], 'partner'],
    [['prtner', 'remove'], 'partner'],
    [['helpp'], 'help'],
    [['tail'], 'events tail'],
  ] as const) {
    const result = await runPortico([...args])
    assert.equal(result.code, 2)
    assert.ok(result.stderr.includes(`did you mean "${meant}"?`), result.stderr)
  }
  assert.match((await runPortico(['list'])).stderr, /did you mean one of: site list, .*partner list.*\?\n$/)
  for (const args of [['nonsense'], ['x'], ['nope'], ['help', 'nope'], ['help', 'kit', 'list'], ['sees']]) {
    const unknown = JSON.stringify(args.filter((word) => word !== 'help').join(' '))
    const { code, stderr } = await runPortico(args)
    assert.equal(code, 2)
    assert.equal(stderr, `portico: unknown command ${unknown}; see portico help\n`)
  }
  const withoutCommand = await runPortico(['--nonsense'])
  assert.equal(withoutCommand.code, 2)
  assert.equal(withoutCommand.stderr, 'portico: no command given; see portico help\n')
  const { code, stderr } = await runPortico(['serve', '--prot', '8081'])
  assert.equal(code, 2)
  assert.equal(stderr, 'portico: unknown option --prot; did you mean --port? See portico serve --help\n')
})

test('with --json, errors are JSON on standard error', async () => {
  const result = await runPortico(['partner', 'disable', 'no-uuid', '--json'], { dataDir })
  assert.equal(result.code, 2)
  assert.equal(result.stdout, '')
  const { error, exitCode } = asObject(parseJson(result.stderr))
  assert.equal(exitCode, 2)
  assert.deepEqual(error, { code: 'usage', message: 'PARTNER must be a UUID, not "no-uuid"' })
})

test('an invalid --json is an error in JSON, too', async () => {
  const result = await runPortico(['partner', 'list', '--json=maybe'], { dataDir })
  assert.equal(result.code, 2)
  assert.equal(asObject(asObject(parseJson(result.stderr))['error'])['code'], 'usage')
})

test('a command that opens the store of this machine does not ignore PORTICO_URL', async () => {
  const folder = await makeTempDir()
  after(() => rm(folder, { recursive: true, force: true }))
  const env = { PORTICO_URL: 'http://127.0.0.1:9' }
  for (const args of [
    ['migrate'],
    ['migrate', '--plan'],
    ['doctor'],
    ['backup', `${folder}/x`],
    ['restore', `${folder}/x`],
    ['gateway', 'export', 'mosquitto'],
  ]) {
    const result = await runPortico(args, { env })
    assert.equal(result.code, 2, result.stdout)
    assert.match(result.stderr, /^portico: .* works on a store of this machine, .*--data or --database.*\n$/)
  }
  const database = `sqlite:${folder}/x.db`
  for (const [args, more] of [
    [['migrate', '--plan', '--data', folder], {}],
    [['migrate', '--plan', '--database', database], {}],
    [['migrate', '--plan'], { DATA_DIR: folder }],
    [['migrate', '--plan'], { DATABASE_URL: database }],
    [['config', 'show'], {}],
  ] as const) {
    const result = await runPortico([...args], { env: { ...env, ...more } })
    assert.equal(result.code, 0, result.stderr)
  }
})

test('the help of serve states the default of every setting', async () => {
  const { stdout } = await runPortico(['serve', '--help'])
  const entries = stdout
    .split(/\n(?= {2}(?:--[a-z]|[A-Z][A-Z0-9_]*=))/)
    .slice(1)
    .map((entry) => entry.split('\n\n')[0]?.replaceAll(/\s+/g, ' ').trim() ?? '')
    .filter((entry) => !entry.startsWith('--json'))
  assert.ok(entries.length > 40)
  for (const entry of entries) assert.match(entry, /\([^()]+\)( \[[A-Z0-9_]+\])?$/)
  for (const [name, end] of [
    ['--port', '(8080) [PORT]'],
    ['--rate-limit', '(on) [RATE_LIMIT]'],
    ['--tls-cert', '(none) [TLS_CERT]'],
    ['RATE_LIMIT_PER_MINUTE=', '(180)'],
    ['CONSOLE=', '(on)'],
  ] as const)
    assert.ok(entries.find((entry) => entry.startsWith(name))?.endsWith(end), name)
})

test('help describes only options that have an effect, and names the owner of the secret', async () => {
  const completion = await runPortico(['completion', '--help'])
  assert.match(completion.stdout, /--json/)
  assert.doesNotMatch(completion.stdout, /--data|--database/)
  assert.match((await runPortico(['migrate', '--help'])).stdout, /--data DIR/)
  const add = await runPortico(['partner', 'add', '--help'])
  assert.match(add.stdout, /--client-secret SECRET\s+Secret of the operator’s client id/)
  assert.match((await runPortico(['-h'])).stdout, /portico --version/)
})

test('config show names the source of each setting and hides secrets', async () => {
  const file = `${dataDir}/mqtt-url`
  await writeFile(file, 'mqtt://user:zq7secret@broker')
  const env = { TENANT: 'acme', MQTT_URL_FILE: file, DATABASE_URL: '' }
  const result = await runPortico(['config', 'show', '--port', '8081', '--json'], { dataDir, env })
  assert.equal(result.code, 0, result.stderr)
  assert.doesNotMatch(result.stdout, /zq7secret/)
  const settings = asArray(asObject(parseJson(result.stdout))['settings']).map(asObject)
  const find = (name: string) => {
    const { value, source, from } = settings.find((one) => one['name'] === name) ?? {}
    return [value, source, from]
  }
  assert.deepEqual(find('PORT'), ['8081', 'flag', '--port'])
  assert.deepEqual(find('TENANT'), ['acme', 'environment', 'TENANT'])
  assert.deepEqual(find('MQTT_URL'), ['(hidden)', 'file', 'MQTT_URL_FILE'])
  assert.deepEqual(find('HOST'), ['127.0.0.1', 'default', null])
  const text = await runPortico(['config', 'show', '--port', '8081'], { dataDir, env })
  assert.match(text.stdout, /^PORT +8081 +flag \(--port\)$/m)
})

test('config show includes the server that commands call, without the secret', async () => {
  const file = `${dataDir}/operator-secret`
  // It looks like an address without credentials.
  await writeFile(file, 'https://zq7secret')
  const show = async (env: Record<string, string>): Promise<unknown[]> => {
    const result = await runPortico(['config', 'show', '--json'], { dataDir, env })
    assert.equal(result.code, 0, result.stderr)
    assert.doesNotMatch(result.stdout, /zq7secret/)
    return asArray(asObject(parseJson(result.stdout))['settings'])
      .map(asObject)
      .filter(({ name }) => String(name).startsWith('PORTICO_'))
      .map(({ name, flag, value, source, from }) => [name, flag, value, source, from])
  }
  assert.deepEqual(await show({}), [
    ['PORTICO_URL', '--url', null, 'default', null],
    ['PORTICO_CLIENT_ID', '--client-id', null, 'default', null],
    ['PORTICO_CLIENT_SECRET', '--client-secret', null, 'default', null],
  ])
  const env = { PORTICO_URL: 'https://api.example.com', PORTICO_CLIENT_ID: 'operator' }
  const hidden = '(hidden)'
  for (const [variable, value, source] of [
    ['PORTICO_CLIENT_SECRET', 'zq7secret', 'environment'],
    ['PORTICO_CLIENT_SECRET_FILE', file, 'file'],
  ] as const)
    assert.deepEqual(await show({ ...env, [variable]: value }), [
      ['PORTICO_URL', '--url', 'https://api.example.com', 'environment', 'PORTICO_URL'],
      ['PORTICO_CLIENT_ID', '--client-id', 'operator', 'environment', 'PORTICO_CLIENT_ID'],
      ['PORTICO_CLIENT_SECRET', '--client-secret', hidden, source, variable],
    ])
})

test('config show prints defaults as a server would use them', async () => {
  const show = async (env: Record<string, string>) => {
    const result = await runPortico(['config', 'show', '--json'], { dataDir, env })
    assert.equal(result.code, 0, result.stderr)
    const settings = asArray(asObject(parseJson(result.stdout))['settings']).map(asObject)
    return (name: string) => {
      const { value, source } = settings.find((one) => one['name'] === name) ?? {}
      return [value, source]
    }
  }
  const find = await show({ PORT: '18999' })
  assert.deepEqual(find('PUBLIC_URL'), ['http://localhost:18999', 'default'])
  assert.deepEqual(find('LOG_FORMAT'), ['json', 'default'])
  assert.deepEqual(find('MQTTS_PORT'), ['off', 'default'])
  assert.deepEqual(find('WEBHOOK_ALLOWED_NETWORKS'), ['none', 'default'])
  assert.deepEqual((await show({ DEMO: 'on' }))('WEBHOOK_ALLOWED_NETWORKS'), ['loopback', 'default'])
  assert.deepEqual((await show({ DATABASE_URL: '' }))('DATABASE_URL'), [
    `sqlite:${dataDir}/portico.db`,
    'default',
  ])
  for (const [url, shown] of [
    ['sqlite:/tmp/x.db', 'sqlite:/tmp/x.db'],
    ['postgres://db.example.com/portico', 'postgres://db.example.com/portico'],
    ['postgres://portico:zq7secret@db.example.com/portico', '(hidden)'],
    ['postgres://db.example.com/portico?password=zq7secret', '(hidden)'],
  ] as const)
    assert.deepEqual((await show({ DATABASE_URL: url }))('DATABASE_URL'), [shown, 'environment'])
})

test('help lists the commands of a family together, and no line is longer than 120 columns', async () => {
  const { stdout } = await runPortico(['help'])
  const families = [...stdout.matchAll(/^ {2}([a-z\d-]+) [a-z]+ {2,}/gm)].map(([, family]) => family)
  const runs = families.filter((family, index) => family !== families[index - 1])
  assert.deepEqual(runs, [...new Set(families)])
  const serve = await runPortico(['serve', '--help'])
  for (const line of `${stdout}${serve.stdout}`.split('\n')) assert.ok(line.length <= 120, line)
  assert.match(serve.stdout, /^ {2}--trust-proxy off\|on\|HOPS\|ADDRESSES\n {10,}Which reverse proxies/m)
})

test('portico --version prints the version', async () => {
  const result = await runPortico(['--version'])
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stdout, /\b\d+\.\d+\.\d+\S*\n$/)
})

describe('wrong usage exits with code 2 and one line on standard error', () => {
  const wrong: string[][] = [
    ['nonsense'],
    ['partner'],
    ['partner', 'nonsense'],
    ['partner', 'add'],
    ['partner', 'add', '--name', 'X', '--role', 'Admin'],
    ['partner', 'add', '--name', 'X', '--role', 'Operator', '--colour', 'blue'],
    ['partner', 'disable'],
    ['partner', 'disable', 'no-uuid'],
    ['secret', 'add'],
    ['secret', 'add', randomUUID(), '--expires-in-days', 'soon'],
    ['secret', 'remove', randomUUID()],
    ['keys', 'nonsense'],
    ['backup'],
    ['restore'],
    ['openapi', 'v9'],
    ['migrate', '--colour'],
  ]
  for (const args of wrong) {
    test(`portico ${args.map((arg) => (arg.length === 36 ? '<uuid>' : arg)).join(' ')}`, async () => {
      const result = await runPortico(args, { dataDir })
      assert.equal(result.code, 2, `${result.stdout}${result.stderr}`)
      assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
      assert.notEqual(result.stderr.trim(), '')
      assert.doesNotMatch(result.stderr, /\bat \S+:\d+/)
    })
  }
})

describe('openapi', () => {
  for (const [name, path] of [
    ['v2', 'sites'],
    ['operator', 'partners'],
  ] as const) {
    test(`portico openapi ${name} prints the description of that API`, async () => {
      const result = await runPortico(['openapi', name])
      assert.equal(result.code, 0, result.stderr)
      const document = asObject(parseJson(result.stdout))
      assert.match(String(document['openapi']), /^3\./)
      const paths = Object.keys(asObject(document['paths']))
      assert.ok(
        paths.some((found) => found.endsWith(`/${path}`)),
        paths.join(' '),
      )
    })
  }
})
