import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { changed, device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { sendRequest } from '../support/clients/raw-http.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { deviceTypes, spaceTypes } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico, operator } = installation

const put = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api(portico, '/operator/inventory', { method: 'PUT', token: operator, body, headers })
const { document, ...house } = makeSmallSite({ legacyId: 1 })

/** The paths named in the response, all in the form `spaces.0.spaceType`. */
function namedIn(answer: Answer): string[] {
  const { errors } = assertProblem(portico, answer, 400)
  return asArray(errors).map((error) =>
    asString(asObject(error)['field']).split(/\W+/).filter(Boolean).join('.'),
  )
}

async function assertRefused(body: unknown, path: string): Promise<Answer> {
  const answer = await put(body)
  const named = namedIn(answer)
  assert.ok(named.includes(path), `${path} is not among ${named.join(' ')}: ${answer.text}`)
  return answer
}

describe('400 naming the path of a missing field', () => {
  const required = [
    'site',
    'site.siteUuid',
    'site.siteName',
    'site.timeZone',
    'buildings.0.buildingUuid',
    'buildings.0.buildingName',
    'spaces.1.spaceUuid',
    'spaces.1.spaceName',
    'spaces.1.spaceType',
    'spaces.1.buildingUuid',
    'devices.2.deviceUuid',
    'devices.2.deviceName',
    'devices.2.deviceType',
    'devices.2.spaceUuid',
    'devices.0.metrics.electricity.kind',
  ]
  for (const path of required) {
    test(path, async () => {
      await assertRefused(changed(document, path, undefined), path)
    })
  }
})

describe('400 naming the path of an invalid field', () => {
  const wrong: [path: string, values: unknown[]][] = [
    ['site.siteUuid', ['x', '', 7, null, randomUUID().slice(1)]],
    ['site.siteName', ['', 7, null, {}]],
    ['site.timeZone', ['Mars/Olympus', '', 'london', 'T12:34:56[UTC]', '+01:00', 'UTC ', 7, null]],
    ['site.legacyId', [0, -1, 2_147_483_648, 1.5, '7', true]],
    ['site.latitude', [91, -91, '51']],
    ['site.longitude', [181, -181, '0']],
    ['site.sandbox', ['yes', 1]],
    ['site.colour', ['blue']],
    ['buildings', [{}, 'x', null]],
    ['buildings.0.buildingUuid', ['x', 1]],
    ['buildings.0.colour', ['blue']],
    ['spaces.0.spaceType', ['castle', 'Bedroom', '', 7]],
    ['spaces.0.spaceName', ['', 7]],
    ['spaces.0.buildingUuid', [randomUUID(), 'x', house.siteUuid]],
    ['spaces.0.floorNumber', ['1', 1.5]],
    ['spaces.0.areaM2', ['12', -1]],
    ['spaces.0.capacity', ['1', -1, 0.5]],
    ['spaces.0.clusterUuid', ['x', 7]],
    ['spaces.0.legacyId', [0, 2_147_483_648, '345']],
    ['spaces.0.colour', ['blue']],
    ['devices.0.deviceType', ['kettle', 'TRV', '', null]],
    ['devices.0.spaceUuid', [randomUUID(), 'x', house.buildingUuid]],
    ['devices.0.colour', ['blue']],
    ['devices.0.metrics.nonsense', [{ kind: 'gauge' }]],
    ['devices.0.metrics.performance', [{ kind: 'gauge' }]],
    ['devices.0.metrics.electricity.kind', ['counter', '', 7]],
    ['devices.0.metrics.electricity.registerSize', [0, -1, '1000']],
    ['devices.0.metrics.electricity.maxPerHour', [0, -1, '9']],
    ['devices.0.metrics.electricity.maxGapMinutes', [60, 0, '60']],
    ['devices.0.metrics.electricity.of', ['air', 'soil']],
    ['devices.0.metrics.electricity.stamp', ['end', 'middle']],
    ['devices.0.metrics.electricity.stepMinutes', [30, 0, 1.5, 1441]],
    ['devices.0.metrics.electricity.colour', ['blue']],
    ['devices.3.capabilities.colour', ['blue']],
    ['devices.3.capabilities.schedule.types', ['weekly', 7]],
    ['devices.3.capabilities.schedule.types.0', ['daily', 7]],
    ['devices.3.capabilities.setpoint.step', [0, -1, '0.5']],
    ['devices.3.capabilities.setpoint.min', ['5', null]],
    ['devices.0.installedAt', ['yesterday', 7, '2026-02-30T00:00:00Z']],
    ['devices.0.since', ['yesterday', 7, new Date(Date.now() + 86_400_000).toISOString()]],
    ['devices.0.gatewayUuid', ['x', 7]],
    ['devices.0.submeterOf', ['x', 7, randomUUID(), house.meter]],
    ['colour', ['blue']],
  ]
  for (const [path, values] of wrong) {
    test(path, async () => {
      for (const value of values) await assertRefused(changed(document, path, value), path)
    })
  }

  test('inverted bounds', async () => {
    const setpoint = { min: 30, max: 5, step: 0.5, unit: 'degC' }
    namedIn(await put(changed(document, 'devices.3.capabilities.setpoint', setpoint)))
    namedIn(await put(changed(document, 'site.policy', { heating: { min: 25, max: 7 } })))
  })

  test('an unknown enum value is answered with the allowed ones', async () => {
    const spaceType = await assertRefused(
      changed(document, 'spaces.0.spaceType', 'castle'),
      'spaces.0.spaceType',
    )
    for (const name of spaceTypes) assert.ok(spaceType.text.includes(name), name)
    const deviceType = await assertRefused(
      changed(document, 'devices.0.deviceType', 'kettle'),
      'devices.0.deviceType',
    )
    for (const name of deviceTypes) assert.ok(deviceType.text.includes(name), name)
  })

  test('the same identifier twice in a document', async () => {
    await assertRefused(changed(document, 'devices.1.deviceUuid', house.meter), 'devices.1.deviceUuid')
    await assertRefused(changed(document, 'spaces.1.spaceUuid', house.bedroom), 'spaces.1.spaceUuid')
    const twice = changed(document, 'spaces.0.legacyId', 5_001) as unknown as typeof document
    await assertRefused(changed(twice, 'spaces.1.legacyId', 5_001), 'spaces.1.legacyId')
  })

  test('sub-meters in a circle', async () => {
    const second = changed(document, 'devices.1.submeterOf', house.meter) as unknown as typeof document
    const circle = changed(second, 'devices.0.submeterOf', house.secondMeter)
    assert.deepEqual(namedIn(await put(circle)), ['devices.0.submeterOf', 'devices.1.submeterOf'])
  })

  test('a chain of more than ten meters above a sub-meter, however long', async () => {
    const chain = (length: number) => {
      const uuids = Array.from({ length }, () => randomUUID())
      const meters = uuids.map((uuid, index) =>
        device(uuid, 'electricityMeter', house.studio, index === 0 ? {} : { submeterOf: uuids[index - 1] }),
      )
      return { ...document, devices: [...document.devices, ...meters] }
    }
    const first = document.devices.length
    assert.deepEqual(namedIn(await put(chain(13))), [
      `devices.${first + 11}.submeterOf`,
      `devices.${first + 12}.submeterOf`,
    ])
    assert.equal(namedIn(await put(chain(20_000))).length, 100)
  })

  test('several errors, each named', async () => {
    const first = changed(document, 'spaces.0.spaceType', 'castle') as unknown as typeof document
    const named = namedIn(await put(changed(first, 'devices.0.deviceType', 'kettle')))
    assert.ok(named.includes('spaces.0.spaceType') && named.includes('devices.0.deviceType'), named.join(' '))
  })
})

describe('a body that is not an inventory', () => {
  for (const body of [
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '1',
    '{"site":',
    '{}{}',
    '{"__proto__":{}}',
    '['.repeat(1_000),
  ]) {
    test(`${JSON.stringify(body.slice(0, 20))}: 400`, async () => {
      assertProblem(portico, await put(body), 400)
    })
  }

  test('any other JSON as the body or as part of it: 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        assertProblem(portico, await put(JSON.stringify(value)), 400)
        for (const path of ['site', 'spaces.0', 'devices.0', 'devices.0.metrics.electricity']) {
          assertProblem(portico, await put(changed(document, path, value)), 400)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('another content type: 415', async () => {
    for (const type of ['text/plain', 'text/csv', 'application/x-www-form-urlencoded']) {
      assertProblem(portico, await put(JSON.stringify(document), { 'content-type': type }), 415)
    }
  })

  test('above 32 MiB: 413 because of its length alone; below it is read', async () => {
    const answer = await sendRequest(portico, {
      method: 'PUT',
      path: '/operator/inventory',
      headers: [
        ['Authorization', `Bearer ${operator}`],
        ['Content-Type', 'application/json'],
        ['Content-Length', String(33 * 1_048_576)],
      ],
      body: '{"site":',
    })
    assert.equal(answer.status, 413, answer.body)
    assert.match(answer.header('content-type') ?? '', /^application\/problem\+json\b/)
    assertProblem(portico, await put(`{"site":"${'x'.repeat(31 * 1_048_576)}"}`), 400)
  })

  test('an unknown query parameter: 400', async () => {
    const path = '/operator/inventory?dryRun=1'
    const body = makeSmallSite().document
    assertProblem(portico, await api(portico, path, { method: 'PUT', token: operator, body }), 400)
  })
})

test('nothing of this is stored', async () => {
  const answer = await api(portico, `/operator/inventory/${house.siteUuid}`, { token: operator })
  assertProblem(portico, answer, 404)
})

describe('409: identifiers are unique in an installation', () => {
  test('of a building, a space and a device of another site', async () => {
    const settled = makeSmallSite()
    await applyInventory(installation, settled.document)
    const other = makeSmallSite()
    await applyInventory(installation, other.document)
    const before = await api(portico, `/operator/inventory/${other.siteUuid}`, { token: operator })
    const stolen: [path: string, id: string][] = [
      ['devices.0.deviceUuid', settled.meter],
      ['devices.0.deviceUuid', settled.trv],
      ['spaces.3.spaceUuid', settled.bedroom],
    ]
    for (const [path, id] of stolen) assertProblem(portico, await put(changed(other.document, path, id)), 409)
    const text = JSON.stringify(other.document).replaceAll(other.buildingUuid, settled.buildingUuid)
    assertProblem(portico, await put(text), 409)
    const after409 = await api(portico, `/operator/inventory/${other.siteUuid}`, { token: operator })
    assert.equal(after409.text, before.text, 'a refused document changes nothing')
  })

  test('an identifier of an archived record still belongs to its site', async () => {
    const settled = makeSmallSite()
    await applyInventory(installation, settled.document)
    await applyInventory(installation, { ...settled.document, devices: [] })
    const other = makeSmallSite()
    assertProblem(portico, await put(changed(other.document, 'devices.0.deviceUuid', settled.meter)), 409)
  })

  test('a legacyId of another site, for sites, buildings and spaces', async () => {
    const settled = makeSmallSite({ legacyId: 880_001 })
    Object.assign(settled.document.buildings[0] ?? {}, { legacyId: 880_002 })
    Object.assign(settled.document.spaces[0] ?? {}, { legacyId: 880_003 })
    await applyInventory(installation, settled.document)
    for (const [path, legacyId] of [
      ['site.legacyId', 880_001],
      ['buildings.0.legacyId', 880_002],
      ['spaces.0.legacyId', 880_003],
    ] as const) {
      assertProblem(portico, await put(changed(makeSmallSite().document, path, legacyId)), 409)
    }
  })
})
