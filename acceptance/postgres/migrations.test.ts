import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseFor } from '../support/servers/backend.ts'
import { eventually } from '../support/eventually.ts'
import { type Random, randomFrom } from '../support/histories/random.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../support/json.ts'
import { type Mosquitto, startMosquitto } from '../support/servers/mosquitto.ts'
import { readNewPartner } from '../support/clients/operator.ts'
import {
  makeTempDir,
  type RunResult,
  removeDataDir,
  runPortico,
  startPortico,
} from '../support/servers/portico.ts'
import { api, tokenFor } from '../support/clients/requests.ts'
import { spawnCommand } from '../support/servers/spawned-command.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const AT_ONCE = 5

/** A data folder with an empty database. */
let dataDir: string
const folders: string[] = []
let mosquitto: Mosquitto

before(async () => {
  mosquitto = await startMosquitto()
})
beforeEach(async () => {
  dataDir = await makeTempDir()
  folders.push(dataDir)
})
after(async () => {
  await mosquitto.remove()
  for (const folder of folders) await removeDataDir(folder)
})

const run = (...args: string[]): Promise<RunResult> => runPortico(args, { dataDir })
const times = <T>(make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, make))

async function migrate(...flags: string[]): Promise<JsonObject> {
  const { code, stdout, stderr } = await run('migrate', ...flags, '--json')
  assert.equal(code, 0, stderr)
  return asObject(parseJson(stdout))
}
const listNumbers = (migrations: unknown): unknown[] =>
  asArray(migrations).map((one) => asObject(one)['number'])
const pending = async (): Promise<unknown[]> => listNumbers((await migrate('--plan'))['pending'])
const applied = async (): Promise<unknown[]> => listNumbers((await migrate())['applied'])

describe('portico migrate', () => {
  test('--plan prints SQL and changes nothing', async () => {
    const { code, stdout } = await run('migrate', '--plan')
    assert.equal(code, 0)
    assert.match(stdout, /CREATE TABLE/)
    const list = await run('partner', 'list')
    assert.equal(list.code, 1)
    assert.match(list.stderr, /there is no store in that database/)
  })

  test('five concurrent runs on an empty database execute each step once', async () => {
    const all = await pending()
    assert.ok(all.length > 0)
    const done = await times(applied)
    assert.deepEqual(
      done.flat().toSorted((a, b) => Number(a) - Number(b)),
      all,
    )
    assert.deepEqual(await pending(), [])
  })

  test('a run killed at any moment is resumed by the next', async (context) => {
    context.diagnostic(`PROPERTY_SEED=${seed}`)
    const random: Random = randomFrom(seed)
    for (let round = 0; round < 4; round += 1) {
      const child = await spawnCommand(['migrate'], dataDir)
      await delay(random.below(1500))
      child.kill('SIGKILL')
      await child.ended
    }
    await applied()
    assert.deepEqual(await pending(), [])
    const added = await run('partner', 'add', '--name', 'Operator', '--role', 'Operator')
    assert.equal(added.code, 0, added.stderr)
    const { code, stdout } = await run('doctor')
    assert.equal(code, 0, stdout)
  })
})

describe('servers on one database', () => {
  test('five that start concurrently on an empty one, with one broker, form one installation', async () => {
    const env = await databaseFor(dataDir)
    const servers = await times(async () => {
      const folder = await makeTempDir()
      folders.push(folder)
      return startPortico({ demo: false, dataDir: folder, mqttUrl: mosquitto.url, env })
    })
    try {
      const flags = ['--name', 'Operator', '--role', 'Operator', '--json']
      const added = await run('partner', 'add', ...flags)
      const { clientId, clientSecret } = readNewPartner(asObject(parseJson(added.stdout)))
      const [first] = servers
      assert.ok(first)
      const token = await eventually(() => tokenFor(first, clientId, clientSecret))
      const listed = await api(first, '/operator/partners', { token })
      assert.equal(listed.status, 200, listed.text)
      const keys = await Promise.all(
        servers.map(async (server) => (await api(server, '/auth/discovery/v2.0/keys')).text),
      )
      assert.equal(new Set(keys).size, 1, 'each has signing keys of its own')
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })

  test('a second one with an embedded broker exits with code 2 and one line', async () => {
    const env = await databaseFor(dataDir)
    await using _first = await startPortico({ demo: false, dataDir, env })
    const folder = await makeTempDir()
    folders.push(folder)
    const second = await runPortico(['serve', '--port', '0', '--mqtt-port', '0'], { dataDir: folder, env })
    assert.equal(second.code, 2)
    assert.match(second.stderr, /MQTT_URL/)
    assert.equal(second.stderr.trimEnd().split('\n').length, 1)
  })
})
