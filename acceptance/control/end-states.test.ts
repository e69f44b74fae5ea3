import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import {
  acknowledges,
  confirms,
  confirmsInReverse,
  confirmsTwice,
  rejects,
  silent,
} from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { eventually } from '../support/eventually.ts'
import { asInstant, asObject, asString } from '../support/json.ts'

const control = await useControl()
const site = await control.addSite()
const device = await site.device()

const inSeconds = (seconds: number): string => new Date(control.clock.now() + seconds * 1000).toISOString()

describe('CONFIRMED', () => {
  for (const [name, answering] of Object.entries({
    'delivered, then confirmed': confirms,
    'everything twice': confirmsTwice,
    'confirmed before delivered': confirmsInReverse,
  })) {
    test(`by a device that reports ${name}`, async () => {
      device.answering = answering
      const command = await site.confirmed(override(20))
      const done = await site.command(command)
      assert.ok(asInstant(done['completedAt']) >= asInstant(done['createdAt']))
      assert.equal(done['failureReason'], null)
    })
  }
})

describe('FAILED', () => {
  test('DEVICE_REJECTED carries the reason of the device', async () => {
    device.answering = rejects('the valve is stuck (code 17)')
    const command = await site.accept(override(20))
    const failed = await site.until(command, 'FAILED', 'DEVICE_REJECTED')
    assert.match(asString(asObject(failed['failureReason'])['message']), /the valve is stuck \(code 17\)/)
    asInstant(failed['completedAt'])
  })

  test('DEVICE_REJECTED without a reason, and without an acknowledgement before it', async () => {
    device.answering = (_, say) => say('rejected')
    const failed = await site.until(await site.accept(override(20)), 'FAILED', 'DEVICE_REJECTED')
    assert.notEqual(asString(asObject(failed['failureReason'])['message']), '')
  })

  test('DEVICE_OFFLINE in the response itself, for failIfOffline and an offline device, which never receives it', async () => {
    device.answering = confirms
    await device.present('offline')
    const client = await site.client()
    await eventually(async () =>
      assert.equal((await client.get(`/devices/${site.house.trv}`))['status'], 'offline'),
    )
    const command = await site.accept(override(20, { failIfOffline: true }))
    assert.equal(command['state'], 'FAILED')
    assert.equal(asObject(command['failureReason'])['code'], 'DEVICE_OFFLINE')
    asInstant(command['completedAt'])
    await device.present('online')
    await site.confirmed(override(21))
    assert.deepEqual(device.about(getId(command)), [])
    await site.until(command, 'FAILED', 'DEVICE_OFFLINE')
  })

  test('failIfOffline has no effect for a device that is online', async () => {
    device.answering = confirms
    await site.confirmed(override(22, { failIfOffline: true }))
  })

  test('NO_CONFIRMATION ten minutes after the acknowledgement of the device, without a confirmation', async () => {
    device.answering = acknowledges
    const command = await site.accept(override(20))
    await site.until(command, 'DELIVERED')
    device.answering = confirms
    control.clock.moveBy(9 / 60)
    // A command in another slot is confirmed while this one is still waiting.
    await site.confirmed(plan())
    await site.until(command, 'DELIVERED')
    await control.restart({ at: control.clock.now() + 2 * 60_000 })
    const failed = await site.until(command, 'FAILED', 'NO_CONFIRMATION')
    asInstant(failed['completedAt'])
    await device.say(getId(command), 'confirmed')
    await site.confirmed(plan())
    await site.until(command, 'FAILED', 'NO_CONFIRMATION')
  })
})

describe('EXPIRED', () => {
  test('for a device that was offline until then, which never receives it', async () => {
    device.answering = confirms
    await device.present('offline')
    const command = await site.accept(override(20, { expiresAt: inSeconds(60) }))
    control.clock.moveBy(61 / 3600)
    const expired = await site.until(command, 'EXPIRED')
    assert.ok(asInstant(expired['completedAt']) >= asInstant(expired['expiresAt']))
    await device.present('online')
    await device.say(getId(command), 'confirmed')
    await site.confirmed(plan())
    assert.deepEqual(device.about(getId(command)), [])
    await site.until(command, 'EXPIRED')
  })

  test('for a device that received it and is silent; a late response changes nothing', async () => {
    device.answering = silent
    const command = await site.accept(override(20, { expiresAt: inSeconds(60) }))
    await device.gets(getId(command))
    control.clock.moveBy(61 / 3600)
    await site.until(command, 'EXPIRED')
    device.answering = confirms
    await device.say(getId(command), 'delivered')
    await device.say(getId(command), 'confirmed')
    await site.confirmed(plan())
    await site.until(command, 'EXPIRED')
  })

  test('after 24 hours by default, even if the server was stopped meanwhile', async () => {
    await device.present('offline')
    const command = await site.accept(override(20))
    await control.restart({ at: control.clock.now() + 24 * 3_600_000 + 60_000 })
    await site.until(command, 'EXPIRED')
    assert.deepEqual(device.about(getId(command)), [])
  })
})
