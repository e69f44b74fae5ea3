import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { acknowledges, confirms, rejects, silent } from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import type { RecordedMessage } from '../support/control/recording-device.ts'
import { eventually } from '../support/eventually.ts'
import { asInstant, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { commandFields } from '../support/fixtures/spec-enums.ts'

const control = await useControl()
const site = await control.addSite()
const other = await control.addSite()
const device = await site.device()

async function cancelled(command: JsonObject): Promise<JsonObject> {
  const answer = await site.cancel(command)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.json).toSorted(), commandFields.toSorted())
  assert.equal(answer.json['commandUuid'], getId(command))
  assert.equal(answer.json['state'], 'CANCELLED')
  assert.equal(asObject(answer.json['failureReason'])['code'], 'REQUESTED')
  assert.notEqual(asString(asObject(answer.json['failureReason'])['message']), '')
  asInstant(answer.json['completedAt'])
  assert.deepEqual(await site.command(command), answer.json)
  return answer.json
}

const listCancels = (command: JsonObject): RecordedMessage[] =>
  device.ledger.filter(({ type, payload }) => type === 'cancel' && payload['cancels'] === getId(command))

describe('DELETE of a command', () => {
  test('waiting for an offline device: 200 CANCELLED, and the device never receives it', async () => {
    await device.present('offline')
    const command = await site.accept(override(20))
    const shown = await cancelled(command)
    await device.present('online')
    await site.confirmed(plan())
    assert.deepEqual(device.about(getId(command)), [])
    assert.deepEqual(await site.command(command), shown)
  })

  for (const [name, answering, state] of [
    ['was sent', silent, 'SENT'],
    ['the device has acknowledged', acknowledges, 'DELIVERED'],
  ] as const) {
    test(`that ${name}: the device receives a cancel with its id, and a late response changes nothing`, async () => {
      device.answering = answering
      const command = await site.accept(override(20))
      await device.gets(getId(command))
      await site.until(command, state)
      const shown = await cancelled(command)
      const { qos, isRetained } = await eventually(async () => {
        const [message] = listCancels(command)
        assert.ok(message, 'no cancel came')
        return message
      })
      assert.deepEqual([qos, isRetained], [1, false])
      await device.say(getId(command), 'confirmed')
      device.answering = confirms
      await site.confirmed(plan())
      assert.deepEqual(await site.command(command), shown)
    })
  }

  test('a cancel needs no response: it is not repeated for a device that is silent', async () => {
    device.answering = acknowledges
    const command = await site.accept(override(20))
    await site.until(command, 'DELIVERED')
    await cancelled(command)
    await eventually(async () => assert.equal(listCancels(command).length, 1))
    device.answering = confirms
    await site.confirmed(plan())
    const listed = await (await site.client()).list(`/devices/${site.house.trv}/commands`)
    assert.ok(listed.every(({ type }) => type !== 'cancel'))
  })
})

describe('409 for a command in a final state', () => {
  test('CONFIRMED', async () => {
    device.answering = confirms
    const command = await site.confirmed(override(20))
    assertProblem(control.portico, await site.cancel(command), 409)
    assert.deepEqual(await site.command(command), command)
    assert.deepEqual(listCancels(command), [])
  })

  test('FAILED', async () => {
    device.answering = rejects('no')
    const command = await site.until(await site.accept(override(20)), 'FAILED', 'DEVICE_REJECTED')
    assertProblem(control.portico, await site.cancel(command), 409)
    assert.deepEqual(await site.command(command), command)
  })

  test('EXPIRED', async () => {
    await device.present('offline')
    const expiresAt = new Date(control.clock.now() + 60_000).toISOString()
    const accepted = await site.accept(override(20, { expiresAt }))
    control.clock.moveBy(61 / 3600)
    const command = await site.until(accepted, 'EXPIRED')
    assertProblem(control.portico, await site.cancel(command), 409)
    await device.present('online')
    assert.deepEqual(await site.command(command), command)
  })

  test('CANCELLED; of concurrent cancels exactly one is 200', async () => {
    device.answering = silent
    const command = await site.accept(override(20))
    const answers = await Promise.all(Array.from({ length: 5 }, () => site.cancel(command)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409],
    )
    assertProblem(control.portico, await site.cancel(command), 409)
  })
})

describe('404', () => {
  test('for an unknown command, one of another device and one of another site, all identical', async () => {
    device.answering = silent
    const command = await site.accept(override(20))
    const foreign = await other.accept(override(20))
    const bodies: JsonObject[] = []
    for (const [deviceUuid, commandUuid] of [
      [site.house.trv, randomUUID()],
      [site.house.cylinder, getId(command)],
      [site.house.trv, getId(foreign)],
      [other.house.trv, getId(foreign)],
      [randomUUID(), getId(command)],
    ]) {
      const answer = await site.cancel({ deviceUuid, commandUuid })
      const { type, title, status, detail, errors } = assertProblem(control.portico, answer, 404)
      bodies.push({ type, title, status, detail, errors })
    }
    assert.deepEqual([bodies[1], bodies[2], bodies[4]], [bodies[0], bodies[0], bodies[3]])
    assert.notEqual((await site.command(command))['state'], 'CANCELLED')
    assert.notEqual((await other.command(foreign))['state'], 'CANCELLED')
  })

  test('an id that is not a UUID is 400', async () => {
    const answer = await site.cancel({ deviceUuid: site.house.trv, commandUuid: 'x' })
    assertProblem(control.portico, answer, 400)
  })
})
