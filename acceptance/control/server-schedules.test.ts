import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { period, plan } from '../support/fixtures/commands.ts'
import { degrees, oneOff, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import type { RecordedMessage } from '../support/control/recording-device.ts'
import { eventually } from '../support/eventually.ts'
import { device as deviceOf, makeSmallSite, scheduleTypes } from '../support/fixtures/small-site.ts'
import { asInstant, asObject, asUuid } from '../support/json.ts'

const house = makeSmallSite()
const heater = randomUUID()
house.document.devices.push(
  deviceOf(heater, 'heater', house.studio, {
    capabilities: {
      schedule: { types: scheduleTypes, execution: 'server', minuteStep: 1, maxPeriodsPerDay: 10 },
      setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' },
    },
  }),
)
/** A Wednesday in winter: London is at UTC. */
const at = (time: string): number => Date.parse(`2027-01-13T${time}Z`)
const weekly = plan(
  period(['wed'], '13:00', '14:00', degrees(17)),
  period(['wed'], '14:00', '15:00', degrees(18)),
  period(['wed'], '15:00', '16:00', degrees(19)),
  period(['wed'], '18:00', '19:00', degrees(20)),
)

/** Every target that must be sent to the device, in order. */
const expected: number[] = []

const control = await useControl({ at: at('12:00:00') })
const site = await control.addSite(house)
const device = await site.device(undefined, { deviceUuid: heater })

function getTemperature({ payload }: RecordedMessage): unknown {
  const target = asObject(payload['schedule'] ?? payload)['target'] ?? payload['target']
  return asObject(target)['temperature']
}

/** The targets that the device applied: each command id once, regardless of redelivery. */
const sentTemperatures = (): unknown[] =>
  device.applied.map((commandUuid) => {
    const [first] = device.about(commandUuid)
    return first && getTemperature(first)
  })

async function assertSent(...more: number[]): Promise<void> {
  expected.push(...more)
  await eventually(async () => assert.deepEqual(sentTemperatures(), expected))
  const { now } = await site.schedule(heater)
  assert.deepEqual(asObject(now)['target'], degrees(expected.at(-1) ?? 0))
}

async function restart(time: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await control.end(signal)
  control.clock.moveTo(at(time))
  await control.start()
}

describe('a plan that the server runs', () => {
  test('starts with the current target, in a message of its own kind', async () => {
    await site.confirmed(weekly, heater)
    await assertSent(16)
    for (const { type, payload, qos, isRetained } of device.ledger) {
      assert.deepEqual([type, qos, isRetained], ['target', 1, false])
      asUuid(payload['commandUuid'])
      assert.ok(asInstant(payload['expiresAt']) > asInstant(payload['issuedAt']))
    }
  })

  test('sends the target of each change', async () => {
    await restart('12:59:52', 'SIGTERM')
    await assertSent(17)
  })

  test('sends the target of a oneOff when it begins, and that of the plan when it ends', async () => {
    await site.confirmed(oneOff(control.clock.now(), [60, 120], 21), heater)
    control.clock.moveBy(60 / 3600)
    await assertSent(21)
    control.clock.moveBy(60 / 3600)
    await assertSent(17)
  })

  test('sends the target of an override immediately, and that of the plan when it ends or is dropped', async () => {
    const { permanent: _, ...short } = override(22)
    const until = new Date(control.clock.now() + 60_000).toISOString()
    await site.confirmed({ ...short, until }, heater)
    await assertSent(22)
    control.clock.moveBy(60 / 3600)
    await assertSent(17)
    await site.confirmed(override(23), heater)
    await assertSent(23)
    await site.confirmed({ type: 'resume' }, heater)
    await assertSent(17)
  })

  test('a restart between changes sends nothing again; after missed changes it sends the current target', async () => {
    await restart('13:30:00', 'SIGKILL')
    await restart('13:40:00', 'SIGTERM')
    await restart('15:30:00', 'SIGKILL')
    await assertSent(19)
    await restart('16:30:00', 'SIGTERM')
    await assertSent(16)
  })

  test('a device that was offline at a change receives the current target, not the missed ones', async () => {
    await device.vanish()
    await site.accept(oneOff(control.clock.now(), [60, 120], 24), heater)
    const isOver = control.clock.now() + 120_000
    control.clock.moveBy(90 / 3600)
    // The server looks for changes every second.
    await sleep(2_000)
    control.clock.moveBy(60 / 3600)
    await eventually(async () => {
      const { now, next } = await site.schedule(heater)
      assert.notDeepEqual(asObject(now)['target'], degrees(24))
      assert.notDeepEqual(asObject(next)['target'], degrees(24))
      assert.ok(control.clock.now() > isOver)
    })
    await device.comeBack()
    await restart('18:30:00', 'SIGTERM')
    await eventually(async () => assert.equal(sentTemperatures().at(-1), 20))
    assert.ok(!sentTemperatures().includes(24), sentTemperatures().join())
  })

  test('the device receives only targets', () => {
    assert.deepEqual([...new Set(device.ledger.map(({ type }) => type))], ['target'])
  })
})
