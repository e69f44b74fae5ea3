import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asString } from '../support/json.ts'
import { type RawAnswer, sendRequest } from '../support/clients/raw-http.ts'
import { demoToken, goodParameters } from '../support/clients/requests.ts'
import { v2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

/** RFC 9112, 3.2.2: a server must also accept `GET http://host/path HTTP/1.1`, the form that clients send to proxies. */
const { portico } = await shareDemo()

const token = await demoToken(portico)
const { SITE_ID, CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const [space] = await v2Client(portico, token, SITE_ID).list('/spaces?limit=1')
const spaceUuid = asString(space?.['spaceUuid'])
const authorized: [string, string][] = [
  ['Authorization', `Bearer ${token}`],
  ['SiteId', SITE_ID],
]
const form: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']]
const range = 'fromDateTime=2026-01-01T00:00:00Z&toDateTime=2026-01-02T00:00:00Z'

const requests: { path: string; method?: string; headers?: [string, string][]; body?: string }[] = [
  { path: '/' },
  { path: '/live?x=1' },
  { path: '/nothing' },
  { path: '/errors/not-found' },
  { path: '/v1/nothing' },
  { path: '/v1/%zz' },
  { path: '/v2/sites' },
  { path: '/v2/%zz' },
  { path: '/v2/nothing', headers: authorized },
  { path: '/v2/devices?limit=1', headers: authorized },
  { path: '/v2/spaces?limit=2&spaceType=bedroom', headers: authorized },
  { path: `/v2/spaces/${spaceUuid}/aggregate/electricity/hourly?${range}`, headers: authorized },
  { path: `/v2/spaces/${spaceUuid}`, method: 'DELETE', headers: authorized },
  { path: '/operator/partners' },
  { path: '/auth/discovery/v2.0/keys' },
  { path: '/auth/oauth2/v2.0/token?client-request-id=1', method: 'POST', headers: form, body: 'x=1' },
]

/** A response without the parts that differ from one request to the next. */
const comparable = ({ status, headers, body }: RawAnswer): object => ({
  status,
  headers: headers.filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
  body: body
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z/g, '<time>'),
})

describe('a request in absolute form gets the same response as in origin form', () => {
  for (const request of requests) {
    for (const origin of [portico.origin, 'HTTP://portico.example']) {
      test(`${request.method ?? 'GET'} ${origin === portico.origin ? '' : origin}${request.path}`, async () => {
        const expected = await sendRequest(portico, request)
        const answer = await sendRequest(portico, { ...request, path: `${origin}${request.path}` })
        assert.deepEqual(comparable(answer), comparable(expected))
      })
    }
  }

  test('and its link to the next page works', async () => {
    const answer = await sendRequest(portico, {
      path: `${portico.origin}/v2/devices?limit=1`,
      headers: authorized,
    })
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(answer.header('link') ?? '') ?? []
    assert.ok(next.startsWith(`${portico.url}/v2/devices?`), next)
    const path = next.slice(portico.url.length)
    assert.equal((await sendRequest(portico, { path, headers: authorized })).status, 200)
  })

  test('with a token in the response', async () => {
    const answer = await sendRequest(portico, {
      method: 'POST',
      path: `${portico.origin}/auth/oauth2/v2.0/token`,
      headers: form,
      body: new URLSearchParams(goodParameters(CLIENT_ID, CLIENT_SECRET)).toString(),
    })
    assert.equal(answer.status, 200, answer.body)
  })

  test('without a path', async () => {
    for (const path of [portico.origin, `${portico.origin}?x=1`])
      assert.equal((await sendRequest(portico, { path })).status, 200)
  })
})
