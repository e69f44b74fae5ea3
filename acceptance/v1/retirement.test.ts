import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { runPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import {
  assertV1Error,
  everyPath,
  fillIds,
  parseLinks,
  listSuccessors,
  v1Client,
} from '../support/clients/v1.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation

const house = makeSmallSite({ legacyId: 7 })
Object.assign(house.document.buildings[0] ?? {}, { legacyId: 12 })
Object.assign(house.document.spaces[0] ?? {}, { legacyId: 345 })
await applyInventory(installation, house.document)
const v1 = v1Client(await addClient(installation, [house.siteUuid]))
const ids = { spaceId: 345, buildingId: 12, siteId: 7 }

const details = '/spaces/details/{spaceId}'
const daily = '/spaces/utilities/{spaceId}/history'
const logo = '/sites/weather/{siteId}'
const tip = '/spaces/tip/{spaceId}'
const past = '2026-01-31T00:00:00.000Z'
const future = '2037-03-31T00:00:00.000Z'

const put = (body: unknown): Promise<Answer> =>
  api(portico, '/operator/v1/lifecycle', { method: 'PUT', token: operator, body })
async function change(path: string, fields: JsonObject): Promise<JsonObject> {
  const answer = await put([{ method: 'GET', path, ...fields }])
  assert.equal(answer.status, 200, answer.text)
  const rows = JSON.parse(answer.text) as JsonObject[]
  assert.equal(rows.length, 23)
  return rows.find((row) => row['path'] === path) ?? assert.fail(path)
}
const call = (path: string): Promise<Answer> => v1.send(fillIds(path, ids))

afterEach(async () => {
  const clear = everyPath.map((path) => ({
    method: 'GET',
    path,
    deprecatedAt: null,
    sunsetAt: null,
    blackouts: null,
  }))
  assert.equal((await put(clear)).status, 200)
})

describe('a sunset', () => {
  test('in the future is announced, and the endpoint keeps working', async () => {
    const row = await change(details, { sunsetAt: future })
    assert.equal(row['sunsetAt'], future)
    const answer = await call(details)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('sunset'), 'Tue, 31 Mar 2037 00:00:00 GMT')
    assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  })

  test('in the past is 410 from the response to the operator on, naming the replacement', async () => {
    await change(details, { sunsetAt: past })
    const answer = await call(details)
    const successor = `${portico.baseUrl}/spaces/${house.bedroom}/overview`
    assert.ok(assertV1Error(answer, 410).includes(successor), answer.text)
    assert.deepEqual(listSuccessors(answer), [successor])
    assert.equal(answer.headers.get('sunset'), 'Sat, 31 Jan 2026 00:00:00 GMT')
    // The deprecation date is never shown as later than the sunset.
    const since = Number((answer.headers.get('deprecation') ?? '').slice(1)) * 1000
    assert.ok(since <= Date.parse(past), String(since))
    assert.equal((await call(daily)).status, 200)
  })

  test('of an endpoint without a replacement says so', async () => {
    await change(logo, { sunsetAt: past })
    assert.match(assertV1Error(await call(logo), 410), /there is no replacement\./)
    await change(tip, { sunsetAt: past })
    assert.match(assertV1Error(await call(tip), 410), /there is no replacement yet\./)
  })

  test('of every endpoint: all are 410, and access checks still come first', async () => {
    await put(everyPath.map((path) => ({ method: 'GET', path, sunsetAt: past })))
    for (const path of everyPath) {
      assertV1Error(await call(path), 410)
      assertV1Error(await v1.send(fillIds(path, ids), { token: 'a.b.c' }), 401)
    }
    assertV1Error(await v1.send('/spaces/details/2147483647'), 410)
  })

  test('can be removed without a restart', async () => {
    await change(daily, { sunsetAt: past })
    assertV1Error(await call(daily), 410)
    const row = await change(daily, { sunsetAt: null })
    assert.equal(row['sunsetAt'], null)
    const answer = await call(daily)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('sunset'), null)
  })
})

describe('a blackout', () => {
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

  test('is 410 with Retry-After while it lasts', async () => {
    await change(details, { blackouts: [{ from: inMinutes(-1), to: inMinutes(5) }] })
    const answer = await call(details)
    assert.match(assertV1Error(answer, 410), /rehearse/)
    const seconds = Number(answer.headers.get('retry-after'))
    assert.ok(seconds > 240 && seconds <= 300, String(seconds))
  })

  test('with another one directly after it ends with the latter', async () => {
    const windows = [
      [3, 8],
      [-1, 2],
      [2, 4],
      [9, 11],
    ] as const
    await change(details, {
      blackouts: windows.map(([from, to]) => ({ from: inMinutes(from), to: inMinutes(to) })),
    })
    const seconds = Number((await call(details)).headers.get('retry-after'))
    assert.ok(seconds > 420 && seconds <= 480, String(seconds))
  })

  test('in the past or future changes nothing', async () => {
    await change(details, {
      blackouts: [
        { from: inMinutes(-10), to: inMinutes(-5) },
        { from: inMinutes(5), to: inMinutes(10) },
      ],
    })
    assert.equal((await call(details)).status, 200)
  })

  test('ends automatically', async () => {
    for (let lengthMs = 1_500; ; lengthMs *= 2) {
      const end = Date.now() + lengthMs
      await change(details, { blackouts: [{ from: past, to: new Date(end).toISOString() }] })
      const answer = await call(details)
      // On a slow machine the time may already have passed: retried with a longer one.
      if (answer.status !== 410 && Date.now() >= end) continue
      assertV1Error(answer, 410)
      break
    }
    await eventually(async () => assert.equal((await call(details)).status, 200))
  })
})

