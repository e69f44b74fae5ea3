import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wrongCommands } from '../support/fixtures/commands.ts'
import { override } from '../support/control/bodies.ts'
import { startControl, useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'

/** The beginning of an hour, so that a whole test falls into one limit window. */
const hour = Date.parse('2027-01-13T12:01:00Z')
const MINUTE_MS = 60_000

const control = await useControl({
  at: hour,
  env: { RATE_LIMIT: 'on', RATE_LIMIT_PER_MINUTE: '10000', RATE_LIMIT_PER_5_MINUTES: '50000' },
})
const site = await control.addSite()
const device = await site.device()

function assertLimited(answer: Answer, longestSeconds: number): void {
  const { type } = assertProblem(control.portico, answer, 429)
  assert.equal(type, `${control.portico.url}/errors/rate-limited`)
  const retryAfter = answer.headers.get('retry-after') ?? ''
  assert.match(retryAfter, /^[1-9]\d*$/)
  assert.ok(Number(retryAfter) <= longestSeconds, retryAfter)
}

describe('commands of a device', () => {
  test('5 a minute, then 429 with Retry-After, and no rejected command reaches the device', async () => {
    control.clock.moveTo(hour)
    for (let count = 0; count < 5; count += 1) await site.accept(override(20))
    for (let count = 0; count < 3; count += 1) assertLimited(await site.send(override(21)), 120)
    control.clock.moveTo(hour + 2 * MINUTE_MS)
    const command = await site.confirmed(override(22))
    const targets = device.ledger.map(({ payload }) => JSON.stringify(payload['schedule']))
    assert.ok(targets.every((text) => !/"temperature":21\b/.test(text)))
    assert.ok(device.applied.includes(getId(command)))
  })

  test('60 an hour, then 429 even if the minute has capacity; later there is capacity again', async () => {
    // 6 were sent above.
    let sent = 6
    for (let minute = 4; sent < 60; minute += 2) {
      control.clock.moveTo(hour + minute * MINUTE_MS)
      for (let count = 0; count < 4 && sent < 60; count += 1) {
        await site.accept(override(20))
        sent += 1
      }
    }
    control.clock.moveTo(control.clock.now() + 2 * MINUTE_MS)
    assertLimited(await site.send(override(20)), 7200)
    assert.equal((await site.send(override(55), site.house.cylinder)).status, 202)
    control.clock.moveTo(hour + 180 * MINUTE_MS)
    await site.accept(override(20))
  })

  test('RATE_LIMIT=off disables both', async () => {
    const free = await startControl()
    const freeSite = await free.addSite()
    for (let count = 0; count < 70; count += 1) await freeSite.accept(override(20))
    await free.remove()
  })
})

describe('the size of a command', () => {
  test('43 periods are 400', async () => {
    const [, body] = wrongCommands.find(([name]) => name === '43 periods') ?? []
    assertProblem(control.portico, await site.send(body), 400)
  })

  test('a body larger than 64 KiB is 413', async () => {
    const body = override(20, { clientReference: 'x'.repeat(65_536) })
    assertProblem(control.portico, await site.send(body), 413)
  })
})
