import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { addClient } from '../support/servers/installation.ts'
import { changePartner } from '../support/clients/operator.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'

const control = await useControl()
const site = await control.addSite()
const other = await control.addSite()
const device = await site.device()

const send = (key: string, body: unknown = override(20)): Promise<Answer> =>
  site.send(body, site.house.trv, { 'Idempotency-Key': key })

const isReplay = (answer: Answer): boolean => answer.headers.get('idempotency-replayed') === 'true'

function assertReplayed(answer: Answer, first: Answer): void {
  assert.equal(answer.status, 202, answer.text)
  assert.ok(isReplay(answer), 'Idempotency-Replayed is not true')
  assert.deepEqual(answer.json, first.json)
  assert.equal(answer.headers.get('location'), first.headers.get('location'))
}

describe('the same key and body', () => {
  test('returns the first response, marked as a replay, however often and in whatever state the command is', async () => {
    const key = randomUUID()
    const first = await send(key)
    assert.equal(first.status, 202, first.text)
    assert.equal(isReplay(first), false)
    assertReplayed(await send(key), first)
    await site.until(first.json, 'CONFIRMED')
    assertReplayed(await send(key), first)
    await site.confirmed(plan())
    assert.equal(device.applied.length, 2)
  })

  test('also after a restart, and after a kill immediately after the response', async () => {
    const key = randomUUID()
    const first = await send(key, override(21))
    await control.end('SIGKILL')
    await control.start()
    assertReplayed(await send(key, override(21)), first)
    await control.restart()
    assertReplayed(await send(key, override(21)), first)
    await site.until(first.json, 'CONFIRMED')
    const listed = await (await site.client()).list(`/devices/${site.house.trv}/commands`)
    assert.equal(listed.filter(({ commandUuid }) => commandUuid === getId(first.json)).length, 1)
  })

  test('concurrently creates one command; the other requests return it, or 409', async () => {
    const key = randomUUID()
    const count = device.applied.length
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(key, override(22))))
    const taken = answers.filter(({ status }) => status === 202)
    for (const answer of answers) if (answer.status !== 202) assertProblem(control.portico, answer, 409)
    const [first = {}, ...more] = [...new Set(taken.map(({ json }) => getId(json)))].map((commandUuid) => ({
      commandUuid,
      deviceUuid: site.house.trv,
    }))
    assert.deepEqual(more, [])
    assert.equal(taken.filter((answer) => !isReplay(answer)).length, 1)
    await site.until(first, 'CONFIRMED')
    assert.equal(device.applied.length, count + 1)
  })
})

describe('the same key', () => {
  test('with a different body is 422, and nothing is sent', async () => {
    const key = randomUUID()
    const first = await send(key)
    const listed = (await (await site.client()).list(`/devices/${site.house.trv}/commands`)).length
    assertProblem(control.portico, await send(key, override(24)), 422)
    assertProblem(control.portico, await send(key, { type: 'resume' }), 422)
    assertReplayed(await send(key), first)
    assert.equal((await (await site.client()).list(`/devices/${site.house.trv}/commands`)).length, listed)
  })

  test('of another partner is independent', async () => {
    const key = randomUUID()
    const first = await send(key)
    const second = await addClient(control.installation, [site.house.siteUuid])
    const path = `/devices/${site.house.trv}/schedule`
    const answer = await second.post(path, { type: 'resume' }, { 'Idempotency-Key': key })
    assert.equal(answer.status, 202, answer.text)
    assert.equal(isReplay(answer), false)
    assert.notEqual(getId(answer.json), getId(first.json))
  })

  test('on another site is independent', async () => {
    const { portico, installation } = control
    const sites = [site.house.siteUuid, other.house.siteUuid]
    await changePartner(portico, installation.operator, site.partner.partnerUuid, { sites })
    const key = randomUUID()
    await send(key)
    const client = await site.client()
    const headers = { 'Idempotency-Key': key, SiteId: other.house.siteUuid }
    const answer = await client.post(`/devices/${other.house.trv}/schedule`, { type: 'resume' }, headers)
    assert.equal(answer.status, 202, answer.text)
    assert.equal(isReplay(answer), false)
  })
})

describe('a key', () => {
  test('of up to 255 characters is accepted', async () => {
    for (const key of ['k', 'order 7/2026: "x"', 'k'.repeat(255)]) {
      const first = await send(key)
      assert.equal(first.status, 202, first.text)
      assertReplayed(await send(key), first)
    }
  })

  test('of 256 characters, or an empty one, is 400', async () => {
    for (const key of ['k'.repeat(256), '']) assertProblem(control.portico, await send(key), 400)
  })

  test('is optional: without one, the same command twice is two commands', async () => {
    const [one, two] = [await site.send(override(20)), await site.send(override(20))]
    assert.notEqual(getId(one.json), getId(two.json))
    assert.equal(isReplay(two), false)
  })

  test('can be reused after 24 hours', async () => {
    const key = randomUUID()
    const first = await send(key)
    control.clock.moveBy(23.9)
    assertReplayed(await send(key), first)
    control.clock.moveBy(0.2)
    const again = await send(key, override(23))
    assert.equal(again.status, 202, again.text)
    assert.equal(isReplay(again), false)
    assert.notEqual(getId(again.json), getId(first.json))
  })
})
