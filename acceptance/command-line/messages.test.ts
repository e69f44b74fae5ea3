import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { commandPath } from '../support/servers/command.ts'
import { eventually } from '../support/eventually.ts'
import { canDropCapabilities, makeTempDir, runPortico, startPortico } from '../support/servers/portico.ts'
import { startOnTerminal } from '../support/servers/terminal.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))

const skipUnlessDenied = canDropCapabilities() ? false : 'root may read any file here'

const inFolder = (name: string): string => join(folder, name)

describe('a data folder that cannot be used', () => {
  test('is reported immediately if it does not exist and cannot be created', async () => {
    await symlink(inFolder('nothing'), inFolder('link'))
    for (const dataDir of [...(process.platform === 'linux' ? ['/proc/x'] : []), inFolder('link')])
      for (const args of [
        ['serve', '--port', '0', '--mqtt-port', '0'],
        ['partner', 'add', '--name', 'X'],
      ]) {
        const { code, stderr } = await runPortico(args, { dataDir, timeoutMs: 30_000 })
        assert.equal(stderr, `portico: cannot use ${dataDir}: it does not exist and cannot be created\n`)
        assert.equal(code, 1)
      }
  })

  test('is not reported as missing if this user may not read it', { skip: skipUnlessDenied }, async () => {
    const dataDir = inFolder('private')
    assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
    await chmod(dataDir, 0o000)
    const denied = `cannot read ${join(dataDir, 'portico.db')}: permission denied`
    for (const args of [
      ['site', 'list'],
      ['backup', inFolder('copy.db')],
      ['migrate', '--plan'],
    ]) {
      const { code, stderr } = await runPortico(args, { dataDir, isUnprivileged: true })
      assert.equal(stderr, `portico: ${denied}\n`)
      assert.equal(code, 1)
    }
    const doctor = await runPortico(['doctor'], { dataDir, isUnprivileged: true })
    assert.ok(doctor.stdout.includes(denied), doctor.stdout)
    assert.equal(doctor.code, 1)
    const none = await runPortico(['site', 'list'], { dataDir: inFolder('none') })
    assert.match(none.stderr, /there is no store at .*none\/portico\.db; set its folder with --data\n$/)
  })
})

test('Ctrl-C at the prompt of partner add exits with code 130, and nothing is added', async () => {
  const dataDir = inFolder('prompt')
  assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
  const asked = await startOnTerminal(['partner', 'add'], dataDir)
  await eventually(async () => assert.match(asked.output(), /Name of the partner/), 60_000)
  asked.type('\u0003')
  assert.equal(await asked.ended, 130, asked.output())
  assert.match(asked.output(), /interrupted; nothing was added\r\n$/)
})

describe('a file that cannot be imported or applied', () => {
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(inFolder(name), content)
    return inFolder(name)
  }

  const fails = async (args: string[], code: number, message: string): Promise<void> => {
    const dataDir = inFolder('files')
    assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
    const result = await runPortico(args, { dataDir })
    assert.equal(result.stderr, `portico: ${message}\n`)
    assert.equal(result.code, code)
  }

  test('an unknown format is named', async () =>
    fails(
      ['readings', 'import', await file('bad.csv', 'x\n'), '--format', 'xml'],
      2,
      '--format must be one of ndjson, json, csv, not "xml"',
    ))

  test('a file of readings with the wrong form is named', async () => {
    const json = await file('site.json', '{"site": 1}')
    await fails(['readings', 'import', json], 1, `${json} must be a JSON array of readings`)
    const csv = await file('other.csv', 'a,b\n')
    await fails(
      ['readings', 'import', csv],
      1,
      `${csv}: The first line must be deviceUuid,metricType,timestamp,value or deviceUuid,metricType,date,hh01,…,hh50`,
    )
  })

  test('a file that does not exist and a folder are distinguished', async () => {
    const [missing, aFolder] = [inFolder('nope.json'), inFolder('folder.json')]
    await mkdir(aFolder)
    for (const args of [
      ['inventory', 'apply'],
      ['readings', 'import'],
    ]) {
      await fails([...args, missing], 1, `${missing} does not exist`)
      await fails([...args, aFolder], 1, `${aFolder} is a folder`)
    }
  })

  test('an empty file of readings is reported as empty', async () => {
    const dataDir = inFolder('empty')
    assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
    for (const [name, content, isEmpty] of [
      ['empty.csv', '', true],
      ['blank.ndjson', '\n', true],
      ['header.csv', 'deviceUuid,metricType,timestamp,value\n', false],
    ] as const) {
      const result = await runPortico(['readings', 'import', await file(name, content)], { dataDir })
      assert.equal(result.code, 0, result.stderr)
      assert.equal(/\n {2}the file is empty\n$/.test(result.stdout), isEmpty, result.stdout)
    }
  })
})

