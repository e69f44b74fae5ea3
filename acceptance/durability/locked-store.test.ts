import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readDemoEnv } from '../support/servers/demo-env.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { readNewPartner } from '../support/clients/operator.ts'
import { scale } from '../support/overload/scale.ts'
import { makeTempDir, removeDataDir, runPortico, startPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api } from '../support/clients/requests.ts'
import { type SpawnedCommand, spawnCommand } from '../support/servers/spawned-command.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import { holdWriteLock } from './support/lock-holder.ts'

/** Longer than a running server waits for a write. */
const LONGER_THAN_A_WRITE_MS = 6_000
/** How long a start or a command waits; a write of a running server waits for a twelfth of it. */
const START_WAIT_MS = 60_000

let store: Store

before(async () => {
  store = await makeStore()
})
after(() => store.remove())

async function addPartner(name: string): Promise<string> {
  const flags = ['--name', name, '--role', 'Devices.Read', '--json']
  const added = await runPortico(['partner', 'add', ...flags], { dataDir: store.dataDir })
  assert.equal(added.code, 0, added.stderr)
  return readNewPartner(asObject(parseJson(added.stdout))).partnerUuid
}

async function isEnabled(partnerUuid: string): Promise<unknown> {
  const listed = await runPortico(['partner', 'list', '--json'], { dataDir: store.dataDir })
  assert.equal(listed.code, 0, listed.stderr)
  const partners = asArray(asObject(parseJson(listed.stdout))['data']).map(asObject)
  return partners.find((partner) => partner['partnerUuid'] === partnerUuid)?.['enabled']
}

test('a start waits for the process that holds the write lock, and logs that', async () => {
  const dataDir = await makeTempDir()
  const port = await findFreePort()
  // The file is empty, so the server has to write a schema when it starts.
  const holder = await holdWriteLock(dataDir)
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--mqtt-port', String(await findFreePort())]
  const server = await spawnCommand(['serve', ...flags], dataDir)
  try {
    await eventually(async () => {
      assert.match(server.output(), /Waiting for another process that is writing to the store/)
    })
    await delay(LONGER_THAN_A_WRITE_MS)
    const whileLocked = await fetch(`http://127.0.0.1:${port}/ready`)
    assert.equal(whileLocked.status, 503)
    await holder.release()
    await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200))
  } finally {
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    await holder.release()
    await removeDataDir(dataDir)
  }
})

test('a command waits for the write lock, reports that, and succeeds', async () => {
  const partnerUuid = await addPartner('Patient')
  await using holder = await holdWriteLock(store.dataDir)
  const disabled = await runPortico(['partner', 'disable', partnerUuid], {
    dataDir: store.dataDir,
    killWhen(stderr) {
      if (/waiting for another process that is writing to the store/.test(stderr))
        void delay(LONGER_THAN_A_WRITE_MS).then(() => holder.release())
      return false
    },
  })
  assert.equal(disabled.code, 0, disabled.stderr)
  assert.match(disabled.stderr, /waiting for another process/)
  assert.equal(await isEnabled(partnerUuid), false)
})

test('a command that only reads does not wait for the write lock', async () => {
  await using _holder = await holdWriteLock(store.dataDir)
  const listed = await runPortico(['partner', 'list'], { dataDir: store.dataDir })
  assert.equal(listed.code, 0, listed.stderr)
})

test('commands succeed while another process writes continuously, and their changes are stored', async () => {
  const partnerUuid = await addPartner('Contended')
  await using _holder = await holdWriteLock(store.dataDir, { pulseMs: 60 })
  for (let round = 0; round < scale(1, 40); round += 1) {
    for (const verb of ['disable', 'enable']) {
      const result = await runPortico(['partner', verb, partnerUuid], { dataDir: store.dataDir })
      assert.equal(result.code, 0, `${verb}: ${result.stderr}`)
    }
  }
  assert.equal(await isEnabled(partnerUuid), true)
})

test('while another process holds the write lock, a running server serves reads and answers writes with 503 within seconds; afterwards writes succeed', async () => {
  const installation: Installation = await store.start()
  const { portico, operator } = installation
  await using _stopped = portico
  const house = makeSmallSite()
  await applyInventory(installation, house.document)
  const renamed = {
    ...house.document,
    buildings: house.document.buildings.map((one) => ({ ...one, buildingName: 'Renamed' })),
  }
  await using holder = await holdWriteLock(store.dataDir)
  const startedAt = performance.now()
  const [written, read] = await Promise.all([
    api(portico, '/operator/inventory', { method: 'PUT', token: operator, body: renamed }),
    api(portico, '/operator/partners', { token: operator }),
  ])
  assertProblem(portico, written, 503)
  const tookMs = performance.now() - startedAt
  assert.ok(tookMs < START_WAIT_MS / 2, `the write was answered after ${tookMs} ms`)
  assert.match(written.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(read.status, 200)
  await holder.release()
  await applyInventory(installation, renamed)
})

test('a server that is killed while it creates the demo can be restarted immediately, any number of times', async () => {
  const dataDir = await makeTempDir()
  const port = String(await findFreePort())
  const mqttPort = String(await findFreePort())
  const flags = ['serve', '--demo', '--host', '127.0.0.1', '--port', port, '--mqtt-port', mqttPort]
  const killed: SpawnedCommand[] = []
  for (let kills = 0; kills < scale(2, 12); kills += 1) {
    const server = await spawnCommand(flags, dataDir)
    // Long enough to be in the middle of creating the history; each start stores a further part of it.
    await eventually(async () => {
      assert.match(server.output(), /Generating the history|demo\.env/, server.output())
    })
    await delay(scale(300, 150) * (kills % 4))
    // Not awaited: the next server starts while this one and its history process are still exiting.
    server.kill('SIGKILL')
    killed.push(server)
  }
  await using portico = await startPortico({ dataDir, port: Number(port) })
  assert.equal((await readDemoEnv(dataDir)).BASE_URL, portico.baseUrl)
  await portico.stop()
  for (const { ended } of killed) assert.equal(await ended, null, 'it was killed and did not exit on its own')
  const examined = await runPortico(['doctor'], { dataDir })
  assert.equal(examined.code, 0, examined.stdout)
  await removeDataDir(dataDir)
})
