import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { api } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { workersOfEveryServer } from '../support/servers/portico.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

const get = async (path: string): Promise<JsonObject> => {
  const answer = await api(portico, `/operator${path}`, { token: operator })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

const list = async (path: string): Promise<JsonObject[]> => asArray((await get(path))['data']).map(asObject)

const total = house.document.devices.length

describe('GET /operator/health', () => {
  test('says in one document whether anything is wrong', async () => {
    const health = await get('/health')
    assert.deepEqual(health['notReady'], [])
    assert.match(asString(health['version']), /^\d+\.\d+\.\d+/)
    assert.ok(Number(health['uptimeSeconds']) >= 0)
    const { sites, ...counts } = asObject(health['devices'])
    assert.deepEqual(counts, { total, online: 0, offline: 0, unknown: total })
    assert.deepEqual(sites, [])
    assert.deepEqual(health['rejected'], [])
    assert.deepEqual(
      asArray(health['commands']).map((entry) => Object.values(asObject(entry))),
      ['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'].map((state) => [
        state,
        0,
      ]),
    )
    assert.deepEqual(health['webhooks'], { enabled: 0, failing: 0, disabled: 0, attention: [] })
    assert.deepEqual(health['v1'], { calls: 0, partners: 0, endpoints: 0, lastSeenAt: null })
    assert.deepEqual(health['expiringSecrets'], [])
  })

  test('is read at most once a minute by each process', async () => {
    const began = Date.now()
    const refreshes = new Set<unknown>()
    for (let count = 0; count < 10; count += 1) refreshes.add((await get('/health'))['refreshedAt'])
    const minutes = 1 + Math.ceil((Date.now() - began) / 60_000)
    assert.ok(refreshes.size <= minutes * Number(workersOfEveryServer() ?? 1), [...refreshes].join())
  })
})

describe('GET /operator/sites', () => {
  test('has the numbers of each site, also of one that was just added', async () => {
    const other = makeSmallSite({ siteName: 'Another house' })
    await applyInventory(installation, other.document)
    const found = (await list('/sites')).find(({ siteUuid }) => siteUuid === other.siteUuid)
    assert.deepEqual(found, {
      siteUuid: other.siteUuid,
      siteName: other.document.site['siteName'],
      timeZone: other.document.site['timeZone'],
      sandbox: other.document.site['sandbox'] ?? false,
      buildings: other.document.buildings.length,
      spaces: other.document.spaces.length,
      devices: { total, online: 0, offline: 0, unknown: total },
      gateways: 0,
      newestReadingAt: null,
    })
  })

  test('finds sites by a part of their name or by their UUID, in pages', async () => {
    for (const siteName of ['Search North', 'Search South'])
      await applyInventory(installation, makeSmallSite({ siteName }).document)
    const names = async (query: string): Promise<unknown[]> =>
      (await list(`/sites?${query}`)).map(({ siteName }) => siteName)
    assert.deepEqual(await names('search=SEARCH'), ['Search North', 'Search South'])
    assert.deepEqual(await names(`search=${house.siteUuid}`), [house.document.site['siteName']])
    assert.deepEqual(await names('search=nowhere'), [])
    const first = await get('/sites?search=search&limit=1')
    const cursor = encodeURIComponent(asString(asObject(first['pagination'])['nextCursor']))
    assert.deepEqual(await names(`search=search&limit=1&cursor=${cursor}`), ['Search South'])
    const other = await api(portico, `/operator/sites?cursor=${cursor}`, { token: operator })
    assertFieldRefused(portico, other, 'cursor')
    assertProblem(portico, await api(portico, '/operator/sites?search=', { token: operator }), 400)
  })
})

describe('GET /operator/sites/{siteUuid}/devices', () => {
  const path = `/sites/${house.siteUuid}/devices`

  test('has the newest reading of each metric, and filters by status and silence', async () => {
    const [device] = house.document.devices
    const deviceUuid = asString(device?.['deviceUuid'])
    const [metricType = ''] = Object.keys(asObject(device?.['metrics']))
    const timestamp = new Date(Date.now() - 60_000).toISOString()
    const sent = await api(portico, '/operator/readings', {
      method: 'POST',
      token: operator,
      body: [{ deviceUuid, metricType, timestamp, value: 12.5 }],
    })
    assert.equal(sent.json['accepted'], 1, sent.text)

    const all = await list(path)
    assert.equal(all.length, total)
    const found = all.find((one) => one['deviceUuid'] === deviceUuid)
    assert.deepEqual(found?.['latestReadings'], [{ metricType, timestamp, value: 12.5 }])
    assert.equal(found['lastSeenAt'], timestamp)

    const uuids = async (query: string): Promise<unknown[]> =>
      (await list(`${path}?${query}`)).map((one) => one['deviceUuid'])
    assert.deepEqual(await uuids('status=online'), [deviceUuid])
    assert.equal((await uuids('status=unknown')).length, total - 1)
    assert.deepEqual(await uuids('status=offline'), [])
    assert.ok(!(await uuids('silentForMinutes=600')).includes(deviceUuid))
    assert.deepEqual(await uuids('silentForMinutes=1&status=online'), [deviceUuid])
  })

  test('pages through what matches', async () => {
    const first = await get(`${path}?status=unknown&limit=1`)
    const { nextCursor } = asObject(first['pagination'])
    const cursor = encodeURIComponent(asString(nextCursor))
    const second = await list(`${path}?status=unknown&limit=1000&cursor=${cursor}`)
    assert.equal(second.length, total - 2)
    const other = await api(portico, `/operator${path}?limit=1&cursor=${cursor}`, { token: operator })
    assertFieldRefused(portico, other, 'cursor')
  })

  test('rejects other filters', async () => {
    for (const query of ['status=broken', 'silentForMinutes=0', 'silentForMinutes=x', 'silent=1'])
      assertProblem(portico, await api(portico, `/operator${path}?${query}`, { token: operator }), 400)
  })
})

describe('GET /operator/commands', () => {
  test('lists the commands of all sites with names, and filters them', async () => {
    const deviceUuid = house.trv
    const valve = house.document.devices.find((device) => device['deviceUuid'] === deviceUuid)
    const sent: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const answer = await client.post(`/devices/${deviceUuid}/schedule`, { type: 'resume' })
      assert.equal(answer.status, 202, answer.text)
      sent.push(asString(answer.json['commandUuid']))
    }
    const all = await list('/commands')
    assert.deepEqual(all.map(({ commandUuid }) => asString(commandUuid)).toSorted(), sent.toSorted())
    for (const command of all) {
      assert.equal(command['siteUuid'], house.siteUuid)
      assert.equal(command['siteName'], house.document.site['siteName'])
      assert.equal(command['deviceName'], valve?.['deviceName'])
      assert.equal(command['partnerName'], 'Acceptance partner')
    }
    const count = async (query: string): Promise<number> => (await list(`/commands?${query}`)).length
    assert.equal(await count(`siteUuid=${house.siteUuid}&partnerUuid=${client.partner.partnerUuid}`), 3)
    assert.equal(await count(`siteUuid=${randomUUID()}`), 0)
    assert.equal(await count(`partnerUuid=${randomUUID()}`), 0)
    assert.equal(await count('state=CONFIRMED'), 0)
    assert.equal(await count(`from=${new Date(Date.now() + 3_600_000).toISOString()}`), 0)

    const first = await get('/commands?limit=2')
    const cursor = encodeURIComponent(asString(asObject(first['pagination'])['nextCursor']))
    const rest = await list(`/commands?limit=2&cursor=${cursor}`)
    assert.deepEqual([...asArray(first['data']), ...rest], all)
  })

  test('rejects other filters', async () => {
    for (const query of ['state=LOST', 'siteUuid=x', 'from=yesterday', 'to=2026-11-16T00:00:00Z'])
      assertProblem(portico, await api(portico, `/operator/commands?${query}`, { token: operator }), 400)
  })
})
