import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { at, goodCommands, hour, period, plan } from '../support/fixtures/commands.ts'
import { device, makeSmallSite, scheduleTypes } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asArray, asInstant, asObject, asString, asUuid, type JsonObject } from '../support/json.ts'
import { parseCsv } from '../support/oracles/csv.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import { commandFields } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico } = installation

const house = makeSmallSite()
const [narrow, coarse] = [randomUUID(), randomUUID()]
const setpoint = { min: 10, max: 20, step: 1, unit: 'degC' }
house.document.devices.push(
  device(narrow, 'trv', house.studio, {
    capabilities: { schedule: { types: scheduleTypes }, setpoint, boost: { maxMinutes: 60 } },
  }),
  device(coarse, 'thermostat', house.studio, {
    capabilities: { schedule: { types: scheduleTypes, minuteStep: 15, maxPeriodsPerDay: 2 }, setpoint },
  }),
)
await applyInventory(installation, house.document)
const strict = makeSmallSite({ policy: { heating: { min: 12, max: 21.5 } } })
await applyInventory(installation, strict.document)
const client = await addClient(installation, [house.siteUuid, strict.siteUuid])

const send = (body: unknown, deviceUuid = house.trv): Promise<Answer> =>
  client.post(`/devices/${deviceUuid}/schedule`, body)

async function accepted(body: JsonObject, deviceUuid = house.trv): Promise<JsonObject> {
  const answer = await send(body, deviceUuid)
  assert.equal(answer.status, 202, `${JSON.stringify(body)}: ${answer.text}`)
  return answer.json
}

async function refused(body: unknown, deviceUuid = house.trv): Promise<string> {
  const answer = await send(body, deviceUuid)
  const { errors } = assertProblem(portico, answer, 400)
  assert.ok(typeof body !== 'object' || asArray(errors).length > 0, answer.text)
  return answer.text
}

describe('202', () => {
  for (const [name, body] of Object.entries(goodCommands)) {
    test(`${name} is stored, returned with Location, and found there`, async () => {
      const answer = await send(body)
      assert.equal(answer.status, 202, answer.text)
      const command = answer.json
      assert.deepEqual(Object.keys(command).toSorted(), commandFields.toSorted())
      asUuid(command['commandUuid'])
      assert.deepEqual([command['deviceUuid'], command['type']], [house.trv, body['type']])
      assert.match(asString(command['state']), /^(PENDING|SENT)$/)
      const created = asInstant(command['createdAt'])
      assert.ok(asInstant(command['updatedAt']) >= created)
      assert.ok(asInstant(command['expiresAt']) <= created + 24 * 3_600_000)
      assert.deepEqual([command['completedAt'], command['failureReason']], [null, null])
      assert.equal(command['clientReference'], body['clientReference'] ?? null)
      asObject(command['schedule'])
      const location = new URL(asString(answer.headers.get('location')), portico.url)
      const path = `/devices/${house.trv}/commands/${asString(command['commandUuid'])}`
      assert.equal(location.href, `${portico.baseUrl}${path}`)
      const found = await client.get(path)
      for (const field of ['commandUuid', 'deviceUuid', 'type', 'createdAt', 'clientReference', 'schedule']) {
        assert.deepEqual(found[field], command[field], field)
      }
    })
  }

  test('the commands of a device are listed, in pages and as a whole', async () => {
    const path = `/devices/${house.cylinder}/commands`
    assert.deepEqual(await client.list(path), [])
    const made = new Set<unknown>()
    // More than a page of other lists, since without limit the list is whole.
    for (let index = 0; index < 105; index++)
      made.add((await accepted({ type: 'resume' }, house.cylinder))['commandUuid'])
    const all = await client.list(path)
    assert.deepEqual(new Set(all.map((command) => command['commandUuid'])), made)
    for (const command of all) assert.deepEqual(Object.keys(command).toSorted(), commandFields.toSorted())
    const paged: JsonObject[] = []
    for (let cursor: unknown = ''; cursor !== null; ) {
      const page = await client.send(`${path}?limit=30${cursor === '' ? '' : `&cursor=${asString(cursor)}`}`)
      paged.push(...asArray(page.json['data']).map(asObject))
      cursor = asObject(page.json['pagination'])['nextCursor']
      const next =
        cursor === null ? null : `<${portico.baseUrl}${path}?limit=30&cursor=${asString(cursor)}>; rel="next"`
      assert.equal(page.headers.get('link'), next)
    }
    assert.deepEqual(paged, all)
    const csv = await client.send(path, { headers: { accept: 'text/csv' } })
    assert.deepEqual(
      parseCsv(csv.text).map(({ commandUuid }) => commandUuid),
      all.map(({ commandUuid }) => commandUuid),
    )
  })
})

