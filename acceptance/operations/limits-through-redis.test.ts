import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import type { NewPartner } from '../support/clients/operator.ts'
import { makeTempDir, type Portico, runPortico, startPortico } from '../support/servers/portico.ts'
import { type Redis, startRedis } from '../support/servers/redis.ts'
import { api, type Answer, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { assertLimitedTo } from '../support/oracles/sliding-window.ts'
import { makeStore } from '../support/servers/store.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'

const PER_MINUTE = 12
const house = makeSmallSite()

describe('two instances and one Redis', { skip: skipWithout(testTools.redis) }, () => {
  const folders: string[] = []
  const partners: NewPartner[] = []
  let redis: Redis
  let instances: [Portico, Portico]

  before(async () => {
    redis = await startRedis()
    const store = await makeStore()
    const installation = await store.start()
    await applyInventory(installation, house.document)
    for (let count = 0; count < 40; count += 1)
      partners.push((await addClient(installation, [house.siteUuid])).partner)
    await installation.stop()
    const copy = await makeTempDir()
    await cp(store.dataDir, copy, { recursive: true })
    folders.push(store.dataDir, copy)
    const limits = { RATE_LIMIT_PER_MINUTE: String(PER_MINUTE), RATE_LIMIT_PER_5_MINUTES: '1000' }
    const start = (dataDir: string, more: Record<string, string>): Promise<Portico> =>
      startPortico({ demo: false, dataDir, env: { REDIS_URL: redis.url, ...limits, ...more } })
    // One of them has workers, which count through their primary process.
    instances = await Promise.all([start(store.dataDir, {}), start(copy, { WORKERS: '2' })])
  })
  after(async () => {
    await Promise.all(instances.map((portico) => portico.stop()))
    await redis.kill()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  /** A partner that has not called yet, as a client of each instance. */
  async function nextClients(): Promise<{ partner: NewPartner; clients: V2Client[] }> {
    const partner = partners.pop() ?? assert.fail('more partners are needed')
    const { clientId, clientSecret } = partner
    const clients = instances.map(async (portico) =>
      v2Client(portico, await tokenFor(portico, clientId, clientSecret), house.siteUuid),
    )
    return { partner, clients: await Promise.all(clients) }
  }

  const passed = (answers: readonly Answer[], status = 200): number =>
    answers.filter((answer) => answer.status === status).length

  const concurrent = (calls: readonly (() => Promise<Answer>)[], each: number): Promise<Answer[]> =>
    Promise.all(calls.flatMap((call) => Array.from({ length: each }, call)))

  const isShared = async (portico: Portico): Promise<string | undefined> =>
    /^portico_limits_shared\{by="redis"\} (\d)$/m.exec(await readMetrics(portico))?.[1]

  const read = (clients: readonly V2Client[]) => clients.map((client) => () => client.send('/spaces'))

  // A server whose Redis responds too late counts alone for a moment; the check is then repeated with a new partner.
  test('the requests of a partner are counted together, and the headers show it', () =>
    eventually(async () => {
      const { clients } = await nextClients()
      await assertLimitedTo(PER_MINUTE, async () => {
        const left: (string | null)[] = []
        for (const call of [...read(clients), ...read(clients)])
          left.push((await call()).headers.get('x-ratelimit-remaining'))
        assert.deepEqual(left, ['11', '10', '9', '8'])
        return left.length + passed(await concurrent(read(clients), 15))
      })
    }))

  test('so are a refunded 304 and the tokens of a client', () =>
    eventually(async () => {
      const { partner, clients } = await nextClients()
      const etag = (await clients[0]?.send('/spaces'))?.headers.get('etag') ?? ''
      for (const client of clients) {
        const answer = await client.send('/spaces', { headers: { 'if-none-match': etag } })
        assert.equal(answer.status, 304)
        assert.equal(answer.headers.get('x-ratelimit-remaining'), '11')
      }
      const form = goodParameters(partner.clientId, partner.clientSecret)
      const tokens = instances.map((portico) => () => requestToken(portico, form))
      // Each of the clients above has made one request.
      await assertLimitedTo(28, async () => passed(await concurrent(tokens, 20)))
    }))

  test('so are the commands of a device', () => {
    const devices = [house.trv, house.cylinder]
    return eventually(async () => {
      const device = devices.pop() ?? assert.fail('neither device had its commands counted together')
      const { clients } = await nextClients()
      const commands = clients.map(
        (client) => () => client.post(`/devices/${device}/schedule`, { type: 'resume' }),
      )
      await assertLimitedTo(5, async () => passed(await concurrent(commands, 5), 202))
    })
  })

  for (const [how, away, back] of [
    ['is killed', () => redis.kill(), () => redis.start()],
    ['hangs', async () => redis.freeze(), async () => redis.thaw()],
  ] as const) {
    test(`while Redis ${how}, each instance counts alone, and together again afterwards`, async () => {
      const { clients } = await nextClients()
      await away()
      await assertLimitedTo(2 * PER_MINUTE, async () => passed(await concurrent(read(clients), 20)))
      for (const portico of instances) {
        assert.equal(await isShared(portico), '0')
        await portico.waitForOutput(/rate limits cannot be shared; counting in this server only/)
      }
      await back()
      const again = await nextClients()
      await eventually(async () => {
        for (const client of again.clients) await client.send('/sites')
        assert.deepEqual(await Promise.all(instances.map(isShared)), ['1', '1'])
      })
      await eventually(async () => {
        const fresh = read((await nextClients()).clients)
        await assertLimitedTo(PER_MINUTE, async () => passed(await concurrent(fresh, 20)))
      })
      for (const portico of instances) await portico.waitForOutput(/rate limits are shared again/)
    })
  }
})

test('a server starts without its Redis, and an invalid URL is reported in one line', async () => {
  await using portico = await startPortico({ demo: false, env: { REDIS_URL: 'redis://127.0.0.1:9' } })
  assert.equal((await api(portico, '/ready')).status, 200)
  const wrong = await runPortico(['serve'], { env: { REDIS_URL: 'http://user:secret@redis' } })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /^portico: REDIS_URL must be an address such as redis:[^\n]*\n$/)
  assert.doesNotMatch(wrong.stderr, /secret/)
})
