import assert from 'node:assert/strict'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { startOnTerminal } from '../support/servers/terminal.ts'

const folder = await makeTempDir()
// Other users must reach what is in it.
await chmod(folder, 0o755)
after(() => rm(folder, { recursive: true, force: true }))

const NOBODY = 65_534
const skipUnlessRoot = process.getuid?.() === 0 ? false : 'only root can run a command as another user'

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

  test('is not reported as missing if this user may not read it', { skip: skipUnlessRoot }, async () => {
    const dataDir = inFolder('private')
    assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
    const denied = `cannot read ${join(dataDir, 'portico.db')}: permission denied`
    for (const args of [
      ['site', 'list'],
      ['backup', inFolder('copy.db')],
      ['migrate', '--plan'],
    ]) {
      const { code, stderr } = await runPortico(args, { dataDir, uid: NOBODY })
      assert.equal(stderr, `portico: ${denied}\n`)
      assert.equal(code, 1)
    }
    const doctor = await runPortico(['doctor'], { dataDir, uid: NOBODY })
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
