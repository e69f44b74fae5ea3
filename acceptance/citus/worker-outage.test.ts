import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { everythingWorks, type LoadedSites, newSites, startLoad } from '../postgres/support/load.ts'
import { type CitusCluster, on, startCitus } from '../support/servers/citus.ts'
import { eventually } from '../support/eventually.ts'
import { addClient, type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices } from '../support/clients/mqtt.ts'
import type { NewPartner } from '../support/clients/operator.ts'
import type { PostgresCluster } from '../support/servers/postgres.ts'
import { api } from '../support/clients/requests.ts'

let cluster: CitusCluster
let installation: Installation
let partner: NewPartner

before(async () => {
  // Acknowledged writes must survive a kill; with `synchronous_commit` off, it loses the newest ones.
  cluster = await startCitus({ synchronous_commit: 'on' })
  installation = await startInstallation({ DATABASE_URL: cluster.url, LOG_LEVEL: 'error' })
  partner = (await addClient(installation, [])).partner
})
after(async () => {
  endDevices()
  await installation.stop()
  await cluster.stop()
})

/** A site's UUID determines the worker that stores its rows. */
async function findPort(siteUuid: string): Promise<string> {
  const [shard] = await on(
    cluster.url,
    (sql) => sql<{ nodeport: number }[]>`
      SELECT nodeport FROM citus_shards
      WHERE shardid = get_shard_id_for_distribution_column('series', ${siteUuid}::uuid)`,
  )
  return String(shard?.nodeport)
}

async function sitesOn(worker: PostgresCluster): Promise<LoadedSites> {
  const { port } = new URL(worker.url)
  for (;;) {
    const sites = newSites()
    const siteUuids = [sites.house.siteUuid, String(sites.ledger.document.site['siteUuid'])]
    const ports = await Promise.all(siteUuids.map(findPort))
    if (ports.every((own) => own === port)) return sites
  }
}

test('when a worker is killed, only its own sites answer 503 with Retry-After; after its restart they recover and no acknowledged data is lost', async () => {
  const [lost, remaining] = cluster.workers
  assert.ok(lost && remaining)
  const onLost = await startLoad(installation, partner, await sitesOn(lost))
  const onRemaining = await startLoad(installation, partner, await sitesOn(remaining))
  await everythingWorks(onLost)

  await lost.end('SIGKILL')
  await eventually(async () => {
    for (const kind of ['figures', 'readings', 'command'] as const)
      assert.ok(onLost.count(kind, 503) > 0, `no ${kind} was refused`)
  })
  const acknowledged = onLost.acknowledged()
  await everythingWorks(onRemaining)
  assert.equal(onLost.acknowledged(), acknowledged, 'a message was acknowledged that cannot be stored')
  assert.equal((await api(installation.portico, '/ready')).status, 200)

  await lost.start()
  await everythingWorks(onLost)
  for (const load of [onLost, onRemaining]) await load.check()
})
