import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseCsv } from '../support/oracles/csv.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { runPortico } from '../support/servers/portico.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { api } from '../support/clients/requests.ts'
import { v1Endpoints } from '../support/fixtures/v1-endpoints.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid], [])

const report = (...flags: string[]) =>
  runPortico(['migration', 'report', ...flags], { dataDir: portico.dataDir })

describe('a partner that never called version 1', () => {
  const expected = v1Endpoints.map((endpoint) => ({
    method: 'GET',
    ...endpoint,
    calls: 0,
    lastSeenAt: null,
    deprecatedAt: endpoint.state === 'awaiting-v2' ? null : '2026-11-01T00:00:00.000Z',
    sunsetAt: null,
  }))

  test('sees all 23 endpoints without a call, with the future of each, with any roles', async () => {
    assert.equal(expected.length, 23)
    const body = await client.get('/migration/usage')
    assert.deepEqual(body, { data: expected, pagination: { nextCursor: null, hasMore: false } })
  })

  test('gets the same as CSV', async () => {
    const answer = await client.send('/migration/usage', { headers: { Accept: 'text/csv' } })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(
      answer.text.split('\r\n', 1)[0],
      'method,path,state,calls,lastSeenAt,replacement,deprecatedAt,sunsetAt',
    )
    const rows = expected.map((row) => ({
      ...row,
      calls: '0',
      lastSeenAt: '',
      replacement: row.replacement ?? '',
      deprecatedAt: row.deprecatedAt ?? '',
      sunsetAt: '',
    }))
    assert.deepEqual(parseCsv(answer.text), rows)
  })

  test('gets the list in pages, too', async () => {
    const first = await client.get('/migration/usage?limit=20')
    const { nextCursor } = asObject(first['pagination'])
    const second = await client.get(`/migration/usage?limit=20&cursor=${String(nextCursor)}`)
    assert.deepEqual([first['data'], second['data']].flat(), expected)
    assert.deepEqual(second['pagination'], { nextCursor: null, hasMore: false })
  })

  test('sees when an endpoint ends, once the operator has set a date', async () => {
    const setSunset = (sunsetAt: string | null) =>
      api(portico, '/operator/v1/lifecycle', {
        method: 'PUT',
        token: operator,
        body: [{ method: 'GET', path: '/tenant/logo', sunsetAt }],
      })
    assert.equal((await setSunset('2030-06-30T00:00:00.000Z')).status, 200)
    const { data } = await client.get('/migration/usage')
    const dates = new Map(
      asArray(data).map((row) => [asObject(row)['path'], asObject(row)['sunsetAt']] as const),
    )
    assert.equal(dates.get('/tenant/logo'), '2030-06-30T00:00:00.000Z')
    assert.equal(dates.get('/spaces/tip/{spaceId}'), null)
    assert.equal((await setSunset(null)).status, 200)
  })

  test('calls of version 2 are not counted', async () => {
    await client.get('/migration/id-map')
    assert.deepEqual((await client.get('/migration/usage'))['data'], expected)
  })
})

describe('the report over all partners', () => {
  test('is empty if no partner called version 1', async () => {
    const answer = await api(portico, '/operator/migration', { token: operator })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json, { data: [], pagination: { nextCursor: null, hasMore: false } })
  })

  test('requires an operator', async () => {
    assertUnauthorized(portico, await api(portico, '/operator/migration'), 'TokenNotPresent')
    assertProblem(portico, await api(portico, '/operator/migration', { token: client.token }), 403)
  })

  test('accepts limit and cursor only', async () => {
    const ask = (query: string) => api(portico, `/operator/migration?${query}`, { token: operator })
    assert.equal((await ask('limit=5')).status, 200)
    for (const query of ['limit=0', 'cursor=x', 'partner=x']) assertProblem(portico, await ask(query), 400)
  })
})

describe('portico migration report', () => {
  test('reports as text that no partner called version 1', async () => {
    const { code, stdout, stderr } = await report()
    assert.deepEqual(
      { code, stdout, stderr },
      { code: 0, stdout: 'No partner has called version 1.\n', stderr: '' },
    )
  })

  test('with --json prints the list of the operator API, with --csv its columns', async () => {
    assert.deepEqual(parseJson((await report('--json')).stdout), { data: [] })
    const columns = 'partnerUuid,partnerName,method,path,state,calls,failed,lastSeenAt,replacement'
    assert.equal((await report('--csv')).stdout, `${columns}\r\n`)
  })

  test('accepts one format at a time', async () => {
    const { code, stderr } = await report('--csv', '--json')
    assert.equal(code, 2)
    const { error } = asObject(parseJson(stderr))
    assert.equal(asObject(error)['message'], '--csv and --json cannot be combined')
  })
})
