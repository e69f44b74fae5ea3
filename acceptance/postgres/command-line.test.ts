import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { databaseFor } from '../support/servers/backend.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { makeTempDir, type RunResult, removeDataDir, runPortico } from '../support/servers/portico.ts'

const dataDir = await makeTempDir()
const { DATABASE_URL: emptyDatabase = '' } = await databaseFor(dataDir)
after(() => removeDataDir(dataDir))

const onAddress = (DATABASE_URL: string, ...args: string[]): Promise<RunResult> =>
  runPortico(args, { dataDir, env: { DATABASE_URL } })

function assertSays({ code, stdout, stderr }: RunResult, what: RegExp): void {
  assert.equal(code, 1, stdout)
  assert.match(stderr, what)
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
}

const commands = [['migrate'], ['partner', 'list'], ['serve', '--port', '0', '--mqtt-port', '0']]

describe('a command reports a problem with the database in one line', () => {
  for (const command of commands) {
    test(`portico ${command[0]}: unreachable, without printing its password`, async () => {
      const url = `postgres://portico:wordless@127.0.0.1:${await findFreePort()}/portico`
      const result = await onAddress(url, ...command)
      assertSays(result, /cannot be reached/)
      assert.doesNotMatch(result.stderr, /wordless/)
    })

    test(`portico ${command[0]}: missing`, async () => {
      const url = Object.assign(new URL(emptyDatabase), { pathname: '/portico_not_there' }).href
      assertSays(await onAddress(url, ...command), /there is no database of that name/)
    })
  }

  for (const command of [
    ['partner', 'list'],
    ['backup', join(dataDir, 'backup')],
  ])
    test(`portico ${command[0]}: without a Portico schema`, async () => {
      assertSays(await onAddress(emptyDatabase, ...command), /there is no store in that database/)
    })
})

describe('portico doctor reports a problem with the database, and continues with its other checks', () => {
  async function assertFinds(url: string, what: RegExp): Promise<void> {
    const { code, stdout, stderr } = await onAddress(url, 'doctor')
    assert.equal(code, 1, stdout)
    assert.equal(stderr, '')
    const [database = '', ...others] = stdout.trimEnd().split('\n')
    assert.match(database, /^BAD {2}database /)
    assert.match(database, what)
    assert.doesNotMatch(database, /wordless/)
    assert.deepEqual(
      others.map((line) => /^ok {3}(\w+ \w+|\w+)/.exec(line)?.[1]),
      ['public address', 'certificate', 'MQTT broker', 'web console'],
    )
    const json = await onAddress(url, 'doctor', '--json')
    assert.equal(json.code, 1, json.stderr)
    const [first] = asArray(asObject(parseJson(json.stdout))['findings']).map(asObject)
    assert.deepEqual([first?.['check'], first?.['isFine']], ['database', false])
  }

  test('unreachable, without printing its password', async () =>
    assertFinds(`postgres://portico:wordless@127.0.0.1:${await findFreePort()}/portico`, /cannot be reached/))

  test('missing', () =>
    assertFinds(
      Object.assign(new URL(emptyDatabase), { pathname: '/portico_not_there' }).href,
      /there is no database of that name/,
    ))

  test('without a Portico schema', () => assertFinds(emptyDatabase, /there is no store in that database/))
})

test('backup and restore refer to the tools of PostgreSQL', async () => {
  const migrated = await runPortico(['migrate'], { dataDir })
  assert.equal(migrated.code, 0, migrated.stderr)
  const file = join(dataDir, 'backup')
  assertSays(await runPortico(['backup', file], { dataDir }), /pg_dump/)
  assertSays(await runPortico(['restore', file], { dataDir }), /pg_restore/)
})
