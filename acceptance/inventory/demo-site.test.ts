import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { changed, countRecords } from '../support/fixtures/small-site.ts'
import { applyInventory, exportInventory, startDemo } from '../support/servers/installation.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api } from '../support/clients/requests.ts'
import { getSeries } from '../support/clients/series.ts'
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

test('the demo shows every warning', () =>
  eventually(async () => {
    const devices = await client.list('/devices')
    const codes = devices.flatMap(({ warnings }) =>
      asArray(warnings).map((warning) => asString(asObject(warning)['code'])),
    )
    assert.deepEqual([...new Set(codes)].toSorted(), [
      'low-battery',
      'offline',
      'rejecting',
      'stale',
      'suspect-readings',
    ])
  }))

test('the demo shows every quality, and most of its climate is measured', async () => {
  const count = async (path: string): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for (const { quality } of (await getSeries(client, path, {})).points)
      counts.set(quality, (counts.get(quality) ?? 0) + 1)
    return counts
  }
  const findSpace = (name: string): string =>
    asString(document.spaces.find(({ spaceName }) => spaceName === name)?.['spaceUuid'])
  const laundry = await count(`/spaces/${findSpace('Laundry')}/aggregate/water/daily`)
  assert.ok((laundry.get('suspect') ?? 0) >= 4)
  const reception = await count(`/spaces/${findSpace('Reception')}/aggregate/electricity/daily`)
  assert.ok((reception.get('missing') ?? 0) >= 1)
  const common = await count(`/spaces/${findSpace('Common room')}/aggregate/temperature/hourly`)
  assert.ok(common.has('partial') && common.has('missing'))
  const quarters = await count(
    `/spaces/${findSpace('Common room')}/aggregate/temperature/hourly?interval=PT15M`,
  )
  assert.ok(quarters.has('estimated') && quarters.has('measured'))
  let [measured, all] = [0, 0]
  for (const { spaceUuid, metricTypes } of await client.list('/spaces?limit=30')) {
    if (!asArray(metricTypes).includes('temperature')) continue
    const counts = await count(`/spaces/${asString(spaceUuid)}/aggregate/temperature/daily`)
    measured += counts.get('measured') ?? 0
    all += counts.values().reduce((sum, one) => sum + one, 0)
  }
  assert.ok(all > 100 && measured / all > 0.75, `${measured} of ${all}`)
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
