import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { oneOff, override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import type { RecordingDevice } from '../support/control/recording-device.ts'
import { eventually } from '../support/eventually.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { asObject, type JsonObject } from '../support/json.ts'

const house = makeSmallSite()
const riser = randomUUID()
const wired = [randomUUID(), randomUUID()]
const capabilities = asObject(
  asObject(house.document.devices.find(({ deviceUuid }) => deviceUuid === house.trv))['capabilities'],
)
for (const uuid of wired) {
  house.document.devices.push(device(uuid, 'trv', house.studio, { gatewayUuid: riser, capabilities }))
}

const control = await useControl()
const site = await control.addSite(house)
const valve = await site.device()
const cylinder = await site.device(undefined, { deviceUuid: house.cylinder })

const isOffline = (deviceUuid: string): Promise<void> =>
  eventually(async () =>
    assert.equal((await (await site.client()).get(`/devices/${deviceUuid}`))['status'], 'offline'),
  )

/** Confirms a command on a device that is online: every other message due by then has been processed too. */
const othersAreServed = async (): Promise<void> => {
  await site.confirmed(override(55), house.cylinder)
}

const seenBy = (one: RecordingDevice, command: JsonObject): number => one.about(getId(command)).length

describe('a device that is offline', () => {
  test('keeps its command PENDING while others receive theirs, and receives it once it is online', async () => {
    await valve.present('offline')
    await isOffline(house.trv)
    const command = await site.accept(override(20))
    assert.equal(command['state'], 'PENDING')
    await othersAreServed()
    assert.equal((await site.command(command))['state'], 'PENDING')
    assert.equal(seenBy(valve, command), 0)
    await valve.present('online')
    await site.until(command, 'CONFIRMED')
    assert.ok(cylinder.ledger.length > 0)
  })

  test('according to its last will receives commands sent meanwhile once it is back', async () => {
    await valve.vanish()
    await isOffline(house.trv)
    const commands = [await site.accept(plan()), await site.accept(override(21))]
    for (let index = 1; index <= 3; index += 1) {
      const hours: [number, number] = [index * 3600, index * 3600 + 1800]
      commands.push(await site.accept(oneOff(control.clock.now(), hours)))
    }
    await othersAreServed()
    for (const command of commands) assert.equal((await site.command(command))['state'], 'PENDING')
    await valve.comeBack()
    for (const command of commands) await site.until(command, 'CONFIRMED')
  })

  test('stays offline across a restart of the server, with its command', async () => {
    await valve.vanish()
    await isOffline(house.trv)
    const command = await site.accept(override(19))
    await control.restart()
    await eventually(othersAreServed)
    assert.equal((await site.command(command))['state'], 'PENDING')
    await valve.comeBack()
    await site.until(command, 'CONFIRMED')
  })
})

describe('a gateway that is offline', () => {
  test('holds back the commands of all its devices, which are delivered once it is back', async () => {
    const [one = '', two = ''] = wired
    const gateway = await site.device(undefined, { deviceUuid: one, presenceFor: riser })
    const second = await site.device(undefined, { deviceUuid: two, presenceFor: null })
    await gateway.present('offline', riser)
    for (const uuid of wired) await isOffline(uuid)
    const commands = [await site.accept(override(20), one), await site.accept(override(21), two)]
    await othersAreServed()
    for (const command of commands) assert.equal((await site.command(command))['state'], 'PENDING')
    assert.deepEqual([...gateway.ledger, ...second.ledger], [])
    await gateway.present('online', riser)
    for (const command of commands) await site.until(command, 'CONFIRMED')
    assert.deepEqual(
      [...gateway.applied, ...second.applied],
      commands.map((command) => getId(command)),
    )
  })
})
