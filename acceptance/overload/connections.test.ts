import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDevCert } from '../support/servers/dev-cert.ts'
import { eventually } from '../support/eventually.ts'
import { openConnection, type RawConnection, toBytes } from '../support/overload/raw-connection.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'

const LIMIT = 20
const env = { CONNECTIONS_PER_ADDRESS: String(LIMIT), TRUST_PROXY: '127.0.0.9' }
const portico = await startPortico({ demo: false, env })
after(() => portico.stop())

const open = (count: number, localAddress: string): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openConnection(portico, { localAddress })))

const closeAll = (connections: RawConnection[]): void => {
  for (const { socket } of connections) socket.destroy()
}

const isAnswered = async (connection: RawConnection): Promise<boolean> => {
  connection.socket.write(toBytes({ path: '/live' }))
  const answered = connection.read(1).then(([response]) => response?.status === 200)
  return Promise.race([answered.catch(() => false), connection.ended.then(() => false)])
}

/** The longest time limit is ten seconds; the rest is for a machine that is busy with other tests. */
const ENDS_WITHIN_MS = 100_000

async function assertEnds(ended: Promise<unknown>): Promise<void> {
  const deadline = sleep(ENDS_WITHIN_MS, 'open', { ref: false })
  assert.notEqual(await Promise.race([ended, deadline]), 'open', 'the connection is still open')
}

describe('the connections of one address', () => {
  test('are limited, and those of other addresses are not affected', async () => {
    const watch = await watchServer(portico, { path: '/live' })
    const held = await open(LIMIT, '127.0.0.2')
    for (let round = 0; round < 20; round += 1) {
      const refused = await open(LIMIT, '127.0.0.2')
      for (const { ended, socket } of refused) {
        socket.resume()
        await assertEnds(ended)
      }
    }
    assert.deepEqual(
      await Promise.all(held.map(isAnswered)),
      held.map(() => true),
    )
    const others = await open(LIMIT, '127.0.0.3')
    assert.deepEqual(
      await Promise.all(others.map(isAnswered)),
      others.map(() => true),
    )
    closeAll([...held, ...others])
    const report = await watch.stop()
    assert.ok(report.growthMb < 100, `the server grew by ${report.growthMb} MB`)
    assert.ok(report.maxMs < 5_000, `a request of another client took ${report.maxMs} ms`)
  })

  test('no longer count when they are closed', async () => {
    const held = await open(LIMIT, '127.0.0.4')
    closeAll(held)
    await eventually(async () => {
      const [next] = await open(1, '127.0.0.4')
      assert.ok(next && (await isAnswered(next)))
      closeAll([next])
    })
  })

  test('are not limited if the address is that of a trusted proxy', async () => {
    const held = await open(3 * LIMIT, '127.0.0.9')
    assert.deepEqual(
      await Promise.all(held.map(isAnswered)),
      held.map(() => true),
    )
    closeAll(held)
  })

  test('are counted in the metrics when they are rejected', async () => {
    await portico.waitForOutput(/too many connections of one address/)
  })
})

describe('a connection that sends nothing', { concurrency: true }, () => {
  const closesInTime = async ({ port }: Portico): Promise<void> => {
    const startedAt = performance.now()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    await assertEnds(new Promise((resolve) => socket.once('close', resolve)))
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs > 8_000, `closed after ${tookMs} ms`)
  }

  test('is closed after ten seconds', () => closesInTime(portico))

  test('is closed after ten seconds before a TLS handshake, too, and counts towards its address', async () => {
    const dataDir = await makeTempDir()
    const { certFile, keyFile } = await makeDevCert(dataDir)
    const options = {
      demo: false,
      env: { CONNECTIONS_PER_ADDRESS: '5' },
      tls: { cert: certFile, key: keyFile },
    }
    await using secure = await startPortico(options)
    await closesInTime(secure)
    const held = await Promise.all(Array.from({ length: 5 }, () => openConnection(secure)))
    assert.deepEqual(
      await Promise.all(held.map(isAnswered)),
      held.map(() => true),
    )
    const refused = await openConnection(secure)
    await assertEnds(refused.ended)
    closeAll(held)
    await eventually(async () => assert.equal((await api(secure, '/live')).status, 200))
  })
})
