import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import type { RecordingDevice } from '../support/control/recording-device.ts'
import { device, makeSmallSite, scheduleTypes } from '../support/fixtures/small-site.ts'
import { applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'

/** Devices of every kind that a policy or a capability distinguishes. */
const ids = {
  airConditioner: randomUUID(),
  withoutModes: randomUUID(),
  coolsOnly: randomUUID(),
  plug: randomUUID(),
  fan: randomUUID(),
}
const schedule = { types: scheduleTypes }
const setpoint = { min: 16, max: 32, step: 0.5, unit: 'degC' }
const kinds: [id: string, deviceType: string, capabilities: JsonObject][] = [
  [
    ids.airConditioner,
    'airConditioner',
    { schedule, setpoint, power: true, modes: ['heat', 'cool', 'auto', 'off'] },
  ],
  [ids.withoutModes, 'airConditioner', { schedule, setpoint }],
  [ids.coolsOnly, 'airConditioner', { schedule, setpoint, modes: ['cool', 'fan'] }],
  [ids.plug, 'smartPlug', { schedule, power: true }],
  [ids.fan, 'airConditioner', { schedule, modes: ['fan', 'off'] }],
]
const withKinds = (policy: JsonObject = {}) => {
  const house = makeSmallSite({ policy })
  for (const [id, deviceType, capabilities] of kinds)
    house.document.devices.push(device(id, deviceType, house.studio, { capabilities }))
  return house
}

const control = await useControl()
const site = await control.addSite(withKinds())
const { trv, cylinder, meter } = site.house

const override = (target: JsonObject): JsonObject => ({ type: 'override', permanent: true, target })

const accepts = async (deviceUuid: string, ...targets: JsonObject[]): Promise<void> => {
  for (const target of targets) await site.accept(override(target), deviceUuid)
}

const refuses = async (deviceUuid: string, field: string, target: JsonObject, says = /./): Promise<void> => {
  const answer = await site.send(override(target), deviceUuid)
  const { errors } = assertProblem(control.portico, answer, 400)
  const [error] = asArray(errors).map(asObject)
  assert.equal(error?.['field'], `target.${field}`, answer.text)
  assert.match(asString(error['message']), says)
}

describe('the policy of the site', () => {
  test('binds an air conditioner by its mode, and by the outer limits without one or in auto', async () => {
    const { airConditioner } = ids
    await accepts(airConditioner, { mode: 'heat', temperature: 16 }, { mode: 'heat', temperature: 25 })
    await refuses(airConditioner, 'temperature', { mode: 'heat', temperature: 25.5 }, /from 16 to 25 degC/)
    await accepts(airConditioner, { mode: 'cool', temperature: 18 }, { mode: 'cool', temperature: 30 })
    await refuses(airConditioner, 'temperature', { mode: 'cool', temperature: 17.5 }, /from 18 to 30 degC/)
    await refuses(airConditioner, 'temperature', { mode: 'cool', temperature: 30.5 }, /from 18 to 30 degC/)
    for (const mode of [{ mode: 'auto' }, {}]) {
      await accepts(airConditioner, { ...mode, temperature: 16 }, { ...mode, temperature: 30 })
      await refuses(airConditioner, 'temperature', { ...mode, temperature: 30.5 }, /from 16 to 30 degC/)
    }
    await accepts(ids.withoutModes, { temperature: 30 })
  })

  test('does not let a radiator valve heat to the limits of cooling', async () => {
    await refuses(trv, 'temperature', { temperature: 28 }, /from 7 to 25 degC/)
  })

  test('can set each kind, and an inverted one is 400', async () => {
    const strict = makeSmallSite({ policy: { cooling: { min: 22, max: 26 } } })
    const cooler = randomUUID()
    strict.document.devices.push(
      device(cooler, 'airConditioner', strict.studio, {
        capabilities: { schedule, setpoint, modes: ['cool'] },
      }),
    )
    const other = await control.addSite(strict)
    await other.accept(override({ mode: 'cool', temperature: 22 }), cooler)
    const answer = await other.send(override({ mode: 'cool', temperature: 21.5 }), cooler)
    assertFieldRefused(control.portico, answer, 'target')
    for (const kind of ['heating', 'cooling', 'hotWater']) {
      strict.document.site['policy'] = { [kind]: { min: 26, max: 22 } }
      await assert.rejects(
        applyInventory(control.installation, strict.document),
        new RegExp(`site.policy.${kind}`),
      )
    }
  })
})

describe('the capabilities of the device', () => {
  test('a mode is one of its own', async () => {
    await refuses(ids.airConditioner, 'mode', { mode: 'dry' }, /heat, cool, auto, off/)
    await refuses(trv, 'mode', { mode: 'heat', temperature: 20 }, /not supported/)
    await accepts(ids.fan, { mode: 'fan' }, { mode: 'off' })
  })

  test('power needs a switch', async () => {
    await refuses(trv, 'power', { power: 'off' }, /not supported/)
    await refuses(ids.withoutModes, 'power', { power: 'on' }, /not supported/)
    await accepts(ids.plug, { power: 'on' }, { power: 'off' })
  })

  test('a target that is off has no temperature', async () => {
    await refuses(ids.airConditioner, 'temperature', { power: 'off', temperature: 20 }, /off/)
    await refuses(ids.airConditioner, 'temperature', { mode: 'off', temperature: 20 }, /off/)
    await accepts(ids.airConditioner, { power: 'off' }, { mode: 'off' }, { power: 'on', temperature: 20 })
  })

  test('a boost needs a setpoint or a switch', async () => {
    const boost = { type: 'boost', durationMinutes: 30 }
    assertFieldRefused(control.portico, await site.send(boost, ids.fan), 'type')
    for (const id of [ids.airConditioner, ids.plug, trv]) await site.accept(boost, id)
  })
})

test('the device record shows what is accepted', async () => {
  const client = await site.client()
  const expected: [string, JsonObject][] = [
    [trv, { setpoint: { min: 7, max: 25, step: 0.5 }, setpointByMode: {}, modes: [], power: false }],
    [cylinder, { setpoint: { min: 50, max: 60, step: 1 }, setpointByMode: {}, modes: [], power: true }],
    [
      ids.airConditioner,
      {
        setpoint: { min: 16, max: 30, step: 0.5 },
        setpointByMode: {
          heat: { min: 16, max: 25, step: 0.5 },
          cool: { min: 18, max: 30, step: 0.5 },
          auto: { min: 16, max: 30, step: 0.5 },
        },
        modes: ['heat', 'cool', 'auto', 'off'],
        power: true,
      },
    ],
    [ids.plug, { setpoint: null, setpointByMode: {}, modes: [], power: true }],
    [meter, { setpoint: null, setpointByMode: {}, modes: [], power: false }],
  ]
  const listed = await client.list('/devices')
  for (const [deviceUuid, effective] of expected) {
    assert.deepEqual((await client.get(`/devices/${deviceUuid}`))['effective'], effective)
    assert.deepEqual(listed.find((one) => one['deviceUuid'] === deviceUuid)?.['effective'], effective)
  }
})

test('the device receives the mode, and a boost without a target as the most that it can do', async () => {
  const boost = { type: 'boost', durationMinutes: 30 }
  const devices = new Map<string, RecordingDevice>()
  for (const [deviceUuid, body, target] of [
    [ids.airConditioner, override({ mode: 'cool', temperature: 21 }), { mode: 'cool', temperature: 21 }],
    [ids.airConditioner, boost, { mode: 'heat', temperature: 25 }],
    [ids.coolsOnly, boost, { mode: 'cool', temperature: 18 }],
    [ids.withoutModes, boost, { temperature: 25 }],
    [ids.plug, boost, { power: 'on' }],
  ] as const) {
    const connected = devices.get(deviceUuid) ?? (await site.device(undefined, { deviceUuid }))
    devices.set(deviceUuid, connected)
    const command = await site.confirmed(body, deviceUuid)
    const { payload } = await connected.gets(getId(command))
    assert.deepEqual(asObject(payload['schedule'])['target'], target)
    assert.deepEqual(asObject((await site.schedule(deviceUuid))['now'])['target'], target)
  }
})

test('the inventory returns modes and policies as they were given', async () => {
  const policy = { cooling: { min: 21, max: 27 } }
  const house = makeSmallSite({ policy })
  const modes = ['heat', 'cool', 'auto', 'fan', 'dry', 'off']
  house.document.devices.push(
    device(randomUUID(), 'airConditioner', house.studio, { capabilities: { schedule, modes } }),
  )
  await applyInventory(control.installation, house.document)
  const exported = await exportInventory(control.installation, house.siteUuid)
  assert.deepEqual(asObject(exported['site'])['policy'], policy)
  const found = asArray(exported['devices']).map(asObject)
  const conditioner = found.find((one) => one['deviceType'] === 'airConditioner')
  assert.deepEqual(asObject(conditioner?.['capabilities'])['modes'], modes)
})
