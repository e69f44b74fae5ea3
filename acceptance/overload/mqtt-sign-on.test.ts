import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, test, type TestContext } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices } from '../support/clients/mqtt.ts'
import { addMqttSite, type MqttSite } from '../support/fixtures/mqtt-site.ts'
import { scale } from '../support/overload/scale.ts'
import { type ServerWatch, watchServer } from '../support/overload/watch-server.ts'
import { api } from '../support/clients/requests.ts'
import { assertClosed, connectPacket, header, openSocket } from '../support/clients/raw-mqtt.ts'

let installation: Installation
let site: MqttSite

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation)
})
after(async () => {
  endDevices()
  await installation.stop()
})

const CONNECTIONS = scale(400, 2_000)
/** Fewer than the kernel queues for a server that is busy: it would drop further ones without notice. */
const OPENED_TOGETHER = 200

async function openAll(count: number): Promise<Socket[]> {
  const { portico } = installation
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const length = Math.min(OPENED_TOGETHER, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length }, () => openSocket(portico.mqttUrl)))))
    // The server has accepted them when it has answered a later request.
    assert.equal((await api(portico, '/live')).status, 200)
  }
  return sockets
}

/** Stops with the test, even if it fails. */
async function watch(t: TestContext): Promise<ServerWatch> {
  const headers = { authorization: `Bearer ${site.partner.token}`, SiteId: site.house.siteUuid }
  const watching = await watchServer(installation.portico, { path: '/v2/devices', headers })
  t.after(() => watching.stop().catch(() => {}))
  return watching
}

test('a CONNECT packet of 256 KB is rejected because of its announced length', async () => {
  const [silent, large] = [
    await openSocket(installation.portico.mqttUrl),
    await openSocket(installation.portico.mqttUrl),
  ]
  silent.resume()
  large.resume()
  large.write(header(0x10, 256 * 1024))
  // If the server waited for the packet, it would close the other connection, which was opened earlier, before it.
  const first = await Promise.race([
    assertClosed(silent).then(() => 'silent'),
    assertClosed(large).then(() => 'large'),
  ])
  assert.equal(first, 'large')
  silent.destroy()
})

test('beyond a hundred connections of one address that have not signed on, the oldest are closed', async () => {
  const { mqttUrl } = installation.portico
  const other = await openSocket(mqttUrl, '127.0.0.2')
  other.resume()
  const sockets = await Promise.all(Array.from({ length: 130 }, () => openSocket(mqttUrl, '127.0.0.3')))
  for (const socket of sockets) socket.resume()
  const untilFew = eventually(async () => assert.ok(sockets.filter((socket) => !socket.closed).length <= 100))
  // A connection of another address, opened earlier, is closed by the time limit only.
  const first = await Promise.race([untilFew.then(() => 'number'), assertClosed(other).then(() => 'time')])
  assert.equal(first, 'number')
  for (const socket of [other, ...sockets]) socket.destroy()
})

test('unfinished CONNECT packets of 256 KB on many connections cost neither memory nor time', async (t) => {
  const watching = await watch(t)
  const sockets = await openAll(CONNECTIONS)
  const half = Buffer.concat([header(0x10, 256 * 1024), Buffer.alloc(255 * 1024)])
  await Promise.all(
    sockets.map(async (socket) => {
      socket.resume()
      if (!socket.destroyed) socket.write(half)
      await assertClosed(socket)
    }),
  )
  // A gateway can still sign on.
  await (await site.connect()).end()
  const { growthMb, maxMs } = await watching.stop()
  assert.ok(growthMb < 80, `memory grew by ${growthMb} MB`)
  assert.ok(maxMs < 4_500, `a request took ${maxMs} ms`)
})

test('connections that do not sign on are limited in number and closed within seconds, whatever they send', async (t) => {
  const watching = await watch(t)
  const sockets = await openAll(CONNECTIONS)
  const packet = connectPacket(site.account, 'never-finished')
  // Nothing at all, a header, a packet that lacks its last byte.
  const starts = [Buffer.alloc(0), packet.subarray(0, 2), packet.subarray(0, -1)]
  for (const [index, socket] of sockets.entries()) {
    socket.resume()
    const start = starts[index % starts.length]
    if (start && !socket.destroyed) socket.write(start)
  }
  // A gateway can sign on meanwhile.
  const gateway = await site.connect()
  const findOpen = (): Socket[] => sockets.filter((socket) => !socket.closed)
  // This process is notified of closed connections with a short delay.
  await eventually(async () => {
    const { length } = findOpen()
    assert.ok(length <= 120, `${length} connections of one address are waiting`)
  })
  await Promise.all(findOpen().map(assertClosed))
  assert.equal(gateway.client.connected, true)
  const { growthMb, maxMs } = await watching.stop()
  assert.ok(growthMb < 80, `memory grew by ${growthMb} MB`)
  assert.ok(maxMs < 4_500, `a request took ${maxMs} ms`)
})
