import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { type CertificateFiles, makeDevCert } from '../support/servers/dev-cert.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import {
  type Account,
  connectDevice,
  endDevices,
  connectRefused,
  type MqttDevice,
} from '../support/clients/mqtt.ts'
import { makeTempDir, type Portico, runPortico, startPortico } from '../support/servers/portico.ts'

let folder: string
let files: CertificateFiles
let portico: Portico
let account: Account

before(async () => {
  folder = await makeTempDir()
  files = await makeDevCert(join(folder, 'tls'))
  portico = await startPortico({ tls: { cert: files.certFile, key: files.keyFile } })
  const { MQTT_USERNAME, MQTT_PASSWORD } = portico.demoEnv
  account = { username: MQTT_USERNAME, password: MQTT_PASSWORD }
})
after(async () => {
  endDevices()
  await portico.stop()
  await rm(folder, { recursive: true })
})

const receivedTopics = (device: MqttDevice): string[] =>
  [...new Set(device.received.map((message) => message.topic))].toSorted()

const readCa = (): Promise<Buffer> => readFile(files.caFile)

describe('MQTT over TLS', () => {
  test('has the accounts, topics and rules of the port without TLS', async () => {
    const { SITE_ID } = portico.demoEnv
    const filter = `portico/v1/${SITE_ID}/+/presence`
    const secure = await connectDevice(portico.mqttsUrl, account, { ca: await readCa() })
    const plain = await connectDevice(portico.mqttUrl, account)
    // The demo's devices have reported that they are online.
    for (const device of [secure, plain]) assert.deepEqual(await device.subscribe(filter), [1])
    // A device that connects meanwhile is delivered twice to one of them: retained and as it happens.
    await eventually(async () => {
      const topics = receivedTopics(secure)
      assert.ok(topics.length > 0)
      assert.deepEqual(topics, receivedTopics(plain))
    })
    assert.deepEqual(await secure.subscribe('#'), [128])
    await secure.end()
  })

  test('rejects a wrong password with its return code, and a client that does not use TLS', async () => {
    const wrong = { ...account, password: 'wrong' }
    assert.equal(await connectRefused(portico.mqttsUrl, wrong), 4)
    await assert.rejects(connectDevice(portico.mqttsUrl.replace('mqtts:', 'mqtt:'), account))
  })

  test('uses a renewed certificate for new connections without a restart', async () => {
    const before = new X509Certificate(await readFile(files.certFile)).serialNumber
    assert.equal(await servedSerial(), before)
    const stays = await connectDevice(portico.mqttsUrl, account, { ca: await readCa() })
    await makeDevCert(join(folder, 'tls'), ['--force'])
    const renewed = new X509Certificate(await readFile(files.certFile)).serialNumber
    await eventually(async () => assert.equal(await servedSerial(), renewed))
    assert.equal(stays.client.connected, true)
  })

  test('the log contains the addresses that devices connect to', async () => {
    const { port } = new URL(portico.mqttsUrl)
    await portico.waitForOutput(new RegExp(`"mqtts":"127.0.0.1:${port}"`))
  })
})

describe('--mqtts-port', () => {
  const tls = (): string[] => ['--tls-cert', files.certFile, '--tls-key', files.keyFile]

  test('needs a certificate, and a separate port', async () => {
    const port = String(await findFreePort())
    const without = await runPortico(['serve', '--mqtts-port', port], { dataDir: folder })
    assert.deepEqual(
      [without.code, without.stderr],
      [2, 'portico: --mqtts-port needs --tls-cert and --tls-key\n'],
    )
    const http = ['--port', String(await findFreePort())]
    const args = ['serve', ...http, ...tls(), '--mqtt-port', port, '--mqtts-port', port]
    const same = await runPortico(args, { dataDir: folder })
    assert.equal(same.code, 1)
    assert.match(same.stderr, /^portico: port \d+ cannot be both --mqtt-port and --mqtts-port\n$/)
  })

  test('off disables MQTT over TLS', async () => {
    await using other = await startPortico({
      demo: false,
      tls: { cert: files.certFile, key: files.keyFile },
      args: ['--mqtts-port', 'off'],
    })
    const [line] = await other.waitForOutput(/.*"mqtt":"127.*\n/)
    assert.doesNotMatch(line, /"mqtts":/)
  })
})

async function servedSerial(): Promise<string> {
  const { port } = new URL(portico.mqttsUrl)
  const socket = connect({
    port: Number(port),
    host: '127.0.0.1',
    servername: 'localhost',
    ca: await readCa(),
  })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}