describe('the page that the deprecation links lead to', () => {
  const page = async (): Promise<string> => {
    const [link] = parseLinks(await call(details))
    assert.ok(link?.rel === 'deprecation')
    const answer = await fetch(link.address)
    assert.equal(answer.status, 200)
    return answer.text()
  }

  test('lists every endpoint, sunsets, and blackouts that are not over', async () => {
    await change(details, { sunsetAt: future })
    await change(daily, {
      blackouts: [
        { from: past, to: '2026-01-31T01:00:00Z' },
        { from: '2037-02-01T09:00:00Z', to: '2037-02-01T10:00:00Z' },
      ],
    })
    const text = await page()
    for (const path of everyPath) assert.ok(text.includes(`GET /v1${path}`), path)
    assert.ok(text.includes('until 2037-03-31'))
    assert.ok(text.includes('switched off from 2037-02-01 09:00 UTC to 2037-02-01 10:00 UTC'))
    assert.equal(text.split('switched off').length, 2)
  })
})

describe('the table', () => {
  test('changes only the named rows and fields', async () => {
    await change(details, { sunsetAt: future, deprecatedAt: '2026-06-01' })
    await change(daily, { sunsetAt: future })
    const row = await change(details, { sunsetAt: null })
    assert.deepEqual([row['sunsetAt'], row['deprecatedAt']], [null, '2026-06-01T00:00:00.000Z'])
    const list = JSON.parse(
      (await api(portico, '/operator/v1/lifecycle', { token: operator })).text,
    ) as JsonObject[]
    assert.equal(list.find(({ path }) => path === daily)?.['sunsetAt'], future)
    assert.equal((await call(details)).headers.get('deprecation'), `@${Date.UTC(2026, 5, 1) / 1000}`)
  })

  test('an awaiting endpoint is deprecated when the operator sets a date', async () => {
    assert.equal((await call(tip)).headers.get('deprecation'), null)
    await change(tip, { deprecatedAt: past })
    const answer = await call(tip)
    assert.equal(answer.headers.get('deprecation'), `@${Date.parse(past) / 1000}`)
    assert.deepEqual(
      parseLinks(answer).map(({ rel }) => rel),
      ['deprecation'],
    )
  })

  test('rejects unknown content as a whole', async () => {
    const good = { method: 'GET', path: details, sunsetAt: past }
    for (const bad of [
      { method: 'GET', path: '/v1/spaces/details/{spaceId}' },
      { method: 'GET', path: '/spaces/details/345' },
      { method: 'POST', path: details },
      { method: 'GET', path: details, sunset: past },
      { method: 'GET', path: daily, sunsetAt: 'soon' },
      { method: 'GET', path: daily, sunsetAt: '2026-02-30' },
      { method: 'GET', path: daily, sunsetAt: 1 },
      { method: 'GET', path: daily, blackouts: [{ from: future, to: past }] },
      good,
    ])
      assertProblem(portico, await put([good, bad]), 400)
    assertProblem(portico, await put({}), 400)
    assert.equal((await call(details)).status, 200)
  })

  test('can be sent back as read, or with other dates, but not with another state or replacement', async () => {
    await change(details, { sunsetAt: future, blackouts: [{ from: past, to: future }] })
    const read = async () =>
      JSON.parse((await api(portico, '/operator/v1/lifecycle', { token: operator })).text) as JsonObject[]
    const table = await read()
    assert.equal((await put(table)).status, 200)
    assert.deepEqual(await read(), table)
    for (const other of [{ state: 'retiring' }, { replacement: '/spaces' }, { state: 'gone' }])
      assertProblem(portico, await put([{ method: 'GET', path: details, ...other }]), 400)
    assert.equal((await put(table.map((row) => ({ ...row, sunsetAt: null, blackouts: [] })))).status, 200)
    assert.equal((await call(details)).status, 200)
  })

  test('every change is in the audit log', async () => {
    await change(details, { sunsetAt: future })
    const { json } = await api(portico, '/operator/audit?limit=1', { token: operator })
    const entry = asObject(asArray(json['data'])[0])
    assert.deepEqual(
      [entry['action'], entry['target'], entry['detail']],
      ['v1.lifecycle-changed', `GET ${details}`, { sunsetAt: future }],
    )
  })
})

describe('portico v1 sunset', () => {
  const { dataDir } = portico

  test('sets a date that a running server applies within 5 seconds, and clears it', async () => {
    assert.equal((await call(details)).status, 200)
    const set = await runPortico(['v1', 'sunset', details, '2026-01-31', '--json'], { dataDir })
    assert.equal(set.code, 0, set.stderr)
    assert.equal((JSON.parse(set.stdout) as JsonObject)['sunsetAt'], past)
    await eventually(async () => assertV1Error(await call(details), 410))
    const cleared = await runPortico(['v1', 'sunset', details, '--clear'], { dataDir })
    assert.equal(cleared.code, 0, cleared.stderr)
    await eventually(async () => assert.equal((await call(details)).status, 200))
  })

  test('rejects an unknown path, an invalid date, and neither date nor --clear', async () => {
    const codes = await Promise.all(
      [['/nothing', '2026-01-31'], [details, 'soon'], [details], [details, '2026-01-31', '--clear']].map(
        async (args) => (await runPortico(['v1', 'sunset', ...args], { dataDir })).code,
      ),
    )
    assert.deepEqual(codes, [2, 2, 2, 2])
  })
})
