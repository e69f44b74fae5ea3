import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { applyInventory, type Installation } from '../support/servers/installation.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { makeTempDir, runPortico, startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import { everyServerHasWorkers, untilGone, listWorkers } from '../support/servers/workers.ts'

everyServerHasWorkers(2)

let store: Store
const house = makeSmallSite()

before(async () => {
  store = await makeStore()
})
after(() => store.remove())

/** Adds partners, four at a time, until told to stop; the ids of those that were acknowledged. */
function addPartners({ portico, operator }: Installation): { stop(): Promise<string[]>; count(): number } {
  const acknowledged: string[] = []
  const over = new AbortController()
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const body = { name: 'Load', sites: [], roles: [] }
      const request = { method: 'POST', token: operator, body }
      // A connection that breaks is what this test is about; a wrong answer is not.
      const answer = await api(portico, '/operator/partners', request).catch(() => undefined)
      if (answer) assert.equal(answer.status, 201, answer.text)
      if (answer) acknowledged.push(String(answer.json['partnerUuid']))
    }
  }
  const lanes = Promise.all([lane(), lane(), lane(), lane()])
  return {
    count: () => acknowledged.length,
    async stop() {
      over.abort()
      await lanes
      return acknowledged
    },
  }
}

async function assertStored({ portico, operator }: Installation, partners: readonly string[]): Promise<void> {
  const stored = new Set<unknown>()
  for (let cursor = ''; ; ) {
    const { json } = await api(portico, `/operator/partners?limit=100${cursor}`, { token: operator })
    for (const partner of asArray(json['data'])) stored.add(asObject(partner)['partnerUuid'])
    const { nextCursor } = asObject(json['pagination'])
    if (nextCursor === null) break
    cursor = `&cursor=${asString(nextCursor)}`
  }
  assert.deepEqual(
    partners.filter((partnerUuid) => !stored.has(partnerUuid)),
    [],
  )
}

test('a worker that is killed is replaced, and nothing that was acknowledged is lost', async () => {
  const installation = await store.start()
  const { portico } = installation
  const load = addPartners(installation)
  for (let kills = 1; kills <= 3; kills += 1) {
    const seen = load.count()
    const [victim = 0, ...others] = await listWorkers(portico)
    process.kill(victim, 'SIGKILL')
    await untilGone([victim])
    await eventually(async () => {
      const now = await listWorkers(portico)
      assert.equal(now.length, 2)
      assert.ok(others.every((pid) => now.includes(pid)))
    })
    await eventually(async () => assert.ok(load.count() > seen + 4))
  }
  await assertStored(installation, await load.stop())
  const lines = portico.output().match(/"worker":\d.*"signal":"SIGKILL".*a worker has ended/g) ?? []
  assert.equal(lines.length, 3, portico.output())
  // Also the youngest takes requests.
  await eventually(async () => {
    for (let count = 0; count < 4; count += 1) assert.equal((await api(portico, '/ready')).status, 200)
  })
  await installation.stop()
})

test('when the first process is killed its workers end, and the next start has all that was acknowledged', async () => {
  const installation = await store.start()
  const { portico } = installation
  const workers = await listWorkers(portico)
  const load = addPartners(installation)
  await eventually(async () => assert.ok(load.count() > 10))
  const partners = load.stop()
  await portico.kill()
  await untilGone(workers)
  const next = await store.start()
  await assertStored(next, await partners)
  await next.stop()
})

test('SIGTERM, also to the whole group, lets a request that is under way come to its end', async () => {
  const installation = await store.start()
  const { portico, operator } = installation
  await applyInventory(installation, house.document)
  const reading = { deviceUuid: house.meter, metricType: 'electricity', timestamp: '2026-01-01T00:00:00Z' }
  const line = `${JSON.stringify({ ...reading, value: 1 })}\n`
  const workers = await listWorkers(portico)
  // Enough for both workers to have some.
  const sockets = Array.from({ length: 8 }, () => connect(portico.port, '127.0.0.1'))
  const received = sockets.map(() => '')
  for (const [index, socket] of sockets.entries()) {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received[index] += chunk
    })
    socket.write(
      [
        'POST /operator/readings HTTP/1.1',
        `Host: localhost:${portico.port}`,
        `Authorization: Bearer ${operator}`,
        'Content-Type: application/x-ndjson',
        `Content-Length: ${line.length}`,
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    )
    await eventually(async () => assert.match(received[index] ?? '', /^HTTP\/1\.1 100 /))
  }
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
  for (const pid of workers) process.kill(pid, 'SIGTERM')
  const stopped = portico.stop()
  await eventually(() => assert.rejects(api(portico, '/live')))
  for (const socket of sockets) socket.write(line)
  assert.equal(await stopped, 0, portico.output())
  await closed
  for (const text of received) assert.match(text, /\r\nHTTP\/1\.1 200 [^]*"(accepted|unchanged)":1/)
  await untilGone(workers)
})

test('a port that is taken, and a certificate that is none, end the start in one line', async () => {
  const portico = await startPortico({ demo: false })
  const dataDir = await makeTempDir()
  const taken = await runPortico(['serve', '--port', String(portico.port), '--mqtt-port', '0'], { dataDir })
  assert.deepEqual([taken.code, taken.stderr.split('\n').length], [1, 2], taken.stderr)
  assert.match(taken.stderr, /is taken/)
  await portico.stop()
  const noCertificate = ['--tls-cert', '/dev/null', '--tls-key', '/dev/null']
  const bad = await runPortico(['serve', '--port', '0', '--mqtt-port', '0', ...noCertificate], { dataDir })
  assert.deepEqual([bad.code, bad.stderr.split('\n').length], [2, 2], bad.stderr)
  await rm(dataDir, { recursive: true, force: true })
})
