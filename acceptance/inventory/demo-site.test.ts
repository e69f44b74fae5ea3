import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { changed, countRecords } from '../support/fixtures/small-site.ts'
import { applyInventory, exportInventory, startDemo } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api } from '../support/clients/requests.ts'
import { query } from '../support/clients/v2-client.ts'

const demo = await startDemo()
after(() => demo.stop())
const { client, portico, operator } = demo
const document = await exportInventory(demo, client.siteId)

test('the demo is an ordinary site: applying its document again changes nothing', async () => {
  const counts = { created: 0, updated: 0, archived: 0, unchanged: countRecords(document) }
  assert.deepEqual(await applyInventory(demo, document), counts)
  const spaces = await client.list('/spaces')
  const devices = await client.list('/devices')
  assert.deepEqual([spaces.length, devices.length], [document.spaces.length, document.devices.length])
})

test('the zone of a site cannot change once readings exist: 409', async () => {
  const body = changed(document, 'site.timeZone', 'Europe/Paris')
  assertProblem(
    portico,
    await api(portico, '/operator/inventory', { method: 'PUT', token: operator, body }),
    409,
  )
  assert.deepEqual(await exportInventory(demo, client.siteId), document)
})

test('the consumption of an archived device still belongs to its space', async () => {
  // A meter with sub-meters cannot be removed without them.
  const above = new Set(document.devices.map((device) => device['submeterOf']))
  const meter =
    document.devices.find(
      ({ deviceType, deviceUuid }) => deviceType === 'electricityMeter' && !above.has(deviceUuid),
    ) ?? {}
  const from = Temporal.Now.plainDateISO().subtract({ days: 20 })
  const range = query({ fromDateTime: from.toString(), toDateTime: from.add({ days: 7 }).toString() })
  const path = `/spaces/${asString(meter['spaceUuid'])}/aggregate/electricity/daily${range}`
  const before = await client.get(path)
  assert.equal(before['hasData'], true)
  await applyInventory(demo, { ...document, devices: document.devices.filter((device) => device !== meter) })
  assertProblem(portico, await client.send(`/devices/${asString(meter['deviceUuid'])}`), 404)
  assert.deepEqual(await client.get(path), before)
  await applyInventory(demo, document)
  assert.equal((await client.send(`/devices/${asString(meter['deviceUuid'])}`)).status, 200)
  assert.deepEqual(await client.get(path), before)
})

test('the past consumption of a device that moves stays in its old space', async () => {
  const index = document.devices.findIndex((device) => device['deviceType'] === 'electricityMeter')
  const meter = document.devices[index] ?? {}
  const away = document.spaces.find((space) => space['spaceUuid'] !== meter['spaceUuid']) ?? {}
  const from = Temporal.Now.plainDateISO().subtract({ days: 20 })
  const range = query({ fromDateTime: from.toString(), toDateTime: from.add({ days: 7 }).toString() })
  const series = async (space: unknown): Promise<unknown> =>
    (await client.get(`/spaces/${asString(space)}/aggregate/electricity/daily${range}`))['timeSeries']
  const before = [await series(meter['spaceUuid']), await series(away['spaceUuid'])]
  await applyInventory(demo, changed(document, `devices.${index}.spaceUuid`, away['spaceUuid']))
  const shown = await client.get(`/devices/${asString(meter['deviceUuid'])}`)
  assert.equal(shown['spaceUuid'], away['spaceUuid'])
  assert.deepEqual([await series(meter['spaceUuid']), await series(away['spaceUuid'])], before)
})
