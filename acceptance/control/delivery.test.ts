import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { goodCommands, plan } from '../support/fixtures/commands.ts'
import { acknowledges, confirms, silent } from '../support/control/device-behaviours.ts'
import { toOrder, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { asInstant, asObject, asString, asUuid } from '../support/json.ts'

const control = await useControl()
const site = await control.addSite()
const device = await site.device()

describe('a command reaches the device', () => {
  for (const [name, body] of Object.entries(goodCommands)) {
    test(`${name}: the device receives exactly the documented payload, and the partner sees it confirmed`, async () => {
      device.answering = confirms
      const answer = await site.send(body)
      assert.equal(answer.status, 202, answer.text)
      const command = answer.json
      const location = new URL(asString(answer.headers.get('location')), control.portico.url).pathname
      assert.equal(location, `/v2/devices/${site.house.trv}/commands/${getId(command)}`)
      const { payload, qos, isRetained } = await device.gets(getId(command))
      assert.deepEqual(Object.keys(payload).toSorted(), [
        'commandUuid',
        'expiresAt',
        'issuedAt',
        'schedule',
        'type',
      ])
      assert.equal(payload['type'], body['type'])
      assert.equal(asInstant(payload['expiresAt']), asInstant(command['expiresAt']))
      assert.ok(asInstant(payload['issuedAt']) >= asInstant(command['createdAt']))
      const schedule = asObject(payload['schedule'])
      for (const [field, value] of Object.entries(toOrder(body))) {
        assert.deepEqual(schedule[field], value, `${field} in ${JSON.stringify(schedule)}`)
      }
      assert.deepEqual([qos, isRetained], [1, false])
      await site.until(command, 'CONFIRMED')
    })
  }

  test('a weekly plan carries its time zone: that of the site, or its own', async () => {
    const sentZone = async (body: object): Promise<unknown> => {
      const { payload } = await device.gets(getId(await site.accept({ ...plan(), ...body })))
      return asObject(payload['schedule'])['timeZone']
    }
    assert.equal(await sentZone({}), 'Europe/London')
    assert.equal(await sentZone({ timeZone: 'UTC' }), 'UTC')
    assert.equal(await sentZone({ timeZone: 'America/New_York' }), 'America/New_York')
  })

  test('it is never retained: a later subscriber receives only later messages', async () => {
    await site.confirmed(override(18))
    const listener = await site.device(silent, { presenceFor: null })
    const later = await site.accept(override(19))
    await listener.gets(getId(later))
    assert.deepEqual(
      listener.ledger.map(({ commandUuid }) => commandUuid),
      [getId(later)],
    )
  })

  test('each command is sent to its own device only', async () => {
    const cylinder = await site.device(confirms, { deviceUuid: site.house.cylinder })
    const command = await site.confirmed(override(55), site.house.cylinder)
    assert.deepEqual(
      cylinder.ledger.map(({ commandUuid }) => commandUuid),
      [getId(command)],
    )
    assert.deepEqual(device.about(getId(command)), [])
  })
})

describe('the state follows the device', () => {
  test('SENT after publishing, then DELIVERED and CONFIRMED as the device reports', async () => {
    device.answering = silent
    const command = await site.accept(override(20))
    assert.match(asString(command['state']), /^(PENDING|SENT)$/)
    asUuid(command['commandUuid'])
    await device.gets(getId(command))
    const sent = await site.until(command, 'SENT')
    assert.deepEqual([sent['completedAt'], sent['failureReason']], [null, null])
    await device.say(getId(command), 'delivered')
    const delivered = await site.until(command, 'DELIVERED')
    assert.equal(delivered['completedAt'], null)
    assert.ok(asInstant(delivered['updatedAt']) >= asInstant(sent['updatedAt']))
    await device.say(getId(command), 'confirmed')
    const confirmed = await site.until(command, 'CONFIRMED')
    assert.ok(asInstant(confirmed['completedAt']) >= asInstant(delivered['updatedAt']))
    assert.equal(confirmed['failureReason'], null)
  })

  test('a device that does not respond receives it again, with the same id and content, and applies it once', async () => {
    device.answering = silent
    const command = await site.accept(override(21))
    await device.gets(getId(command))
    await site.until(command, 'SENT')
    device.answering = confirms
    await control.restart({ at: control.clock.now() + 15 * 60_000 })
    await site.until(command, 'CONFIRMED')
    const messages = device.about(getId(command))
    assert.ok(messages.length > 1)
    for (const { payload } of messages) assert.deepEqual(payload, messages[0]?.payload)
    assert.equal(device.applied.filter((uuid) => uuid === getId(command)).length, 1)
  })

  test('a device that reports that it is online has 5 s to respond before it receives a command again', async () => {
    device.answering = silent
    const command = await site.accept(override(23))
    await device.gets(getId(command))
    await site.until(command, 'SENT')
    await device.present('online')
    device.answering = confirms
    // Uses another slot, so that the first command stays open; due messages are sent in the order of their times.
    await site.confirmed(plan())
    const [first, ...repeated] = device.about(getId(command))
    for (const { at } of repeated) assert.ok(at - asInstant(command['createdAt']) >= 5_000)
    assert.ok(first)
    await device.say(getId(command), 'confirmed')
    await site.until(command, 'CONFIRMED')
  })

  test('a command that the device acknowledged is not redelivered when the device reconnects', async () => {
    device.answering = acknowledges
    const command = await site.accept(override(22))
    await site.until(command, 'DELIVERED')
    const count = device.about(getId(command)).length
    await device.vanish()
    await device.comeBack()
    device.answering = confirms
    // Uses another slot, so that the first command stays open; its confirmation shows that the device is served again.
    await site.confirmed(plan())
    assert.equal(device.about(getId(command)).length, count)
    await site.until(command, 'DELIVERED')
    await device.say(getId(command), 'confirmed')
    await site.until(command, 'CONFIRMED')
  })
})
