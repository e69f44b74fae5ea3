import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { acknowledges, confirms, silent } from '../support/control/device-behaviours.ts'
import { oneOff, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { asInstant, asObject, asString, type JsonObject } from '../support/json.ts'

const control = await useControl()
const site = await control.addSite()
const device = await site.device(silent)

const hours = (start: number, end: number): JsonObject =>
  oneOff(control.clock.now(), [start * 3600, end * 3600])
const boost = { type: 'boost', durationMinutes: 30 }
const resume = { type: 'resume' }

/**
 * Sends two commands to a device that responds to neither; returns the older one as it is once the newer is accepted.
 */
async function olderAfter(older: JsonObject, newer: JsonObject): Promise<JsonObject> {
  const first = await site.accept(older)
  await site.accept(newer)
  return site.command(first)
}

function assertSuperseded(command: JsonObject): void {
  assert.equal(command['state'], 'CANCELLED', JSON.stringify(command))
  assert.equal(asObject(command['failureReason'])['code'], 'SUPERSEDED')
  assert.notEqual(asString(asObject(command['failureReason'])['message']), '')
  asInstant(command['completedAt'])
}

const assertOpen = (command: JsonObject): void =>
  assert.match(asString(command['state']), /^(PENDING|SENT)$/, JSON.stringify(command))

describe('a newer command of the same slot immediately makes the older one CANCELLED SUPERSEDED', () => {
  test('a weekly plan by a weekly plan', async () => {
    assertSuperseded(await olderAfter(plan(), plan()))
  })

  const [one, two] = [override(20), override(21)]
  const pairs: [name: string, older: JsonObject, newer: JsonObject][] = [
    ['an override by an override', one, two],
    ['an override by a boost', one, boost],
    ['an override by a resume', one, resume],
    ['a boost by an override', boost, one],
    ['a boost by a boost', boost, boost],
    ['a boost by a resume', boost, resume],
    ['a resume by an override', resume, one],
    ['a resume by a boost', resume, boost],
    ['a resume by a resume', resume, resume],
  ]
  for (const [name, older, newer] of pairs) {
    test(name, async () => assertSuperseded(await olderAfter(older, newer)))
  }

  test('a oneOff by an overlapping oneOff', async () => {
    assertSuperseded(await olderAfter(hours(1, 3), hours(2, 4)))
    assertSuperseded(await olderAfter(hours(10, 20), hours(12, 13)))
  })

  test('a command that the device has acknowledged', async () => {
    device.answering = acknowledges
    const older = await site.accept(override(20))
    await site.until(older, 'DELIVERED')
    await site.accept(override(21))
    assertSuperseded(await site.command(older))
    await device.say(getId(older), 'confirmed')
    device.answering = confirms
    await site.confirmed(override(22))
    assertSuperseded(await site.command(older))
  })

  test('of many concurrent ones, one remains', async () => {
    device.answering = confirms
    await device.present('offline')
    const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => site.accept(override(15 + index))))
    await device.present('online')
    const states: unknown[] = []
    for (const command of sent) states.push((await site.command(command))['state'])
    const open = sent.filter((_, index) => states[index] !== 'CANCELLED')
    assert.equal(open.length, 1, states.join())
    const [last = {}] = open
    await site.until(last, 'CONFIRMED')
    assert.deepEqual(
      sent.filter((command) => device.about(getId(command)).length > 0),
      [last],
    )
  })
})

describe('commands of another slot and final commands are unaffected', () => {
  before(() => {
    device.answering = silent
  })

  test('weekly plans, overrides and oneOffs do not affect each other', async () => {
    const [weekly, once, held] = [
      await site.accept(plan()),
      await site.accept(hours(30, 31)),
      await site.accept(override(20)),
    ]
    for (const command of [weekly, once, held]) assertOpen(await site.command(command))
    await site.accept(resume)
    await site.accept(hours(40, 41))
    for (const command of [weekly, once]) assertOpen(await site.command(command))
  })

  test('adjacent oneOffs', async () => {
    const base = control.clock.now()
    const first = await site.accept(oneOff(base, [50 * 3600, 51 * 3600]))
    await site.accept(oneOff(base, [51 * 3600, 52 * 3600]))
    await site.accept(oneOff(base, [49 * 3600, 50 * 3600]))
    assertOpen(await site.command(first))
  })

  test('commands of another device', async () => {
    const other = await site.accept(override(55), site.house.cylinder)
    await site.accept(override(20))
    assertOpen(await site.command(other))
  })

  test('a command that is CONFIRMED', async () => {
    device.answering = confirms
    const done = await site.confirmed(override(20))
    await site.confirmed(override(21))
    assert.deepEqual(await site.command(done), done)
  })
})
