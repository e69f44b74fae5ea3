import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { startPortico } from '../support/servers/portico.ts'

const portico = await startPortico({ demo: false })
after(() => portico.stop())

/** More than the listener accepts at a time. */
const CONNECTIONS = 64
const { port } = new URL(portico.metricsUrl)

/** Connections that send this and read nothing. */
async function openSilent(bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), '127.0.0.1').pause())
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => {})
      await once(socket, 'connect').catch(() => {})
      socket.write(bytes)
    }),
  )
  return sockets
}

test('requests for metrics whose responses are not read cost neither memory nor time', async () => {
  const watch = await watchServer(portico, { path: '/live' })
  const pipelined = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000)
  for (let round = 0; round < scale(3, 100); round += 1) {
    const sockets = await openSilent(pipelined)
    await sleep(500)
    for (const socket of sockets) socket.destroy()
  }
  const { growthMb, p99Ms } = await watch.stop()
  assert.ok(growthMb < 64, `memory grew by ${growthMb} MB`)
  assert.ok(p99Ms < 2_000, `p99 of a client of the API was ${p99Ms} ms`)
})

test('connections that never finish a request are closed, and scrapes go on', async () => {
  const sockets = await openSilent('GET /metrics HTTP/1.1\r\nHost: a\r\n')
  await eventually(async () => assert.match(await readMetrics(portico), /^portico_/m))
  for (const socket of sockets) socket.destroy()
})
