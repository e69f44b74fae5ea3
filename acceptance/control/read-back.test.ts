import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { period, plan } from '../support/fixtures/commands.ts'
import { acknowledges, confirms, rejects, silent } from '../support/control/device-behaviours.ts'
import { degrees, oneOff, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { assertHeld, type FollowedCommands, heldAt, type PlanSpan } from '../support/control/plan-oracle.ts'
import { asArray, asInstant, asObject, asString, type JsonObject } from '../support/json.ts'

const HOUR_MS = 3_600_000
// Midday on a Wednesday in winter.
const noon = Date.parse('2027-01-13T12:00:00Z')
const weekly = plan(
  period(['mon', 'tue', 'wed', 'thu', 'fri'], '06:00', '09:00', degrees(19)),
  period(['mon', 'tue', 'wed', 'thu', 'fri'], '17:00', '22:30', degrees(21)),
  period(['sat', 'sun'], '22:00', '06:00', degrees(18)),
)

/** The commands that the device currently follows, as tracked by the test. */
const followed: FollowedCommands = { zone: 'Europe/London' }

const control = await useControl({ at: noon })
const site = await control.addSite()
const device = await site.device()

const shown = (): Promise<JsonObject> => site.schedule()
const listPending = (schedule: JsonObject): string[] =>
  asArray(schedule['pending']).map((one) => asString(asObject(one)['commandUuid']))

/** Compares the schedule with the oracle now and at later times of the server's clock. */
async function assertFollowed(...hours: number[]): Promise<void> {
  const start = control.clock.now()
  for (const hour of [0, ...hours]) {
    control.clock.moveTo(start + hour * HOUR_MS)
    assertHeld(await shown(), followed, control.clock.now())
  }
}

function toPlanSpan(command: JsonObject, temperature: number, to: number | null): PlanSpan {
  const from = asInstant(command['createdAt'])
  return { source: asString(command['type']), target: degrees(temperature), from, to }
}

describe('GET /devices/{deviceuuid}/schedule', () => {
  test('of a device without commands: no plan, no target, no next change', async () => {
    const schedule = await shown()
    assert.deepEqual(Object.keys(schedule).toSorted(), [
      'deviceUuid',
      'next',
      'now',
      'pending',
      'plan',
      'timeZone',
    ])
    assert.deepEqual(
      [schedule['deviceUuid'], schedule['timeZone'], schedule['plan'], schedule['pending']],
      [site.house.trv, 'Europe/London', null, []],
    )
    assertHeld(schedule, followed, control.clock.now())
  })

  test('the plan is the last confirmed one; unconfirmed ones are pending', async () => {
    device.answering = silent
    const command = await site.accept(weekly)
    const before = await shown()
    assert.deepEqual([before['plan'], listPending(before)], [null, [getId(command)]])
    assertHeld(before, followed, control.clock.now())
    await device.gets(getId(command))
    await device.say(getId(command), 'delivered')
    await site.until(command, 'DELIVERED')
    assert.deepEqual((await shown())['plan'], null)
    await device.say(getId(command), 'confirmed')
    await site.until(command, 'CONFIRMED')
    followed.weekly = weekly
    const after = await shown()
    const { default: standard, periods } = asObject(after['plan'])
    assert.deepEqual([standard, periods], [weekly['default'], weekly['periods']])
    assert.deepEqual(listPending(after), [])
    assertHeld(after, followed, control.clock.now())
  })

  test('a plan that the device rejects, or that is cancelled, changes nothing', async () => {
    device.answering = rejects('no')
    const before = await shown()
    await site.until(await site.accept(plan()), 'FAILED', 'DEVICE_REJECTED')
    device.answering = acknowledges
    const command = await site.accept(plan())
    await site.until(command, 'DELIVERED')
    assert.deepEqual(listPending(await shown()), [getId(command)])
    await site.cancel(command)
    const { plan: unchangedPlan, pending } = await shown()
    assert.deepEqual([unchangedPlan, pending], [before['plan'], []])
  })

  test('a weekly plan through its week', async () => {
    await assertFollowed(4.9, 5.1, 10.4, 10.6, 17.9, 18.1, 48, 72, 76, 82.1, 91, 106, 115.1, 130)
  })

  test('a oneOff applies during its time only, over the plan', async () => {
    device.answering = confirms
    const now = control.clock.now()
    const body = oneOff(now, [3600, 3 * 3600], 23)
    await site.confirmed(body)
    const [from, to] = [Date.parse(asString(body['startsAt'])), Date.parse(asString(body['endsAt']))]
    followed.oneOffs = [{ source: 'oneOff', target: degrees(23), from, to }]
    await assertFollowed(0.9, 1.1, 2.9, 3.1)
  })

  test('an override until an instant', async () => {
    const to = control.clock.now() + 2 * HOUR_MS
    const { permanent: _, ...body } = override(24, { until: new Date(to).toISOString() })
    followed.override = toPlanSpan(await site.confirmed(body), 24, to)
    await assertFollowed(1.9, 2.1)
  })

  test('the duration of an override starts at its acceptance, however late the device confirms', async () => {
    device.answering = silent
    const { permanent: _, ...body } = override(23.5, { durationMinutes: 90 })
    const command = await site.accept(body)
    await device.gets(getId(command))
    control.clock.moveBy(0.5)
    await device.say(getId(command), 'confirmed')
    await site.until(command, 'CONFIRMED')
    followed.override = toPlanSpan(command, 23.5, asInstant(command['createdAt']) + 1.5 * HOUR_MS)
    device.answering = confirms
    await assertFollowed(0.9, 1.1)
  })

  test('an override until the next period', async () => {
    // At night, between periods: the next change is the start of a period.
    control.clock.moveTo(Date.parse('2027-02-02T02:00:00Z'))
    const { permanent: _, ...body } = override(22, { untilNextPeriod: true })
    delete followed.override
    const { next } = heldAt(followed, control.clock.now())
    const command = await site.confirmed(body)
    assert.equal(next?.at, Date.parse('2027-02-02T06:00:00Z'))
    followed.override = toPlanSpan(command, 22, next.at)
    await assertFollowed(3.9, 4.1)
  })

  test('a permanent override applies until a resume', async () => {
    followed.override = toPlanSpan(await site.confirmed(override(17)), 17, null)
    await assertFollowed(24, 24 * 30)
    await site.confirmed({ type: 'resume' })
    delete followed.override
    await assertFollowed(5, 12)
  })

  test('a boost uses the maximum that device and policy allow, unless it has a target', async () => {
    const boost = await site.confirmed({ type: 'boost', durationMinutes: 60 })
    followed.override = toPlanSpan(boost, 25, asInstant(boost['createdAt']) + HOUR_MS)
    await assertFollowed(0.9, 1.1)
    const boosted = await site.confirmed({ type: 'boost', durationMinutes: 30, target: degrees(22.5) })
    followed.override = toPlanSpan(boosted, 22.5, asInstant(boosted['createdAt']) + HOUR_MS / 2)
    await assertFollowed(0.4, 0.6)
  })

  test('a new plan replaces the old one, and a plan without periods has no next change', async () => {
    await site.confirmed(plan())
    followed.weekly = plan()
    await assertFollowed(12)
    assert.equal((await shown())['next'], null)
  })

  test('the schedule survives a restart', async () => {
    await site.confirmed(weekly)
    followed.weekly = weekly
    followed.override = toPlanSpan(await site.confirmed(override(20.5)), 20.5, null)
    const before = await shown()
    await control.restart({ at: control.clock.now() })
    assert.deepEqual(await shown(), before)
    await site.confirmed({ type: 'resume' })
    delete followed.override
    await assertFollowed(3)
  })
})
