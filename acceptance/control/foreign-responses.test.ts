import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { confirms, silent } from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { type ControlSite, getId } from '../support/control/control-site.ts'
import { eventually } from '../support/eventually.ts'
import { connectDevice, type MqttDevice } from '../support/clients/mqtt.ts'
import { rejectedAt } from '../support/fixtures/mqtt-site.ts'

const control = await useControl()
const site = await control.addSite()
const other = await control.addSite()
const device = await site.device(silent)
const gateway = await connectDevice(control.mqttUrl, site.account)
const stranger = await connectDevice(control.mqttUrl, other.account)
const accepted = await site.accept(override(20))
await device.gets(getId(accepted))
const command = await site.until(accepted, 'SENT')

const timestamp = new Date().toISOString()
const confirmed = JSON.stringify({ status: 'confirmed', timestamp })
const statusTopic = (owner: ControlSite, unit: string, commandUuid: string): string =>
  owner.topic(unit, `commands/${commandUuid}/status`)

/** Publishes a message that must be rejected: it is listed for the operator and the command is unchanged. */
async function assertRefused(who: MqttDevice, topic: string, payload: string): Promise<void> {
  const before = (await rejectedAt(control.installation)).length
  await who.publish(topic, payload)
  await eventually(async () => {
    const entries = await rejectedAt(control.installation)
    assert.equal(entries.length, before + 1)
    assert.deepEqual([entries[0]?.['topic'], entries[0]?.['payload']], [topic, payload])
    assert.notEqual(entries[0]?.['reason'], '')
  })
  assert.deepEqual(await site.command(command), command)
}

describe('rejected, listed for the operator and without effect: a status', () => {
  test('from the gateway of another site', async () => {
    await assertRefused(stranger, statusTopic(site, site.house.trv, getId(command)), confirmed)
  })

  test('from the gateway of another site, on a topic of its own site', async () => {
    await assertRefused(stranger, statusTopic(other, site.house.trv, getId(command)), confirmed)
    await assertRefused(stranger, statusTopic(other, other.house.trv, getId(command)), confirmed)
  })

  test('from another device of the site', async () => {
    await assertRefused(gateway, statusTopic(site, site.house.cylinder, getId(command)), confirmed)
  })

  test('of a command or a device that does not exist', async () => {
    await assertRefused(gateway, statusTopic(site, site.house.trv, randomUUID()), confirmed)
    await assertRefused(gateway, statusTopic(site, site.house.trv, 'x'), confirmed)
    await assertRefused(gateway, statusTopic(site, randomUUID(), getId(command)), confirmed)
  })

  for (const [name, payload] of Object.entries({
    'that is empty': '',
    'that is no JSON': 'confirmed',
    'that breaks off': '{"status":"confirmed"',
    'that is a list': '["confirmed"]',
    'that is null': 'null',
    'without a word': JSON.stringify({ timestamp }),
    'with an unknown word': JSON.stringify({ status: 'done', timestamp }),
    'with a word in capitals': JSON.stringify({ status: 'CONFIRMED', timestamp }),
    'with a word that is a number': JSON.stringify({ status: 1, timestamp }),
    'with the word of a prototype': JSON.stringify({ status: 'toString', timestamp }),
    'with a reason that is not a string': JSON.stringify({ status: 'rejected', reason: {}, timestamp }),
    'at no time': JSON.stringify({ status: 'confirmed', timestamp: 'now' }),
  })) {
    test(name, () => assertRefused(gateway, statusTopic(site, site.house.trv, getId(command)), payload))
  }
})

test('a valid response afterwards is applied, and repeating it changes nothing', async () => {
  await device.say(getId(command), 'delivered')
  await device.say(getId(command), 'confirmed')
  const done = await site.until(command, 'CONFIRMED')
  for (const status of ['confirmed', 'delivered', 'rejected']) await device.say(getId(command), status)
  device.answering = confirms
  await site.confirmed(override(21))
  assert.deepEqual(await site.command(command), done)
})
