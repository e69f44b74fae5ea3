import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseCsv } from '../support/oracles/csv.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../support/json.ts'
import { runPortico, startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'
import { fillIds, v1Client } from '../support/clients/v1.ts'
import { v1Endpoints } from '../support/fixtures/v1-endpoints.ts'

const installation = await startInstallation()
after(async () => {
  await portico.stop()
  await installation.stop()
})
const { operator } = installation
let { portico } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const mover = await addClient(installation, [house.siteUuid], ['V1.Read'])
const roleless = await addClient(installation, [house.siteUuid], [])

/** The site has none of these resources: every call is answered with 404, and counted. */
const nothing = { spaceId: 1_999_999, buildingId: 1_999_999, siteId: 1_999_999 }

const usage = async (client: typeof mover): Promise<Map<unknown, JsonObject>> => {
  const rows = asArray((await client.get('/migration/usage'))['data']).map(asObject)
  return new Map(rows.map((row) => [row['path'], row]))
}

const callers = async (): Promise<JsonObject[]> => {
  const answer = await api(portico, '/operator/migration', { token: operator })
  return asArray(answer.json['data']).map(asObject)
}

const days = async (query = ''): Promise<JsonObject[]> => {
  const answer = await api(portico, `/operator/migration/days${query}`, { token: operator })
  return asArray(answer.json['data']).map(asObject)
}

const report = (...flags: string[]) =>
  runPortico(['migration', 'report', ...flags], { dataDir: portico.dataDir })

describe('version 1 calls are counted', () => {
  const since = Date.now()

  test('for the partner immediately, by endpoint, with any response', async () => {
    const v1 = v1Client(mover)
    for (const [index, { path }] of v1Endpoints.entries()) {
      for (let call = 0; call <= index % 3; call++) await v1.send(fillIds(path, nothing))
    }
    const rows = await usage(mover)
    for (const [index, { path }] of v1Endpoints.entries()) {
      const { calls, lastSeenAt } = rows.get(path) ?? {}
      assert.equal(calls, 1 + (index % 3), path)
      const at = Date.parse(String(lastSeenAt))
      assert.ok(at >= since - 1000 && at <= Date.now() + 1000, String(lastSeenAt))
    }
  })

  test('if a role or site is denied too, but not without a valid token or on other paths', async () => {
    await v1Client(roleless).send('/tenant/logo')
    await api(portico, '/v1/tenant/logo', { token: roleless.token })
    await api(portico, '/v1/tenant/logo')
    await v1Client(roleless).send('/tenant/nothing')
    const called = [...(await usage(roleless)).values()].filter(({ calls }) => calls !== 0)
    assert.deepEqual(
      called.map(({ path, calls }) => [path, calls]),
      [['/tenant/logo', 2]],
    )
  })

  test('for the operator by partner and endpoint, with the replacement of each', async () => {
    const rows = (await callers()).filter(({ partnerUuid }) => partnerUuid === mover.partner.partnerUuid)
    assert.deepEqual(
      rows
        .map(({ path, state, replacement }) => ({ path, state, replacement }))
        .toSorted((a, b) => (String(a.path) < String(b.path) ? -1 : 1)),
      v1Endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    )
    const query = `partnerUuid=${mover.partner.partnerUuid.toUpperCase()}`
    const page = (rest: string) => api(portico, `/operator/migration?${query}${rest}`, { token: operator })
    const first = (await page('&limit=20')).json
    const cursor = String(asObject(first['pagination'])['nextCursor'])
    const second = (await page(`&limit=20&cursor=${cursor}`)).json
    assert.deepEqual([...asArray(first['data']), ...asArray(second['data'])], rows)
    const other = await api(portico, `/operator/migration?limit=20&cursor=${cursor}`, { token: operator })
    assert.equal(other.status, 400)
  })

  test('for the operator by day, for all partners and for one, and in the health document', async () => {
    const rows = await callers()
    const sum = (entries: readonly JsonObject[], field: string): number =>
      entries.reduce((total, entry) => total + Number(entry[field]), 0)
    const all = await days()
    assert.equal(sum(all, 'calls'), sum(rows, 'calls'))
    assert.equal(sum(all, 'failed'), sum(rows, 'failed'))
    const own = await days(`?partnerUuid=${roleless.partner.partnerUuid}`)
    assert.equal(sum(own, 'calls'), 2)
    assert.deepEqual(
      own.filter(({ calls }) => calls !== 0).map(({ partners }) => partners),
      [1],
    )
    const dates = all.map(({ day }) => String(day))
    assert.equal(dates.length, 31)
    assert.deepEqual(
      dates.slice(1),
      dates.slice(0, -1).map((day) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)),
    )
    const { json } = await api(portico, '/operator/health', { token: operator })
    const { calls, partners } = asObject(json['v1'])
    assert.deepEqual([calls, partners], [sum(rows, 'calls'), 2])
    const malformed = await api(portico, '/operator/migration/days?partnerUuid=x', { token: operator })
    assert.equal(malformed.status, 400)
  })

  test('and survive a restart, on the command line and in the API', async () => {
    const before = await callers()
    const daysBefore = await days()
    await portico.stop()
    const { port, dataDir } = portico
    portico = await startPortico({ demo: false, port, dataDir, env: { RATE_LIMIT: 'off' } })
    assert.deepEqual(await callers(), before)
    const counts = async (): Promise<unknown[]> => (await days()).filter(({ calls }) => calls !== 0)
    assert.deepEqual(
      await counts(),
      daysBefore.filter(({ calls }) => calls !== 0),
    )
    assert.deepEqual(asObject(parseJson((await report('--json')).stdout))['data'], before)
    const csv = parseCsv((await report('--csv')).stdout)
    assert.deepEqual(
      csv.map(({ path, calls }) => [path, Number(calls)]),
      before.map(({ path, calls }) => [path, calls]),
    )
    const { stdout } = await report()
    for (const { path } of v1Endpoints) assert.ok(stdout.includes(path), stdout)
  })
})
