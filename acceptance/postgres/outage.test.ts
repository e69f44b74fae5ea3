import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { addClient, type Installation, startInstallation } from '../support/servers/installation.ts'
import { asArray } from '../support/json.ts'
import { endDevices } from '../support/clients/mqtt.ts'
import type { NewPartner } from '../support/clients/operator.ts'
import { type PostgresCluster, startPostgres } from '../support/servers/postgres.ts'
import { api } from '../support/clients/requests.ts'
import { everythingWorks, KINDS, type Load, startLoad } from './support/load.ts'
import { startBreakableProxy, type BreakableProxy } from './support/tcp-proxy.ts'

let cluster: PostgresCluster
let proxy: BreakableProxy
let installation: Installation
let partner: NewPartner

before(async () => {
  // Acknowledged writes must survive a kill; with `synchronous_commit` off, it loses the newest ones.
  cluster = await startPostgres({ synchronous_commit: 'on' })
  proxy = await startBreakableProxy(cluster.url)
  installation = await startInstallation({ DATABASE_URL: proxy.url, LOG_LEVEL: 'error' })
  partner = (await addClient(installation, [])).partner
})
after(async () => {
  endDevices()
  await installation.stop()
  proxy.close()
  await cluster.stop()
})

async function everythingIsRefused(load: Load): Promise<void> {
  await eventually(async () => {
    for (const kind of KINDS) assert.ok(load.count(kind, 503) > 0, `no ${kind} was refused`)
    const ready = await api(installation.portico, '/ready')
    assert.equal(ready.status, 503)
    assert.match(ready.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.deepEqual(asArray(ready.json['reasons']), ['the store cannot be read'])
  })
  assert.equal((await api(installation.portico, '/live')).status, 200)
}

const isReady = async (): Promise<void> =>
  eventually(async () => assert.equal((await api(installation.portico, '/ready')).status, 200))

const outages = {
  'that is stopped': { begin: () => cluster.end('SIGINT'), end: () => cluster.start() },
  'that is killed': { begin: () => cluster.end('SIGKILL'), end: () => cluster.start() },
  'whose connections are cut': { begin: async () => proxy.cut(), end: async () => proxy.open() },
  'that falls silent': { begin: async () => proxy.silence(), end: async () => proxy.open() },
}

describe('under load, a database', () => {
  for (const [name, { begin, end }] of Object.entries(outages)) {
    test(`${name} makes every response a 503 with Retry-After that reveals nothing about it; afterwards requests succeed and no acknowledged data is lost`, async () => {
      const load = await startLoad(installation, partner)
      await everythingWorks(load)
      await begin()
      await everythingIsRefused(load)
      const acknowledged = load.acknowledged()
      await everythingIsRefused(load)
      assert.equal(load.acknowledged(), acknowledged, 'a message was acknowledged that cannot be stored')
      await end()
      await isReady()
      await everythingWorks(load)
      await load.check()
    })
  }

  test('that goes silent is reported by /ready before requests time out', async () => {
    proxy.silence()
    let isGivenUp = false
    const read = api(installation.portico, '/operator/audit', { token: installation.operator }).then(
      ({ status }) => {
        isGivenUp = true
        return status
      },
    )
    assert.equal((await api(installation.portico, '/ready')).status, 503)
    assert.equal(isGivenUp, false)
    assert.equal(await read, 503)
    proxy.open()
    await isReady()
  })

  test('that is killed and restarted repeatedly loses nothing that was acknowledged', async () => {
    const load = await startLoad(installation, partner)
    for (let round = 0; round < 3; round += 1) {
      await everythingWorks(load)
      await cluster.end('SIGKILL')
      await cluster.start()
    }
    await isReady()
    await everythingWorks(load)
    await load.check()
  })
})
