import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { readDemoEnv } from '../support/servers/demo-env.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { connectDevice, endDevices } from '../support/clients/mqtt.ts'
import { makeTempDir, runPortico, startPortico } from '../support/servers/portico.ts'

const dataDir = await makeTempDir()
after(async () => {
  endDevices()
  await rm(dataDir, { recursive: true, force: true })
})

test('a port of the broker that is in use fails the start with one line', async () => {
  const port = await findFreePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const http = ['--port', String(await findFreePort())]
  for (const demo of [[], ['--demo']]) {
    const result = await runPortico(['serve', ...http, ...demo, '--mqtt-port', String(port)], { dataDir })
    assert.equal(result.code, 1)
    assert.match(result.stderr, new RegExp(`^portico: port ${port} on 127.0.0.1 is taken.*--mqtt-port\n$`))
  }
  other.close()
})

test('the same port for both is rejected with one line', async () => {
  const port = String(await findFreePort())
  const result = await runPortico(['serve', '--port', port, '--mqtt-port', port], { dataDir })
  assert.equal(result.code, 1)
  assert.match(result.stderr, /^portico: port \d+ cannot be both/)
})

test('--mqtt-port 0 picks a free port, and the devices of the demo use it', async () => {
  await using portico = await startPortico({ args: ['--mqtt-port', '0'] })
  const { DEVICE_MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD } = await readDemoEnv(portico.dataDir)
  assert.match(DEVICE_MQTT_URL, /^mqtt:\/\/127\.0\.0\.1:[1-9]\d*$/)
  await connectDevice(DEVICE_MQTT_URL, { username: MQTT_USERNAME, password: MQTT_PASSWORD })
})

test('the demo uses a free port if the default one is in use, and reports that', async () => {
  const other = createServer()
  // The port is taken, by this or another process.
  other.on('error', () => {})
  other.listen(1883, '127.0.0.1')
  await using portico = await startPortico({ isMqttPortDefault: true })
  const [, port = ''] = await portico.waitForOutput(/Port 1883 is taken; using (\d+) instead/)
  const { DEVICE_MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD } = portico.demoEnv
  assert.equal(new URL(DEVICE_MQTT_URL).port, port)
  await connectDevice(DEVICE_MQTT_URL, { username: MQTT_USERNAME, password: MQTT_PASSWORD })
  other.close()
})