test('untilNextPeriod needs a weekly schedule, confirmed or on its way', async () => {
  const body = { type: 'override', target: { temperature: 15 }, untilNextPeriod: true }
  assertFieldRefused(portico, await send(body, coarse), 'untilNextPeriod')
  await accepted({ type: 'override', target: { temperature: 15 }, permanent: true }, coarse)
  assertFieldRefused(portico, await send(body, coarse), 'untilNextPeriod')
  await accepted(plan(period(['mon'], '08:00', '10:00')), coarse)
  await accepted(body, coarse)
})

test('expiresAt is at most 24 hours ahead', async () => {
  assertFieldRefused(portico, await send({ type: 'resume', expiresAt: at(24.01) }), 'expiresAt')
  const expiresAt = at(23.9)
  const command = await accepted({ type: 'resume', expiresAt })
  assert.equal(asInstant(command['expiresAt']), Date.parse(expiresAt))
})

describe('a value out of bounds is 400 naming the bounds, never clamped', () => {
  const rows: [name: string, deviceUuid: string, siteUuid: string, min: number, max: number, step: number][] =
    [
      ['the policy for heating', house.trv, house.siteUuid, 7, 25, 0.5],
      ['a device with bounds of its own', narrow, house.siteUuid, 10, 20, 1],
      ['the policy for hot water', house.cylinder, house.siteUuid, 50, 60, 1],
      ['a policy of the site', strict.trv, strict.siteUuid, 12, 21.5, 0.5],
    ]
  for (const [name, deviceUuid, SiteId, min, max, step] of rows) {
    test(`${name}: ${min} to ${max} in steps of ${step}`, async () => {
      const post = (temperature: number, more: JsonObject = {}): Promise<Answer> => {
        const body = { type: 'override', permanent: true, target: { temperature }, ...more }
        return client.post(`/devices/${deviceUuid}/schedule`, body, { SiteId })
      }
      for (const temperature of [min, max, min + step]) assert.equal((await post(temperature)).status, 202)
      for (const temperature of [min - step, max + step, -1e9, 1e9, 0]) {
        const answer = await post(temperature)
        assertFieldRefused(portico, answer, 'target')
        const text = JSON.stringify([answer.json['detail'], answer.json['errors']])
        assert.match(text, new RegExp(`\\b${min}\\b`))
        assert.match(text, new RegExp(`\\b${max}\\b`))
      }
      assertFieldRefused(portico, await post(min + step / 2), 'target')
      assertFieldRefused(portico, await post(min + step * 0.99), 'target')
    })
  }

  test('in every position that can have a target', async () => {
    const hot = { temperature: 30 }
    await refused({ ...plan(), default: hot })
    await refused(plan(period(['mon'], '06:00', '09:00'), period(['tue'], '06:00', '09:00', hot)))
    await refused({ type: 'oneOff', startsAt: at(1), endsAt: at(2), target: hot })
    await refused({ type: 'boost', durationMinutes: 30, target: hot })
  })

  test('a device limits its boosts, its time step and its periods a day', async () => {
    await accepted({ type: 'boost', durationMinutes: 60 }, narrow)
    assert.match(await refused({ type: 'boost', durationMinutes: 61 }, narrow), /\b60\b/)
    await accepted(plan(period(['mon'], '06:15', '09:30'), period(['mon'], '10:00', '11:00')), coarse)
    await refused(plan(period(['mon'], '06:10', '09:30')), coarse)
    await refused(plan(...[6, 8, 10].map((from) => period(['mon'], hour(from), hour(from + 1)))), coarse)
  })
})
