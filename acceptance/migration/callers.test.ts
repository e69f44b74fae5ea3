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
  })

  test('and survive a restart, on the command line and in the API', async () => {
    const before = await callers()
    await portico.stop()
    const { port, dataDir } = portico
    portico = await startPortico({ demo: false, port, dataDir, env: { RATE_LIMIT: 'off' } })
    assert.deepEqual(await callers(), before)
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
