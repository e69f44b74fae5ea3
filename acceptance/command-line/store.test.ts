import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { onlyEmbedded } from '../support/servers/backend.ts'
import { asObject, parseJson } from '../support/json.ts'
import { readNewPartner } from '../support/clients/operator.ts'
import { makeTempDir, type RunResult, runPortico, startPortico } from '../support/servers/portico.ts'
import { api, demoToken, tokenFor } from '../support/clients/requests.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))
const inFolder = (name: string): string => join(folder, name)

async function run(dataDir: string, ...args: string[]): Promise<RunResult> {
  const result = await runPortico(args, { dataDir })
  assert.equal(result.code, 0, `portico ${args.join(' ')}: ${result.stderr}`)
  return result
}

test('Git ignores the content of a data folder that the product creates, and of no other', async () => {
  const [created, existing] = [inFolder('outer/created'), inFolder('existing')]
  await mkdir(existing)
  await run(created, 'dev-cert')
  await run(existing, 'dev-cert')
  assert.equal(await readFile(join(created, '.gitignore'), 'utf8'), '*\n')
  assert.deepEqual(await readdir(inFolder('outer')), ['created'])
  assert.deepEqual(await readdir(existing), ['dev-cert'])
})

onlyEmbedded('the store is a file', () => {
  test('Git ignores a new store and its backups, and a backup is restored to a new folder', async () => {
    const [dataDir, backups, other] = [inFolder('ignored'), inFolder('backups'), inFolder('other')]
    await run(dataDir, 'partner', 'add', '--name', 'Operator', '--role', 'Operator')
    await run(dataDir, 'backup', join(backups, 'portico.backup'))
    await run(other, 'restore', join(backups, 'portico.backup'))
    await run(
      folder,
      'copy',
      '--from',
      `sqlite:${other}/portico.db`,
      '--to',
      `sqlite:${inFolder('copy')}/portico.db`,
    )
    for (const name of ['ignored', 'backups', 'other', 'copy'])
      assert.equal(await readFile(inFolder(`${name}/.gitignore`), 'utf8'), '*\n')
    assert.match((await run(inFolder('copy'), 'partner', 'list')).stdout, /Operator/)
  })
})

describe('migrate', () => {
  test('--plan prints what migrate would do and changes nothing; migrate does it once', async () => {
    const dataDir = inFolder('migrate')
    const planned = await run(dataDir, 'migrate', '--plan', '--json')
    parseJson(planned.stdout)
    const plannedAgain = await run(dataDir, 'migrate', '--plan', '--json')
    assert.equal(plannedAgain.stdout, planned.stdout, 'a plan changes nothing')
    parseJson((await run(dataDir, 'migrate', '--json')).stdout)
    const nothing = await run(dataDir, 'migrate', '--plan', '--json')
    assert.notEqual(nothing.stdout, planned.stdout)
    await run(dataDir, 'migrate')
    assert.equal((await run(dataDir, 'migrate', '--plan', '--json')).stdout, nothing.stdout)
  })
})

describe('doctor', () => {
  test('reports no problem in a store with an operator, as text and as JSON', async () => {
    const dataDir = inFolder('doctor')
    await run(dataDir, 'partner', 'add', '--name', 'Operator', '--role', 'Operator')
    assert.notEqual((await run(dataDir, 'doctor')).stdout, '')
    parseJson((await run(dataDir, 'doctor', '--json')).stdout)
  })

  onlyEmbedded('there is a file to damage', () => {
    test('exits with code 1 on a store that is not a database', async () => {
      const dataDir = inFolder('broken')
      await run(dataDir, 'migrate')
      await writeFile(join(dataDir, 'portico.db'), 'this is no database, but it is long enough '.repeat(200))
      const result = await runPortico(['doctor'], { dataDir })
      assert.equal(result.code, 1, result.stdout)
      assert.doesNotMatch(result.stderr, /\bat \S+:\d+/)
    })
  })
})

test('keys rotate works without a server: the next start signs with the new key', async () => {
  const dataDir = inFolder('keys')
  const added = await run(dataDir, 'partner', 'add', '--name', 'Partner', '--role', 'Devices.Read', '--json')
  const { clientId, clientSecret } = readNewPartner(asObject(parseJson(added.stdout)))
  await run(dataDir, 'keys', 'rotate')
  const rotated = asObject(parseJson((await run(dataDir, 'keys', 'rotate', '--json')).stdout))
  await using portico = await startPortico({ demo: false, dataDir })
  const { kid } = decodeProtectedHeader(await tokenFor(portico, clientId, clientSecret))
  assert.ok(Object.values(rotated).includes(kid), `${JSON.stringify(rotated)} does not name ${kid}`)
})

onlyEmbedded('PostgreSQL has pg_dump and pg_restore', () => {
  describe('backup and restore', () => {
    test('a restored store issues tokens for the old credentials and accepts the old tokens', async () => {
      const file = inFolder('backup-1')
      const first = await startPortico({ env: { RATE_LIMIT: 'off' } })
      const { CLIENT_ID, CLIENT_SECRET } = first.demoEnv
      const token = await demoToken(first)
      await run(first.dataDir, 'backup', file)
      await first.stop()

      const dataDir = inFolder('restored')
      await run(dataDir, 'restore', file)
      await using second = await startPortico({
        demo: false,
        dataDir,
        port: first.port,
        env: { RATE_LIMIT: 'off' },
      })
      await tokenFor(second, CLIENT_ID, CLIENT_SECRET)
      assert.equal((await api(second, '/v2/sites', { token })).status, 200)
    })

    test('restore is rejected with exit code 1 while a server is using the store', async () => {
      const file = inFolder('backup-2')
      await using portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
      await run(portico.dataDir, 'backup', file)
      const result = await runPortico(['restore', file], { dataDir: portico.dataDir })
      assert.equal(result.code, 1, result.stdout)
      assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
      await demoToken(portico)
    })

    test('restore rejects a file that is not a backup, and leaves the store unchanged', async () => {
      const dataDir = inFolder('kept')
      const added = await run(dataDir, 'partner', 'add', '--name', 'Kept', '--role', 'Operator')
      assert.notEqual(added.stdout, '')
      const garbage = inFolder('garbage')
      await writeFile(garbage, 'this is no backup '.repeat(1_000))
      for (const file of [garbage, inFolder('not-there')]) {
        const result = await runPortico(['restore', file], { dataDir })
        assert.equal(result.code, 1, result.stdout)
        assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
      }
      assert.match((await run(dataDir, 'partner', 'list')).stdout, /Kept/)
    })
  })
})
