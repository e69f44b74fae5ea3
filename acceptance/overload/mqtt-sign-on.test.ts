import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, test, type TestContext } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { endDevices } from '../support/mqtt.ts'
import { addMqttSite, type MqttSite } from '../support/mqtt-site.ts'
import { scale } from '../support/overload/scale.ts'
import { type ServerWatch, watchServer } from '../support/overload/watch-server.ts'
import { connectPacket, header, openSocket, whenClosed } from '../support/raw-mqtt.ts'

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
const openAll = (count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => openSocket(installation.portico.mqttUrl)))
/** Stops with the test, even if it fails. */
async function watch(t: TestContext): Promise<ServerWatch> {
  const headers = { authorization: `Bearer ${site.partner.token}`, SiteId: site.house.siteUuid }
  const watching = await watchServer(installation.portico, { path: '/v2/devices', headers })
  t.after(() => watching.stop().catch(() => {}))
  return watching
}

test('unfinished CONNECT packets of 256 KB are refused because of their announced length', async (t) => {
  const watching = await watch(t)
  const sockets = await openAll(CONNECTIONS)
  const half = Buffer.concat([header(0x10, 256 * 1024), Buffer.alloc(255 * 1024)])
  await Promise.all(
    sockets.map(async (socket) => {
      socket.resume()
      if (!socket.destroyed) socket.write(half)
      await whenClosed(socket)
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
  await Promise.all(findOpen().map(whenClosed))
  assert.equal(gateway.client.connected, true)
  const { growthMb, maxMs } = await watching.stop()
  assert.ok(growthMb < 80, `memory grew by ${growthMb} MB`)
  assert.ok(maxMs < 4_500, `a request took ${maxMs} ms`)
})
