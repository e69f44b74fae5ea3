import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useControl } from '../support/control/control-harness.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'

const control = await useControl()
const site = await control.addSite()
const { trv } = site.house

const listEvents = async (): Promise<JsonObject[]> => {
  const page = await (await site.client()).get(
    '/events?after=0&types=device.online,device.offline&limit=1000',
  )
  return asArray(page['data']).map(asObject)
}

const listTypes = async (): Promise<unknown[]> => (await listEvents()).map(({ type }) => type)

const getStatus = async (): Promise<string> =>
  asString((await (await site.client()).get(`/devices/${trv}`))['status'])

/** Waits until the last event has this type, while more time than the hold time passes again and again. */
const untilReported = (type: string): Promise<void> =>
  eventually(async () => {
    control.clock.moveTo(control.clock.now() + 31_000)
    assert.equal((await listTypes()).at(-1), type)
  })

test('a device that has come online, or gone offline, for 30 seconds is an event', async () => {
  const device = await site.device()
  await eventually(async () => assert.equal(await getStatus(), 'online'))
  await untilReported('device.online')
  await device.present('offline')
  await untilReported('device.offline')
  const [event] = (await listEvents()).slice(-1)
  const { since, ...data } = asObject(event?.['data'])
  const record = asObject(await (await site.client()).get(`/devices/${trv}`))
  assert.deepEqual(data, {
    deviceName: record['deviceName'],
    deviceType: record['deviceType'],
    spaceName: record['spaceName'],
    status: 'offline',
    reason: 'presence',
    gatewayUuid: null,
  })
  assert.equal(event?.['timestamp'], since)
  assert.deepEqual([event?.['deviceUuid'], event?.['spaceUuid']], [trv, site.house.bedroom])

  await device.present('online')
  await untilReported('device.online')
  assert.deepEqual(await listTypes(), ['device.online', 'device.offline', 'device.online'])
})
