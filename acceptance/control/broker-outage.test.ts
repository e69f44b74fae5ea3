import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { oneOff, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { eventually } from '../support/eventually.ts'
import type { JsonObject } from '../support/json.ts'
import { startMosquitto } from '../support/servers/mosquitto.ts'
import { metricAt } from '../support/fixtures/mqtt-site.ts'

const mosquitto = await startMosquitto()
const control = await useControl({ mqttUrl: mosquitto.url })
after(() => mosquitto.remove())
const site = await control.addSite()

const isConnected = (value: number): Promise<void> =>
  eventually(async () =>
    assert.equal(await metricAt(control.portico, 'portico_mqtt_external_connected'), value),
  )

await isConnected(1)
let device = await site.device()

test('through an external broker, a command is delivered at QoS 1 and not retained', async () => {
  const command = await site.confirmed(override(20))
  const [{ qos, isRetained } = { qos: 0, isRetained: true }] = device.about(getId(command))
  assert.deepEqual([qos, isRetained], [1, false])
})

test('while the broker is down commands are accepted and wait; once it is back without its state, all are delivered and applied once', async () => {
  await mosquitto.wipe()
  await isConnected(0)
  const commands: JsonObject[] = [await site.accept(plan()), await site.accept(override(21))]
  for (let index = 0; index < 20; index += 1) {
    const hours: [number, number] = [(index + 1) * 1800, (index + 2) * 1800]
    commands.push(await site.accept(oneOff(control.clock.now(), hours)))
  }
  for (const command of commands) assert.equal((await site.command(command))['state'], 'PENDING')
  await mosquitto.start()
  for (const command of commands) await site.until(command, 'CONFIRMED')
  for (const command of commands) {
    const messages = device.about(getId(command))
    assert.ok(messages.length >= 1)
    for (const { payload } of messages) assert.deepEqual(payload, messages[0]?.payload)
    assert.equal(device.applied.filter((uuid) => uuid === getId(command)).length, 1)
  }
})

test('a command that the broker accepted and lost is sent again', async () => {
  // No subscriber is connected: the broker queues the message, and its queue is wiped.
  await device.leave()
  const command = await site.accept(override(22))
  await site.until(command, 'SENT')
  await mosquitto.wipe()
  await mosquitto.start()
  await isConnected(1)
  device = await site.device()
  await control.restart({ at: control.clock.now() + 15 * 60_000 })
  await site.until(command, 'CONFIRMED')
})

test('a server that starts while the broker is down delivers once it is up', async () => {
  await mosquitto.wipe()
  await control.restart()
  const command = await site.accept(override(23))
  assert.equal(command['state'], 'PENDING')
  await mosquitto.start()
  await site.until(command, 'CONFIRMED')
})