test('serve reports an address that the machine does not have', async () => {
  // Reserved for documentation (RFC 5737).
  const { code, stderr } = await runPortico(['serve', '--host', '192.0.2.1', '--port', '20080'], {
    dataDir: inFolder('address'),
  })
  assert.equal(
    stderr,
    'portico: cannot listen on 192.0.2.1 port 20080: this machine does not have that address\n',
  )
  assert.equal(code, 1)
})

test('doctor shows the addresses of the server that runs on the store', async () => {
  await using portico = await startPortico({ demo: false })
  const { stdout } = await runPortico(['doctor'], { dataDir: portico.dataDir })
  assert.match(stdout, new RegExp(`^ok +public address +${portico.url} `, 'm'))
  assert.match(stdout, new RegExp(`^ok +MQTT broker +${portico.mqttUrl},`, 'm'))
  const given = ['--public-url', 'https://api.example.com', '--mqtt-port', '1999']
  const other = await runPortico(['doctor', ...given], { dataDir: portico.dataDir })
  assert.match(other.stdout, /^ok +public address +https:\/\/api\.example\.com$/m)
  assert.match(other.stdout, /^ok +MQTT broker +embedded, on 127\.0\.0\.1 port 1999 /m)
})

test('an option of a setting that has no flag names the environment variable', async () => {
  const { code, stderr } = await runPortico(['serve', '--metrics-port', '19464'])
  assert.equal(stderr, 'portico: unknown option --metrics-port; set METRICS_PORT in the environment\n')
  assert.equal(code, 2)
})

test('an option without its value is named', async () => {
  const { code, stderr } = await runPortico(['partner', 'list', '--data'])
  assert.equal(stderr, 'portico: --data needs a value; see portico partner list --help\n')
  assert.equal(code, 2)
})

test('-v prints the version', async () => {
  assert.deepEqual(await runPortico(['-v']), await runPortico(['--version']))
})

test('a command in capital letters gets a suggestion', async () => {
  const { code, stderr } = await runPortico(['PARTNER', 'list'])
  assert.match(stderr, /^portico: unknown command "PARTNER list"; did you mean "partner list"\?/)
  assert.equal(code, 2)
})

test('output that cannot be written is reported', {
  skip: process.platform === 'linux' ? false : 'the system has no such file',
}, () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [commandPath(), '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  assert.equal(stderr, 'portico: cannot write the output: no space left on device\n')
  assert.equal(status, 1)
})

test('inventory apply --dry-run lists the records that it would create and update', async () => {
  const dataDir = inFolder('plan')
  const { document } = makeSmallSite()
  const file = inFolder('plan.json')
  const [first, ...devices] = document.devices
  await writeFile(file, JSON.stringify({ ...document, devices }))
  assert.equal((await runPortico(['inventory', 'apply', file], { dataDir })).code, 0)
  const site = { ...document.site, siteName: 'Renamed' }
  await writeFile(file, JSON.stringify({ ...document, site }))
  const { stdout } = await runPortico(['inventory', 'apply', file, '--dry-run'], { dataDir })
  assert.deepEqual(stdout.split('\n').slice(0, 4), [
    '1 record would be created:',
    `  device ${String(first?.['deviceName'])} (${String(first?.['deviceUuid'])})`,
    '1 record would be updated:',
    `  site Renamed (${String(document.site['siteUuid'])})`,
  ])
})

test('keys list says since when a key is retired', async () => {
  const dataDir = inFolder('keys')
  for (const args of [['migrate'], ['keys', 'rotate'], ['keys', 'rotate']])
    assert.equal((await runPortico(args, { dataDir })).code, 0)
  const { stdout } = await runPortico(['keys', 'list'], { dataDir })
  assert.match(
    stdout,
    /^key +algorithm +created +state\n.* signs new tokens\n.* retired on \d{4}-\d{2}-\d{2}\n$/,
  )
})

test('an older Node without the optional dependencies is told what to install', async () => {
  // Away from the packages, where no other Node is found.
  const program = inFolder('portico.mjs')
  await copyFile(commandPath(), program)
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program, '--version'],
    { encoding: 'utf8' },
  )
  assert.equal(
    stderr,
    'portico: needs Node 26 or newer, this is 20.20.2; install Node 26, or install Portico again with its optional dependencies: npm install --include=optional\n',
  )
  assert.equal(status, 1)
})
